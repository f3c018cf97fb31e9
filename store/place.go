package store

import (
	"context"
	"encoding/binary"
	"maps"
	"reflect"
	"slices"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// mark is what one person's label of an item, if there is one, adds to its
// crowd.
type mark struct {
	stands  bool
	reading annotate.Reading
}

func markOf(labels map[annotate.ItemKey]annotate.Label) (m mark) {
	for _, l := range labels {
		m = mark{true, l.Reading}
	}
	return m
}

// crowdRecord is 4 bytes of people, 4 of sides behind them where the two
// orders are not balanced or classes follow, and, in queues that ask for extra
// people where labels differ, the classes in order, each with 4 bytes of how
// many say so.
func crowdRecord(c annotate.Crowd) []byte {
	b := appendU32(nil, uint32(c.People))
	if c.Sides != 0 || len(c.Classes) > 0 {
		b = appendU32(b, uint32(int32(c.Sides)))
	}
	for _, class := range slices.Sorted(maps.Keys(c.Classes)) {
		b = appendU32(appendName(b, class), uint32(c.Classes[class]))
	}
	return b
}

func readCrowd(key, raw []byte) (c annotate.Crowd, err error) {
	wrong := corrupt(tablePlaces, key, "no count of an item")
	if len(raw) < 4 || len(raw) > 4 && len(raw) < 8 {
		return c, wrong
	}
	c.People = int(binary.BigEndian.Uint32(raw))
	if raw = raw[4:]; len(raw) == 0 {
		return c, nil
	}
	c.Sides = int(int32(binary.BigEndian.Uint32(raw)))
	for raw = raw[4:]; len(raw) > 0; {
		class, rest, ok := cutName(raw)
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

// place takes an act's change into the crowd of an item: those people whose
// label of it stands. There are as many places as the item wants people:
// taking back a label frees one.
func (a *Acts) place(tx *bbolt.Tx, one *annotate.Act, item []byte, before, after mark) error {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	q, err := a.s.Queues().in(tx, one.Queue)
	if err != nil {
		return err
	}
	b := tx.Bucket([]byte(tablePlaces))
	key := append(appendName(nil, string(one.Queue)), item...)
	var have annotate.Crowd
	if raw := b.Get(key); raw != nil {
		if have, err = readCrowd(key, raw); err != nil {
			return err
		}
	}
	known := tx.Bucket([]byte(tableGolds)).Get(key) != nil
	if after.stands && !before.stands && have.People >= q.Wants(have.Differ(), known) {
		return &annotate.TakenError{N: one.N, Item: one.Item}
	}
	if before.stands {
		have.Leave(before.reading)
	}
	if after.stands {
		have.Join(after.reading)
	}
	if q.Extra == 0 {
		have.Classes = nil
	}
	if have.People <= 0 {
		return b.Delete(key)
	}
	return b.Put(key, crowdRecord(have))
}

// Crowds gives whose label of an item stands, of those items of a queue that
// anybody has labelled. Classes are kept in queues that ask for extra people.
func (a *Acts) Crowds(q annotate.QueueName) (map[annotate.ItemKey]annotate.Crowd, error) {
	out := make(map[annotate.ItemKey]annotate.Crowd)
	for p, err := range a.s.scan(context.Background(), tablePlaces, appendName(nil, string(q)), nil) {
		if err != nil {
			return out, err
		}
		k, ok := cutItem(p.key)
		if !ok {
			return out, corrupt(tablePlaces, p.key, "no key of an item")
		}
		if out[k], err = readCrowd(p.key, p.value); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Lean notes that pairs of a queue, on which nobody has voted here, were seen
// swapped by so many more people elsewhere than not, so that the order in which
// they are shown is balanced over those, too.
func (a *Acts) Lean(ctx context.Context, q annotate.QueueName, sides map[annotate.ItemKey]int) error {
	if len(sides) == 0 {
		return nil
	}
	return a.s.do(ctx, 64*len(sides), func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(tablePlaces))
		for k, n := range sides {
			if err := b.Put(enrolKey(q, k), crowdRecord(annotate.Crowd{Sides: n})); err != nil {
				return err
			}
		}
		return nil
	})
}

// Places gives how many people's label stands of each item of a queue that
// anybody has labelled.
func (a *Acts) Places(q annotate.QueueName) (map[annotate.ItemKey]int, error) {
	places, _, err := a.Taken(q)
	return places, err
}

// Taken gives the same in one scan with the sides of pairs: by how many more
// people's standing votes on an item were given on the pair swapped than not;
// balanced ones are left out.
func (a *Acts) Taken(q annotate.QueueName) (places, sides map[annotate.ItemKey]int, err error) {
	crowds, err := a.Crowds(q)
	places, sides = make(map[annotate.ItemKey]int, len(crowds)), make(map[annotate.ItemKey]int)
	for k, c := range crowds {
		places[k] = c.People
		if c.Sides != 0 {
			sides[k] = c.Sides
		}
	}
	return places, sides, err
}
