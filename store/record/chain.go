package record

import (
	"time"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/stat"
)

// Chained is what binds an act to the one that its person did before it. Acts of
// before there were chains have none.
type Chained struct {
	Place  uint64 `cbor:"98,keyasint,omitempty"`
	Before []byte `cbor:"99,keyasint,omitempty"`
}

// Bind makes the record that of a bound act, or, with no link, of one that is not.
func (r *Chained) Bind(l chain.Link) {
	if r.Place, r.Before = l.Place, l.Before[:]; l.Place == 0 {
		r.Before = nil
	}
}

// Link is what binds the act. A hash of another length is none that fits.
func (r *Chained) Link() (l chain.Link) {
	l.Place = r.Place
	if len(r.Before) == len(l.Before) {
		copy(l.Before[:], r.Before)
	}
	return l
}

// Bound is a record of an act, and the act in its canonical form. Form is of
// the act as it is read back, so that what is hashed is what is stored.
type Bound interface {
	Bind(l chain.Link)
	Link() chain.Link
	Form(key []byte) (chain.Form, bool)
}

// Form is the act in its canonical form, of the record under key.
func (r *Act) Form(key []byte) (chain.Form, bool) {
	q, who, n, ok := cutPersonal(key)
	if !ok {
		return chain.Form{}, false
	}
	a := r.Act(annotate.QueueName(q), who, n)
	return chain.OfAct(&a), true
}

// Form is the act in its canonical form, of the record under key.
func (r *Criteria) Form(key []byte) (chain.Form, bool) {
	d, o, rest, ok := CutSample(key)
	n, numbered := Number(rest)
	if !ok || !numbered || len(rest) != 4 {
		return chain.Form{}, false
	}
	a := r.Act(d, o, uint32(n))
	return chain.OfCriteria(&a), true
}

// Form is the act in its canonical form, of the record under key.
func (r *Curation) Form(key []byte) (chain.Form, bool) {
	d, who, n, ok := cutPersonal(key)
	if !ok {
		return chain.Form{}, false
	}
	a := r.Act(eval.DatasetName(d), who, n)
	return chain.OfCuration(&a), true
}

// Form is the act in its canonical form, of the record under key.
func (r *Grading) Form(key []byte) (chain.Form, bool) {
	d, who, n, ok := cutPersonal(key)
	if !ok {
		return chain.Form{}, false
	}
	a := r.Act(eval.DatasetName(d), who, n)
	return chain.OfGrading(&a), true
}

// cutPersonal takes apart the key of an act that is numbered per person: of a queue
// or a dataset, whose it is, and its number.
func cutPersonal(key []byte) (within string, who annotate.Annotator, n uint32, ok bool) {
	within, rest, ok := CutName(key)
	name, rest, named := CutName(rest)
	number, numbered := Number(rest)
	return within, annotate.Annotator(name), uint32(number), ok && named && numbered && len(rest) == 4
}

// NewBound is an empty record of a table of acts; nil for other tables.
func NewBound(t Table) Bound {
	switch t {
	case TableActs:
		return new(Act)
	case TableCriteria:
		return new(Criteria)
	case TableCuration:
		return new(Curation)
	case TableGradings:
		return new(Grading)
	default:
		return nil
	}
}

// ActTables are the tables of acts, in the order in which the acts of before
// the chains are hashed.
func ActTables() []Table { return []Table{TableActs, TableCriteria, TableCuration, TableGradings} }

// FromHead is 8 bytes of the head's place, and its hash.
func FromHead(h chain.Head) []byte { return append(U64(h.Place), h.Hash[:]...) }

// ReadHead reads what FromHead wrote, for the head under key.
func ReadHead(key, raw []byte) (h chain.Head, err error) {
	if len(raw) != 8+len(h.Hash) {
		return h, Corrupt(TableHeads, key, "no head of a chain")
	}
	h.Place, _ = Number(raw[:8])
	copy(h.Hash[:], raw[8:])
	return h, nil
}

// The record of an act; the dataset, the sample and the number stand in its
// key.
type (
	// Criteria is the record of an act about a sample's criteria.
	Criteria struct {
		Kind     uint8       `cbor:"1,keyasint,omitempty"`
		Who      string      `cbor:"2,keyasint,omitempty"`
		Round    int         `cbor:"3,keyasint,omitempty"`
		Criteria []Criterion `cbor:"4,keyasint,omitempty"`
		Type     uint8       `cbor:"5,keyasint,omitempty"`
		Reason   string      `cbor:"6,keyasint,omitempty"`
		Text     string      `cbor:"7,keyasint,omitempty"`
		Ticks    []Tick      `cbor:"8,keyasint,omitempty"`
		Assignee string      `cbor:"9,keyasint,omitempty"`
		Other    string      `cbor:"10,keyasint,omitempty"`
		Target   uint32      `cbor:"11,keyasint,omitempty"`
		Imported bool        `cbor:"12,keyasint,omitempty"`
		At       int64       `cbor:"13,keyasint,omitempty"`
		Chained
	}
	// Criterion is the record of a criterion.
	Criterion struct {
		Type     uint8    `cbor:"1,keyasint,omitempty"`
		Text     string   `cbor:"2,keyasint,omitempty"`
		ID       string   `cbor:"3,keyasint,omitempty"`
		Class    string   `cbor:"4,keyasint,omitempty"`
		Weighted bool     `cbor:"5,keyasint,omitempty"`
		Weight   float64  `cbor:"6,keyasint,omitempty"`
		Tags     []string `cbor:"7,keyasint,omitempty"`
		Path     []string `cbor:"8,keyasint,omitempty"`
	}
	// Tick is the record of a tick of a review.
	Tick struct {
		Item string `cbor:"1,keyasint,omitempty"`
		OK   bool   `cbor:"2,keyasint,omitempty"`
	}
)

// FromCriteriaAct makes the record of an act about criteria.
func FromCriteriaAct(a *criteria.Act) Criteria {
	r := Criteria{
		Kind: uint8(a.Kind), Who: string(a.Who), Round: a.Round, Type: uint8(a.Type), Reason: a.Reason, Text: a.Text,
		Assignee: string(a.Assignee), Other: string(a.Other), Target: a.Target, Imported: a.Imported, At: Millis(a.At),
	}
	for _, c := range a.Criteria {
		r.Criteria = append(r.Criteria, Criterion{uint8(c.Type), c.Text, c.ID, c.Class, c.Weighted, c.Weight, c.Tags, c.Path})
	}
	for _, t := range a.Ticks {
		r.Ticks = append(r.Ticks, Tick{Item: string(t.Item), OK: t.OK})
	}
	return r
}

// Act is the act that the record holds.
func (r Criteria) Act(d eval.DatasetName, o eval.Ordinal, n uint32) criteria.Act {
	a := criteria.Act{
		Dataset: d, Sample: o, N: n, Kind: criteria.Kind(r.Kind), Who: annotate.Annotator(r.Who), Round: r.Round,
		Type: eval.QuestionType(r.Type), Reason: r.Reason, Text: r.Text, Assignee: annotate.Annotator(r.Assignee),
		Other: eval.SampleID(r.Other), Target: r.Target, Imported: r.Imported, At: FromMillis(r.At),
	}
	for _, c := range r.Criteria {
		a.Criteria = append(a.Criteria, criteria.Criterion{
			Type: criteria.Type(c.Type), Text: c.Text, ID: c.ID, Class: c.Class, Weighted: c.Weighted, Weight: c.Weight, Tags: c.Tags, Path: c.Path,
		})
	}
	for _, t := range r.Ticks {
		a.Ticks = append(a.Ticks, criteria.Tick{Item: criteria.Item(t.Item), OK: t.OK})
	}
	return a
}

// Curation is the record of an act; the dataset, the expert and the
// number stand in its key.
type Curation struct {
	Sample   uint32   `cbor:"1,keyasint,omitempty"`
	Kind     uint8    `cbor:"2,keyasint,omitempty"`
	Verdict  uint8    `cbor:"3,keyasint,omitempty"`
	Axis     []string `cbor:"4,keyasint,omitempty"`
	Text     string   `cbor:"5,keyasint,omitempty"`
	Target   uint32   `cbor:"6,keyasint,omitempty"`
	Informed bool     `cbor:"7,keyasint,omitempty"`
	Imported bool     `cbor:"8,keyasint,omitempty"`
	At       int64    `cbor:"9,keyasint,omitempty"`
	Spent    int64    `cbor:"10,keyasint,omitempty"` // nanoseconds
	Chained
}

// FromCurationAct makes the record of an act of curation.
func FromCurationAct(a *curation.Act) Curation {
	return Curation{
		Sample: uint32(a.Sample), Kind: uint8(a.Kind), Verdict: uint8(a.Verdict), Axis: a.Axis, Text: a.Text, Target: a.Target,
		Informed: a.Informed, Imported: a.Imported, At: Millis(a.At), Spent: int64(a.Spent),
	}
}

// Act is the act that the record holds.
func (r Curation) Act(d eval.DatasetName, who annotate.Annotator, n uint32) curation.Act {
	return curation.Act{
		Dataset: d, Expert: who, N: n, Sample: eval.Ordinal(r.Sample), Kind: curation.Kind(r.Kind), Verdict: curation.Verdict(r.Verdict),
		Axis: r.Axis, Text: r.Text, Target: r.Target, Informed: r.Informed, Imported: r.Imported,
		At: FromMillis(r.At), Spent: time.Duration(r.Spent),
	}
}

// ExpertKey is the part of a key that acts of one expert in one dataset share.
func ExpertKey(d eval.DatasetName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(d)), string(who))
}

// The record of an inspection; its number stands in its key. A share is its two
// numbers, a mark its sample and the two counts.
type (
	// Inspection is the record of an inspection.
	Inspection struct {
		Name       string      `cbor:"1,keyasint,omitempty"`
		Dataset    string      `cbor:"2,keyasint,omitempty"`
		Settings   [6][2]int   `cbor:"3,keyasint"` // keep, abnormal, easy, moderate, hard, doubtful
		Inspectors []Inspector `cbor:"4,keyasint,omitempty"`
		Graders    []Inspector `cbor:"5,keyasint,omitempty"`
		Marks      [][5]uint32 `cbor:"6,keyasint,omitempty"`
		By         string      `cbor:"7,keyasint,omitempty"`
		Created    int64       `cbor:"8,keyasint,omitempty"`
	}
	// Inspector is the record of a run that inspects.
	Inspector struct {
		Run   uint64 `cbor:"1,keyasint,omitempty"`
		Model string `cbor:"2,keyasint,omitempty"`
		Rules string `cbor:"3,keyasint,omitempty"`
		Judge string `cbor:"4,keyasint,omitempty"`
	}
)

// FromInspection makes the record of an inspection.
func FromInspection(i *curation.Inspection) Inspection {
	r := Inspection{Name: i.Name, Dataset: string(i.Dataset), By: string(i.By), Created: Millis(i.Created)}
	s := &i.Settings
	for at, share := range []curation.Share{s.Keep, s.Abnormal, s.Easy, s.Moderate, s.Hard, s.Doubtful} {
		r.Settings[at] = [2]int{share.K, share.Of}
	}
	for _, one := range i.Inspectors {
		r.Inspectors = append(r.Inspectors, Inspector{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, one := range i.Graders {
		r.Graders = append(r.Graders, Inspector{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, m := range i.Marks {
		r.Marks = append(r.Marks, [5]uint32{uint32(m.Sample), uint32(m.Blind.K), uint32(m.Blind.N), uint32(m.Sighted.K), uint32(m.Sighted.N)})
	}
	return r
}

// Inspection is the inspection that the record holds.
func (r *Inspection) Inspection(id curation.ID) curation.Inspection {
	share := func(at int) curation.Share { return curation.Share{K: r.Settings[at][0], Of: r.Settings[at][1]} }
	out := curation.Inspection{
		ID: id, Name: r.Name, Dataset: eval.DatasetName(r.Dataset), By: annotate.Annotator(r.By), Created: FromMillis(r.Created),
		Settings: curation.Settings{Keep: share(0), Abnormal: share(1), Easy: share(2), Moderate: share(3), Hard: share(4), Doubtful: share(5)},
	}
	for _, one := range r.Inspectors {
		out.Inspectors = append(out.Inspectors, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, one := range r.Graders {
		out.Graders = append(out.Graders, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, m := range r.Marks {
		out.Marks = append(out.Marks, curation.Mark{
			Sample: eval.Ordinal(m[0]), Blind: stat.Count{K: int(m[1]), N: int(m[2])}, Sighted: stat.Count{K: int(m[3]), N: int(m[4])},
		})
	}
	return out
}
