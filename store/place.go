package store

import (
	"context"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// taken is how many people's label of an item stands, and of votes by how many
// more of them saw the pair swapped than not.
type taken struct{ places, sides int }

// takenBy is what one person's labels of an item, one or none, take.
func takenBy(labels map[annotate.ItemKey]annotate.Label) (t taken) {
	for _, l := range labels {
		t.places++
		t.sides += l.Reading.Side()
	}
	return t
}

// record is 4 bytes of places, and 4 of sides behind them where the two orders
// are not balanced.
func (t taken) record() []byte {
	b := appendU32(nil, uint32(t.places))
	if t.sides != 0 {
		b = appendU32(b, uint32(int32(t.sides)))
	}
	return b
}

func readTaken(key, raw []byte) (t taken, err error) {
	if len(raw) != 4 && len(raw) != 8 {
		return t, corrupt(tablePlaces, key, "no count of an item")
	}
	t.places = int(binary.BigEndian.Uint32(raw))
	if len(raw) == 8 {
		t.sides = int(int32(binary.BigEndian.Uint32(raw[4:])))
	}
	return t, nil
}

// place counts by how much an act changes the number of people whose label of
// an item stands. There are as many places as the queue's overlap: taking back
// a label frees one.
func (a *Acts) place(tx *bbolt.Tx, one *annotate.Act, item []byte, before, after taken) error {
	if before == after {
		return nil
	}
	q, err := a.s.Queues().in(tx, one.Queue)
	if err != nil {
		return err
	}
	b := tx.Bucket([]byte(tablePlaces))
	key := append(appendName(nil, string(one.Queue)), item...)
	var have taken
	if raw := b.Get(key); raw != nil {
		if have, err = readTaken(key, raw); err != nil {
			return err
		}
	}
	now := taken{places: have.places + after.places - before.places, sides: have.sides + after.sides - before.sides}
	switch {
	case now.places > have.places && have.places >= q.Wanted():
		return &annotate.TakenError{N: one.N, Item: one.Item}
	case now.places <= 0:
		return b.Delete(key)
	default:
		return b.Put(key, now.record())
	}
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
	places, sides = make(map[annotate.ItemKey]int), make(map[annotate.ItemKey]int)
	for p, err := range a.s.scan(context.Background(), tablePlaces, appendName(nil, string(q)), nil) {
		if err != nil {
			return places, sides, err
		}
		k, ok := cutItem(p.key)
		if !ok {
			return places, sides, corrupt(tablePlaces, p.key, "no key of an item")
		}
		t, err := readTaken(p.key, p.value)
		if err != nil {
			return places, sides, err
		}
		places[k] = t.places
		if t.sides != 0 {
			sides[k] = t.sides
		}
	}
	return places, sides, nil
}
