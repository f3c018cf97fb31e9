// Package packet is what goes to somebody who is away, and what comes home: a
// project of its own with one person's items of a queue, and the acts by which
// they answered them there.
//
//	queue -Choose-> items -Pack-> Contents ... a file, elsewhere ... -Merge-> acts at home
//
// It refuses to know files and storage. Its one invariant: a packet is made of
// annotate.Item and nothing else, so that what a person may not see before
// having answered is not in the file that they are handed either.
package packet

import (
	"fmt"
	"slices"
	"time"

	"concord/annotate"
)

// Packet is what is known of one packet: at home, what went out; in the packet
// itself (Here), whose it is.
type Packet struct {
	ID        string
	Queue     annotate.QueueName
	Who       annotate.Annotator
	By        annotate.Annotator // who made it
	Made      time.Time
	Until     time.Time          // its items are kept from others so long
	Keys      []annotate.ItemKey // at home, by their index in the packet; none in the packet itself
	Items     int                // how many they are
	Guideline int                // the version that is in it; 0: none
	Here      bool               // this project is the packet
	Merged    time.Time          // when it last brought something home; zero: never
	Recalled  time.Time          // when it was called back; zero: never
	MergedBy  annotate.Annotator // who took it in last
	RecallBy  annotate.Annotator // who called it back
	Labels    int                // of its items, how many got a label from it
}

// State is where a packet is.
type State string

// The states.
const (
	Away     State = "away"
	Late     State = "overdue"  // away for longer than it was to be: its items are anybody's
	Merged   State = "merged"   // what it held is at home
	Recalled State = "recalled" // called back
)

// State gives where the packet is at a time.
func (p *Packet) State(now time.Time) State {
	switch {
	case !p.Recalled.IsZero() && p.Recalled.After(p.Merged):
		return Recalled
	case !p.Merged.IsZero():
		return Merged
	case now.After(p.Until):
		return Late
	}
	return Away
}

// KeepsItems reports whether the packet keeps its items from others at a time.
func (p *Packet) KeepsItems(now time.Time) bool { return p.State(now) == Away }

// CheckFits says why a file that calls itself this packet is not it.
func (p *Packet) CheckFits(file *Packet, items []annotate.QueueItem) error {
	switch {
	case file.Queue != p.Queue:
		return fmt.Errorf("packet %s is of queue %s here, and of queue %s in the file", p.ID, p.Queue, file.Queue)
	case file.Who != p.Who:
		return fmt.Errorf("packet %s is for %s here, and for %s in the file", p.ID, p.Who, file.Who)
	case len(items) != len(p.Keys):
		return fmt.Errorf("packet %s went out with %d items, and the file has %d", p.ID, len(p.Keys), len(items))
	}
	return nil
}

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
