package record

import (
	"encoding/binary"
	"maps"
	"reflect"
	"slices"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/eval"
)

// BoundAct is a record of an act and what binds it to the one that its person did
// before it. Acts of before there were chains are bound to none.
type BoundAct struct {
	Record        any // a pointer
	place, before reflect.Value
	form          func(key []byte) (chain.Form, bool)
}

// SetLink makes the record that of a bound act, or, with no link, of one that is not.
func (b *BoundAct) SetLink(l chain.Link) {
	b.place.SetUint(l.Place)
	b.before.SetBytes(nil)
	if l.Place > 0 {
		b.before.SetBytes(l.Before[:])
	}
}

// Link is what binds the act. A hash of another length is none that fits.
func (b *BoundAct) Link() (l chain.Link) {
	l.Place = b.place.Uint()
	if before := b.before.Bytes(); len(before) == len(l.Before) {
		copy(l.Before[:], before)
	}
	return l
}

// Form is the act in its canonical form, of the record under key. It is of the
// act as it is read back, so that what is hashed is what is stored.
func (b *BoundAct) Form(key []byte) (chain.Form, bool) { return b.form(key) }

// ToBound gives the record of an act.
func (k *Kind[T]) ToBound(act *T) *BoundAct { return k.newBound(k.toRecord(act)) }

// newBound is of a record that ends with a link.
func (k *Kind[T]) newBound(r reflect.Value) *BoundAct {
	n := r.Elem().NumField()
	return &BoundAct{r.Interface(), r.Elem().Field(n - 2), r.Elem().Field(n - 1), func(key []byte) (f chain.Form, ok bool) {
		act, ok := k.fromRecord(key, r)
		if ok {
			f = k.form(&act)
		}
		return f, ok
	}}
}

// NewBound gives an empty record of a table of acts.
func NewBound(t Table) *BoundAct { return bounds[t]() }

var bounds = map[Table]func() *BoundAct{
	TableActs: Acts.emptyBound, TableCriteria: CriteriaActs.emptyBound, TableCuration: CurationActs.emptyBound, TableGradings: Gradings.emptyBound,
}

func (k *Kind[T]) emptyBound() *BoundAct { return k.newBound(reflect.New(k.mapping.record)) }

// ActTables are the tables of acts, in the order in which the acts of before
// the chains are hashed.
func ActTables() []Table { return []Table{TableActs, TableCriteria, TableCuration, TableGradings} }

// EncodeHead is 8 bytes of the head's place, and its hash.
func EncodeHead(h chain.Head) []byte { return append(EncodeU64(h.Place), h.Hash[:]...) }

// ReadHead reads what EncodeHead wrote, for the head under key.
func ReadHead(key, raw []byte) (h chain.Head, err error) {
	if len(raw) != 8+len(h.Hash) {
		return h, NewCorruptError(TableHeads, key, "no head of a chain")
	}
	h.Place, _ = DecodeNumber(raw[:8])
	copy(h.Hash[:], raw[8:])
	return h, nil
}

// ExpertPrefix is the part of a key that acts of one expert in one dataset share.
func ExpertPrefix(d eval.DatasetName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(d)), string(who))
}

// StreamPrefix is the part of a key that acts of one annotator in one queue share.
func StreamPrefix(q annotate.QueueName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(q)), string(who))
}

// EncodeCrowd is 4 bytes of people, 4 of sides behind them where the two
// orders are not balanced or classes follow, and, in queues that ask for extra
// people where labels differ, the classes in order, each with 4 bytes of how
// many say so.
func EncodeCrowd(c annotate.Crowd) []byte {
	b := AppendU32(nil, uint32(c.People))
	if c.Sides != 0 || len(c.Classes) > 0 {
		b = AppendU32(b, uint32(int32(c.Sides)))
	}
	for _, class := range slices.Sorted(maps.Keys(c.Classes)) {
		b = AppendU32(AppendName(b, class), uint32(c.Classes[class]))
	}
	return b
}

// ReadCrowd reads what EncodeCrowd wrote, for the item under key.
func ReadCrowd(key, raw []byte) (c annotate.Crowd, err error) {
	wrong := NewCorruptError(TablePlaces, key, "no count of an item")
	if len(raw) < 4 || len(raw) > 4 && len(raw) < 8 {
		return c, wrong
	}
	c.People = int(binary.BigEndian.Uint32(raw))
	if raw = raw[4:]; len(raw) == 0 {
		return c, nil
	}
	c.Sides = int(int32(binary.BigEndian.Uint32(raw)))
	for raw = raw[4:]; len(raw) > 0; {
		class, rest, ok := CutName(raw)
		if !ok || len(rest) < 4 {
			return c, wrong
		}
		if c.Classes == nil {
			c.Classes = make(map[string]int)
		}
		c.Classes[class], raw = int(binary.BigEndian.Uint32(rest)), rest[4:]
	}
	return c, nil
}

// Tally is the record of a Tally.
type Tally struct {
	Acts     uint32 `cbor:"1,keyasint,omitempty"`
	Labelled int    `cbor:"2,keyasint,omitempty"`
	Skipped  int    `cbor:"3,keyasint,omitempty"`
	Flagged  int    `cbor:"4,keyasint,omitempty"`
}
