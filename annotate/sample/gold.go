package sample

import (
	"slices"

	"concord/annotate"
)

// InsertGold puts gold items, whose answer is known, among those that were drawn,
// so that they are about a share of the queue. Gold items that were drawn anyway
// count among them and keep their inclusion. The others are chosen by their hash,
// and have inclusion 0: they represent nothing but themselves. The queue is cut
// into as many equal parts as gold items are added, and each falls, by its hash,
// somewhere into one part. So every beginning of the queue holds about the share
// too, and no count tells where they are. It returns the items, numbered anew,
// and the gold items that are in the queue; there may be fewer than the share
// asks for.
func InsertGold(items []annotate.QueueItem, golds []annotate.Gold, share float64, seed uint64) ([]annotate.QueueItem, []annotate.Gold) {
	drawn := make(map[annotate.ItemKey]bool, len(items))
	for i := range items {
		drawn[items[i].Key] = true
	}
	var in, others []annotate.Gold
	tickets := make(map[annotate.ItemKey]ticket, len(golds))
	for _, g := range golds {
		if drawn[g.Key] {
			in = append(in, g)
		} else {
			others = append(others, g)
			tickets[g.Key] = ticket{hash: g.Key.Hash(seed), key: g.Key}
		}
	}
	slices.SortFunc(others, func(a, b annotate.Gold) int { return tickets[a.Key].compare(tickets[b.Key]) })
	add := min(len(others), missing(len(items), len(in), share))
	out := make([]annotate.QueueItem, 0, len(items)+add)
	at := 0
	for i, g := range others[:add] {
		// The part of the queue that begins here, and a place within it.
		from, to := i*len(items)/add, (i+1)*len(items)/add
		place := from + int(g.Key.Hash(^seed)%uint64(to-from+1))
		out = append(out, items[at:place]...)
		out = append(out, annotate.QueueItem{Key: g.Key})
		at = place
	}
	out = append(out, items[at:]...)
	for i := range out {
		out[i].Index = i
	}
	return out, append(in, others[:add]...)
}

// missing is how many items have to be added to n, of which some are known, so
// that known ones come to a share of all.
func missing(n, known int, share float64) int {
	if share <= 0 || share >= 1 {
		return 0
	}
	return max(0, int((share*float64(n)-float64(known))/(1-share)+0.5))
}
