package record

import (
	"reflect"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/eval"
)

// Chained is what binds an act to the one that its person did before it. Acts of
// before there were chains have none.
type Chained struct {
	Place  uint64 `cbor:"98,keyasint,omitempty" of:"-"`
	Before []byte `cbor:"99,keyasint,omitempty" of:"-"`
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
func (r *Act) Form(key []byte) (chain.Form, bool) { return formOf(Acts, key, r, chain.OfAct) }

// Form is the act in its canonical form, of the record under key.
func (r *Criteria) Form(key []byte) (chain.Form, bool) {
	return formOf(CriteriaActs, key, r, chain.OfCriteria)
}

// Form is the act in its canonical form, of the record under key.
func (r *Curation) Form(key []byte) (chain.Form, bool) {
	return formOf(CurationActs, key, r, chain.OfCuration)
}

// Form is the act in its canonical form, of the record under key.
func (r *Grading) Form(key []byte) (chain.Form, bool) {
	return formOf(Gradings, key, r, chain.OfGrading)
}

func formOf[T any](k *Kind[T], key []byte, r Bound, of func(*T) chain.Form) (chain.Form, bool) {
	act, ok := k.value(key, reflect.ValueOf(r))
	if !ok {
		return chain.Form{}, false
	}
	return of(&act), true
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
		Credit   *float64 `cbor:"9,keyasint,omitempty"`
	}
	// Tick is the record of a tick of a review.
	Tick struct {
		Item string `cbor:"1,keyasint,omitempty"`
		OK   bool   `cbor:"2,keyasint,omitempty"`
	}
)

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
