package packet

import (
	"slices"

	"concord/annotate"
)

// Pool is what the items of a packet are chosen from, as it stands.
type Pool struct {
	Queue  annotate.Queue
	Items  []annotate.QueueItem // in the order of the queue
	Who    annotate.Annotator   // whom the packet is for
	Own    annotate.State       // what stands of theirs
	Others map[annotate.ItemKey]annotate.Crowd
	Known  map[annotate.ItemKey]bool // items whose answer is known, which everybody labels
	Held   []annotate.Lease          // what people have with them, in packets or in front of them
	States map[annotate.Annotator]annotate.State
}

// ChooseItems gives the items that still want the person's label, in the order of
// the queue and at most so many of them (0: all): those that they have not
// labelled, that are not with them already, and of which fewer others than the
// item wants have labelled it or have it with them. How they were drawn is left
// out, since of an item whose answer is known that would tell so.
func (p *Pool) ChooseItems(most int) []annotate.QueueItem {
	held := p.itemHolders()
	var out []annotate.QueueItem
	for _, it := range p.Items {
		if most > 0 && len(out) == most {
			break
		}
		_, done := p.Own.Labels[it.Key]
		with := held[it.Key]
		if done || slices.Contains(with, p.Who) {
			continue
		}
		crowd := p.Others[it.Key]
		if crowd.People+len(with) < p.Queue.PeopleAsked(it.Key, crowd.Differs(), p.Known[it.Key]) {
			out = append(out, annotate.QueueItem{Index: it.Index, Key: it.Key})
		}
	}
	return out
}

// itemHolders says who has each item with them and has not labelled it: who has is
// counted among those who did.
func (p *Pool) itemHolders() map[annotate.ItemKey][]annotate.Annotator {
	out := make(map[annotate.ItemKey][]annotate.Annotator)
	for _, l := range p.Held {
		if _, done := p.States[l.Who].Labels[l.Item]; !done && !slices.Contains(out[l.Item], l.Who) {
			out[l.Item] = append(out[l.Item], l.Who)
		}
	}
	return out
}
