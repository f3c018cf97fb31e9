package record

import (
	"concord/annotate"
	"concord/annotate/chain"
	"concord/eval"
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
