package annotate

import (
	"cmp"
	"slices"
)

// Place is an item as a session keeps it: queues may have a million of them.
type Place struct {
	Hash  uint64 // of a queue whose stored order is not the random one; else 0
	Index int
	Key   ItemKey
}

// Compare is by where the queue offers them.
func (p Place) Compare(o Place) int {
	return cmp.Or(cmp.Compare(p.Hash, o.Hash), cmp.Compare(p.Index, o.Index))
}

// Place is that of an item of the queue.
func (q *Queue) Place(index int, k ItemKey) Place {
	p := Place{Index: index, Key: k}
	if q.sorts() {
		p.Hash = q.Rule.DrawHash(k)
	}
	return p
}

// sorts reports that items are to be offered by their draw hash, and are
// stored in another order: a queue that grows is stored as answers came, one of
// listed samples as they were listed. What Draw has put in order stays as it
// is, with the items of known answers among it.
func (q *Queue) sorts() bool {
	r := &q.Rule
	if r.Order == ByDisagreement || r.From == FromPairs || q.GoldItems > 0 {
		return false
	}
	listed := len(r.IDs)+r.Listed > 0 && r.Rate == 0 && r.Number == 0 && r.PerLevel == 0
	return r.From == FromUnparsable && r.Rate > 0 || listed && q.Stratum == Random
}

// Offered puts items of the queue into the order in which it offers them.
func (q *Queue) Offered(items []QueueItem) []QueueItem {
	if !q.sorts() {
		return items
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b QueueItem) int {
		return cmp.Compare(q.Rule.DrawHash(a.Key), q.Rule.DrawHash(b.Key))
	})
	return out
}
