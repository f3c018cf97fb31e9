package store

import (
	"context"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// place counts by how much an act changes the number of people whose label of
// an item stands. There are as many places as the queue's overlap: taking back
// a label frees one.
func (a *Acts) place(tx *bbolt.Tx, one *annotate.Act, item []byte, change int) error {
	if change == 0 {
		return nil
	}
	q, err := a.s.Queues().in(tx, one.Queue)
	if err != nil {
		return err
	}
	b := tx.Bucket([]byte(tablePlaces))
	key := append(appendName(nil, string(one.Queue)), item...)
	taken := 0
	if raw := b.Get(key); raw != nil {
		n, ok := number(raw)
		if !ok {
			return corrupt(tablePlaces, key, "no number")
		}
		taken = int(n)
	}
	switch now := taken + change; {
	case change > 0 && taken >= q.Wanted():
		return &annotate.TakenError{N: one.N, Item: one.Item}
	case now <= 0:
		return b.Delete(key)
	default:
		return b.Put(key, appendU32(nil, uint32(now)))
	}
}

// Places gives how many people's label stands of each item of a queue that
// anybody has labelled.
func (a *Acts) Places(q annotate.QueueName) (map[annotate.ItemKey]int, error) {
	out := make(map[annotate.ItemKey]int)
	for p, err := range a.s.scan(context.Background(), tablePlaces, appendName(nil, string(q)), nil) {
		if err != nil {
			return out, err
		}
		k, ok := cutItem(p.key)
		if !ok || len(p.value) != 4 {
			return out, corrupt(tablePlaces, p.key, "no count of an item")
		}
		out[k] = int(binary.BigEndian.Uint32(p.value))
	}
	return out, nil
}
