package record

import (
	"concord/annotate"
)

// Gold is the known answer of an item, which stands in the key.
type Gold struct {
	Verdict uint8  `cbor:"1,keyasint,omitempty" of:"Reading.Verdict"`
	Choice  string `cbor:"2,keyasint,omitempty" of:"Reading.Choice"`
	Score   int    `cbor:"3,keyasint,omitempty" of:"Reading.Score"`
	Vote    uint8  `cbor:"4,keyasint,omitempty" of:"Reading.Vote"`
	Swapped bool   `cbor:"5,keyasint,omitempty" of:"Reading.Swapped"`
	From    string `cbor:"6,keyasint,omitempty"`
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

// Item is what is enrolled in a queue; its index stands in the key.
type Item struct {
	Run       uint64  `cbor:"1,keyasint,omitempty" of:"Key.Run"`
	Sample    uint32  `cbor:"2,keyasint,omitempty" of:"Key.Sample"`
	Pass      uint8   `cbor:"3,keyasint,omitempty" of:"Key.Pass"`
	Inclusion float64 `cbor:"4,keyasint,omitempty"`
	Group     string  `cbor:"5,keyasint,omitempty"`
	Against   uint64  `cbor:"6,keyasint,omitempty" of:"Key.Against"`
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
		Guideline  string `cbor:"7,keyasint,omitempty" of:"Guideline.Text"`
		Synthetic  bool   `cbor:"8,keyasint,omitempty"`
		By         string `cbor:"9,keyasint,omitempty"`
		Created    int64  `cbor:"10,keyasint,omitempty"`
		Criteria   bool   `cbor:"11,keyasint,omitempty"`
		Extra      int    `cbor:"12,keyasint,omitempty"`
		GoldItems  int    `cbor:"13,keyasint,omitempty"`
		// Of the guideline in force; a record without has its first one.
		Version  int    `cbor:"14,keyasint,omitempty" of:"Guideline.Version"`
		Author   string `cbor:"15,keyasint,omitempty" of:"Guideline.By"`
		Authored int64  `cbor:"16,keyasint,omitempty" of:"Guideline.At"`
		// Of a sample that was drawn elsewhere.
		File     string `cbor:"17,keyasint,omitempty" of:"Design.File"`
		Column   string `cbor:"18,keyasint,omitempty" of:"Design.Column"`
		Weights  bool   `cbor:"19,keyasint,omitempty" of:"Design.Weights"`
		Declared uint64 `cbor:"20,keyasint,omitempty" of:"Design.Seed"` // seed
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
