package record

import (
	"concord/annotate"
	"concord/eval"
)

// Gold is the known answer of an item, which stands in the key.
type Gold struct {
	Verdict uint8  `cbor:"1,keyasint,omitempty"`
	Choice  string `cbor:"2,keyasint,omitempty"`
	Score   int    `cbor:"3,keyasint,omitempty"`
	Vote    uint8  `cbor:"4,keyasint,omitempty"`
	Swapped bool   `cbor:"5,keyasint,omitempty"`
	From    string `cbor:"6,keyasint,omitempty"`
}

// FromGold makes the record of a known answer.
func FromGold(g annotate.Gold) Gold {
	r := g.Reading
	return Gold{
		Verdict: uint8(r.Verdict), Choice: string(r.Choice), Score: r.Score, Vote: uint8(r.Vote), Swapped: r.Swapped, From: g.From,
	}
}

// Gold is the known answer that the record holds.
func (r Gold) Gold(k annotate.ItemKey) annotate.Gold {
	return annotate.Gold{Key: k, From: r.From, Reading: annotate.Reading{
		Verdict: annotate.Verdict(r.Verdict), Choice: eval.Choice(r.Choice), Score: r.Score, Vote: eval.Vote(r.Vote), Swapped: r.Swapped,
	}}
}

// Guideline is a guideline that is in force no more. That in force
// stands in its queue's record, so that opening a queue reads nothing else.
type Guideline struct {
	Text string `cbor:"1,keyasint,omitempty"`
	By   string `cbor:"2,keyasint,omitempty"`
	At   int64  `cbor:"3,keyasint,omitempty"`
}

// GuidelineKey is the key of a version of a queue's guideline.
func GuidelineKey(q annotate.QueueName, version int) []byte {
	return AppendU32(AppendName(nil, string(q)), uint32(version))
}

// guide takes the guideline in force up.
func (r *Queue) guide(g annotate.Guideline) {
	r.Guideline, r.Version, r.Author, r.Authored = g.Text, g.Version, string(g.By), Millis(g.At)
}

// guideline is the one in force. Before there were versions a queue had the
// one that it was made with.
func (r *Queue) guideline() annotate.Guideline {
	switch {
	case r.Guideline == "":
		return annotate.Guideline{}
	case r.Version == 0:
		return annotate.Guideline{Version: 1, Text: r.Guideline, By: annotate.Annotator(r.By), At: FromMillis(r.Created)}
	}
	return annotate.Guideline{Version: r.Version, Text: r.Guideline, By: annotate.Annotator(r.Author), At: FromMillis(r.Authored)}
}

// Item is what is enrolled in a queue; its index stands in the key.
type Item struct {
	Run       uint64  `cbor:"1,keyasint,omitempty"`
	Sample    uint32  `cbor:"2,keyasint,omitempty"`
	Pass      uint8   `cbor:"3,keyasint,omitempty"`
	Inclusion float64 `cbor:"4,keyasint,omitempty"`
	Group     string  `cbor:"5,keyasint,omitempty"`
	Against   uint64  `cbor:"6,keyasint,omitempty"`
}

// ItemKey is the key of a queue's item.
func ItemKey(name annotate.QueueName, index int) []byte {
	return AppendU32(AppendName(nil, string(name)), uint32(index))
}

// The records of queues.
type (
	// Queue is the record of a queue.
	Queue struct {
		Rule       Rule   `cbor:"1,keyasint"`
		Stratum    uint8  `cbor:"2,keyasint,omitempty"`
		Overlap    int    `cbor:"3,keyasint,omitempty"`
		Growing    bool   `cbor:"4,keyasint,omitempty"`
		Population int    `cbor:"5,keyasint,omitempty"`
		Items      int    `cbor:"6,keyasint,omitempty"`
		Guideline  string `cbor:"7,keyasint,omitempty"`
		Synthetic  bool   `cbor:"8,keyasint,omitempty"`
		By         string `cbor:"9,keyasint,omitempty"`
		Created    int64  `cbor:"10,keyasint,omitempty"`
		Criteria   bool   `cbor:"11,keyasint,omitempty"`
		Extra      int    `cbor:"12,keyasint,omitempty"`
		GoldItems  int    `cbor:"13,keyasint,omitempty"`
		// Of the guideline in force; a record without has its first one.
		Version  int    `cbor:"14,keyasint,omitempty"`
		Author   string `cbor:"15,keyasint,omitempty"`
		Authored int64  `cbor:"16,keyasint,omitempty"`
		// Of a sample that was drawn elsewhere.
		File     string `cbor:"17,keyasint,omitempty"`
		Column   string `cbor:"18,keyasint,omitempty"`
		Weights  bool   `cbor:"19,keyasint,omitempty"`
		Declared uint64 `cbor:"20,keyasint,omitempty"` // seed
	}
	// Rule is the record of the rule of a queue.
	Rule struct {
		Dataset  string   `cbor:"1,keyasint,omitempty"`
		Runs     []uint64 `cbor:"2,keyasint,omitempty"`
		From     uint8    `cbor:"3,keyasint,omitempty"`
		Rules    string   `cbor:"4,keyasint,omitempty"`
		Rate     float64  `cbor:"5,keyasint,omitempty"`
		Number   int      `cbor:"6,keyasint,omitempty"`
		Level    int      `cbor:"7,keyasint,omitempty"`
		PerLevel int      `cbor:"8,keyasint,omitempty"`
		Listed   int      `cbor:"9,keyasint,omitempty"`
		Seed     uint64   `cbor:"10,keyasint,omitempty"`
		Anchor   uint64   `cbor:"11,keyasint,omitempty"`
		Whole    bool     `cbor:"12,keyasint,omitempty"`
		Order    uint8    `cbor:"13,keyasint,omitempty"`
		Among    []string `cbor:"14,keyasint,omitempty"`
	}
)

// FromQueue makes the record of a queue.
func FromQueue(q annotate.Queue) Queue {
	r := Queue{
		Rule: Rule{
			Dataset: string(q.Rule.Dataset), From: uint8(q.Rule.From), Rules: q.Rule.Rules,
			Rate: q.Rule.Rate, Number: q.Rule.Number, Level: q.Rule.Level, PerLevel: q.Rule.PerLevel,
			Listed: len(q.Rule.IDs), Seed: q.Rule.Seed, Anchor: uint64(q.Rule.Anchor), Whole: q.Rule.Whole,
			Order: uint8(q.Rule.Order), Among: q.Rule.Among,
		},
		Stratum: uint8(q.Stratum), Overlap: q.Overlap, Growing: q.Growing, Population: q.Population,
		Items: q.Items, Guideline: q.Guideline.Text, Synthetic: q.Synthetic, By: string(q.By), Created: Millis(q.Created),
		Criteria: q.Criteria, Extra: q.Extra, GoldItems: q.GoldItems,
		File: q.Design.File, Column: q.Design.Column, Weights: q.Design.Weights, Declared: q.Design.Seed,
	}
	r.guide(q.Guideline)
	for _, id := range q.Rule.Runs {
		r.Rule.Runs = append(r.Rule.Runs, uint64(id))
	}
	if r.Rule.Listed == 0 { // the queue was read back
		r.Rule.Listed = q.Rule.Listed
	}
	return r
}

// Queue is the queue that the record holds.
func (r Queue) Queue(name annotate.QueueName) annotate.Queue {
	q := annotate.Queue{
		Name: name,
		Rule: annotate.Rule{
			Dataset: eval.DatasetName(r.Rule.Dataset), From: annotate.From(r.Rule.From), Rules: r.Rule.Rules,
			Rate: r.Rule.Rate, Number: r.Rule.Number, Level: r.Rule.Level, PerLevel: r.Rule.PerLevel,
			Listed: r.Rule.Listed, Seed: r.Rule.Seed, Anchor: eval.RunID(r.Rule.Anchor), Whole: r.Rule.Whole,
			Order: annotate.Order(r.Rule.Order), Among: r.Rule.Among,
		},
		Stratum: annotate.Stratum(r.Stratum), Overlap: r.Overlap, Growing: r.Growing, Population: r.Population,
		Items: r.Items, Guideline: r.guideline(), Synthetic: r.Synthetic, By: annotate.Annotator(r.By),
		Created: FromMillis(r.Created), Criteria: r.Criteria, Extra: r.Extra, GoldItems: r.GoldItems,
		Design: annotate.Design{File: r.File, Column: r.Column, Weights: r.Weights, Seed: r.Declared},
	}
	for _, id := range r.Rule.Runs {
		q.Rule.Runs = append(q.Rule.Runs, eval.RunID(id))
	}
	return q
}
