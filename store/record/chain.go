package record

import (
	"reflect"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/eval"
)

// Bound is a record of an act and what binds it to the one that its person did
// before it. Acts of before there were chains are bound to none.
type Bound struct {
	Record        any // a pointer
	place, before reflect.Value
	form          func(key []byte) (chain.Form, bool)
}

// Bind makes the record that of a bound act, or, with no link, of one that is not.
func (b *Bound) Bind(l chain.Link) {
	b.place.SetUint(l.Place)
	b.before.SetBytes(nil)
	if l.Place > 0 {
		b.before.SetBytes(l.Before[:])
	}
}

// Link is what binds the act. A hash of another length is none that fits.
func (b *Bound) Link() (l chain.Link) {
	l.Place = b.place.Uint()
	if before := b.before.Bytes(); len(before) == len(l.Before) {
		copy(l.Before[:], before)
	}
	return l
}

// Form is the act in its canonical form, of the record under key. It is of the
// act as it is read back, so that what is hashed is what is stored.
func (b *Bound) Form(key []byte) (chain.Form, bool) { return b.form(key) }

// Bound is the record of an act.
func (k *Kind[T]) Bound(act *T) *Bound { return k.bound(k.record(act)) }

// bound is of a record that ends with a link.
func (k *Kind[T]) bound(r reflect.Value) *Bound {
	n := r.Elem().NumField()
	return &Bound{r.Interface(), r.Elem().Field(n - 2), r.Elem().Field(n - 1), func(key []byte) (f chain.Form, ok bool) {
		act, ok := k.value(key, r)
		if ok {
			f = k.form(&act)
		}
		return f, ok
	}}
}

// NewBound is an empty record of a table of acts.
func NewBound(t Table) *Bound { return bounds[t]() }

var bounds = map[Table]func() *Bound{
	TableActs: Acts.empty, TableCriteria: CriteriaActs.empty, TableCuration: CurationActs.empty, TableGradings: Gradings.empty,
}

func (k *Kind[T]) empty() *Bound { return k.bound(reflect.New(k.mapping.record)) }

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

// ExpertKey is the part of a key that acts of one expert in one dataset share.
func ExpertKey(d eval.DatasetName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(d)), string(who))
}
