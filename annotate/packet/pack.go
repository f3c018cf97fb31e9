// Package packet is what goes to somebody who is away, and what comes home: a project of its own with
// one person's items of a queue, and the acts by which they answered them there.
//
//	queue -Choose-> items -PackItems-> Contents ... a file, elsewhere ... -Merge-> acts at home
//
// It refuses to know files and storage. Its one invariant: a packet is made of
// annotate.Item and nothing else, so that what a person may not see before
// having answered is not in the file that they are handed either.
package packet

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Entry is an item on its way into a packet: what a person may see of it, and, of a pair, the criteria
// that it is shown with, and by how many more of the others it was seen swapped than not.
type Entry struct {
	Item     annotate.Item
	Criteria []criteria.Criterion
	Sides    int
}

// Contents are what a packet's project holds.
type Contents struct {
	Samples     []eval.Sample // numbered from 0
	Runs        []eval.Config // those with the numbers 1, 2 and so on
	Predictions []eval.Prediction
	Queue       annotate.Queue
	Items       []annotate.QueueItem
	Acts        []annotate.Act
	Criteria    []criteria.Act
	Sides       map[annotate.ItemKey]int // of pairs: 1 or -1 where others saw one order more often
}

// curators are the authors of all criteria in a packet: who wrote them is nobody's business there.
const curators = "curators"

// PackItems puts items together. Samples, runs and the queue are made anew of what the items show:
// samples are numbered in the order of the items and have no truth, taxonomy or source; answers stand
// without the machine's reading, times and costs. Own are the acts of the packet's person in the queue.
//
// Runs have no names and are no models: which of them holds an answer is dealt out sample by sample
// with shuffle, so that not even their numbers tell whose answers belong together.
func PackItems(p Packet, q annotate.Queue, entries []Entry, own []annotate.Act, shuffle func(n int) []int) Contents {
	b := packer{packet: p, queue: q, numbers: make(map[eval.Ordinal]eval.Ordinal), slots: make(map[eval.Key]eval.RunID), keys: make(map[annotate.ItemKey]annotate.ItemKey)}
	b.out.Sides = make(map[annotate.ItemKey]int)
	b.numberRuns(entries, shuffle)
	strategy := eval.Vanilla
	for i := range entries {
		if entries[i].Item.Key.Pass > 0 {
			strategy = eval.Circular
		}
		b.addEntry(&entries[i])
	}
	for i := range b.runs {
		b.out.Runs = append(b.out.Runs, eval.Config{
			Dataset: q.Rule.Dataset, Model: eval.Either(b.runs == 1, "withheld", fmt.Sprintf("withheld %d", i+1)), Strategy: strategy, Modality: eval.WithImage,
			Origin: eval.Imported, Synthetic: q.Synthetic,
		})
	}
	b.out.Queue = b.newPacketQueue(len(entries))
	b.out.Acts = b.carryActs(own)
	return b.out
}

type packer struct {
	packet  Packet
	queue   annotate.Queue
	numbers map[eval.Ordinal]eval.Ordinal // of samples, at home -> in the packet
	slots   map[eval.Key]eval.RunID       // of runs at home, by what they answered
	runs    int
	keys    map[annotate.ItemKey]annotate.ItemKey // at home -> in the packet
	told    map[eval.Key]bool
	out     Contents
}

// numberRuns gives the runs that answered a sample their numbers in the packet.
func (b *packer) numberRuns(entries []Entry, shuffle func(int) []int) {
	var order []eval.Ordinal
	of := make(map[eval.Ordinal][]eval.RunID)
	for i := range entries {
		k := entries[i].Item.Key
		if _, seen := of[k.Sample]; !seen {
			order = append(order, k.Sample)
		}
		all := of[k.Sample]
		for _, run := range []eval.RunID{k.Run, k.Against} {
			if run != 0 && !slices.Contains(all, run) {
				all = append(all, run)
			}
		}
		of[k.Sample] = all
		b.runs = max(b.runs, len(all))
	}
	b.told = make(map[eval.Key]bool)
	for n, sample := range order {
		b.numbers[sample] = eval.Ordinal(n)
		dealt := shuffle(b.runs)
		for i, run := range of[sample] {
			b.slots[eval.Key{Run: run, Sample: sample}] = eval.RunID(dealt[i] + 1)
		}
	}
}

// addEntry takes up one item.
func (b *packer) addEntry(e *Entry) {
	it := &e.Item
	home := it.Key
	k := annotate.ItemKey{
		Key:     eval.Key{Run: b.slots[eval.Key{Run: home.Run, Sample: home.Sample}], Sample: b.numbers[home.Sample], Pass: home.Pass},
		Against: b.slots[eval.Key{Run: home.Against, Sample: home.Sample}],
	}
	b.keys[home] = k
	if e.Sides != 0 && k.Against != 0 {
		b.out.Sides[k] = max(-1, min(e.Sides, 1))
	}
	if int(k.Sample) == len(b.out.Samples) {
		b.addSample(e, k.Sample)
	}
	s := &b.out.Samples[k.Sample]
	s.Reference = cmp.Or(s.Reference, it.Reference)
	b.addAnswer(k.Key, it.Options, it.Prediction, it.Truncated)
	if other, ok := k.SecondKey(); ok {
		b.addAnswer(other, it.Options, it.Against, it.AgainstCut)
	}
	// All look as if they were drawn alike: how each was is nobody's business.
	b.out.Items = append(b.out.Items, annotate.QueueItem{Index: len(b.out.Items), Key: k, Inclusion: 1})
}

func (b *packer) addSample(e *Entry, n eval.Ordinal) {
	it := &e.Item
	b.out.Samples = append(b.out.Samples, eval.Sample{
		Ordinal: n, ID: it.Sample, Kind: it.Kind, Question: it.Question, Hint: it.Hint, Options: it.Options,
		Pictures: it.Pictures, Type: it.Type,
	})
	if it.Criteria != "" && len(e.Criteria) > 0 {
		set := criteria.NewSet(b.queue.Rule.Dataset, n)
		a := set.NewAct(criteria.Drafted, curators, b.packet.Made)
		a.Criteria = eval.Map(e.Criteria, func(c criteria.Criterion) criteria.Criterion {
			return criteria.Criterion{Text: c.Text} // their types are not shown
		})
		b.out.Criteria = append(b.out.Criteria, a)
	}
}

// addAnswer takes up what an item says was answered, once.
func (b *packer) addAnswer(k eval.Key, options []eval.Option, text string, cut bool) {
	if k.Run == 0 || b.told[k] {
		return
	}
	b.told[k] = true
	p := eval.Prediction{Key: k, Text: text}
	if cut {
		p.Finish = "length"
	}
	if shown := b.out.Samples[k.Sample].ShowInPass(k.Pass).Options; !slices.Equal(shown, options) {
		p.Shown = &eval.Shown{Options: options}
	}
	b.out.Predictions = append(b.out.Predictions, p)
}

// newPacketQueue gives the queue of the packet: one person's, complete, and without what
// says how its items came together.
func (b *packer) newPacketQueue(items int) annotate.Queue {
	q := &b.queue
	from := eval.Either(q.Rule.From == annotate.FromPairs, annotate.FromPairs, annotate.FromAll)
	return annotate.Queue{
		Name: q.Name, Rule: annotate.Rule{Dataset: q.Rule.Dataset, From: from}, Stratum: annotate.Priority, Overlap: 1,
		Population: items, Items: items, Guideline: q.Guideline, Criteria: q.Criteria, Synthetic: q.Synthetic,
		By: b.packet.By, Created: b.packet.Made,
	}
}

// carryActs gives the person's acts so far on the packet's items, numbered anew, those that take others
// back among them. Rulings stay at home: the cause of one would tell what a judge had read.
func (b *packer) carryActs(own []annotate.Act) []annotate.Act {
	numbers := make(map[uint32]uint32)
	var out []annotate.Act
	for _, a := range own {
		k, in := b.keys[a.Item]
		target, known := numbers[a.Target]
		if !in || a.Kind == annotate.Ruled || a.Kind == annotate.TookBack && !known {
			continue
		}
		n := uint32(len(out) + 1)
		numbers[a.N] = n
		a.N, a.Item = n, k
		a.Target = target
		out = append(out, a)
	}
	return out
}

// Packet is what is known of one packet: at home, what went out; in the packet itself (Here), whose it is.
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

// StateAt gives where the packet is at a time.
func (p *Packet) StateAt(now time.Time) State {
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
func (p *Packet) KeepsItems(now time.Time) bool { return p.StateAt(now) == Away }

// CheckSamePacket says why a file that calls itself this packet is not it.
func (p *Packet) CheckSamePacket(file *Packet, items []annotate.QueueItem) error {
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

// ChooseItems gives the items that still want the person's label, in the order of the queue and at most
// so many of them (0: all): those that they have not labelled, that are not with them already, and of
// which fewer others than the item wants have labelled it or have it with them. How they were drawn is
// left out, since of an item whose answer is known that would tell so.
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

// itemHolders says who has each item and has not labelled it: who has is counted among those who did.
func (p *Pool) itemHolders() map[annotate.ItemKey][]annotate.Annotator {
	out := make(map[annotate.ItemKey][]annotate.Annotator)
	for _, l := range p.Held {
		if _, done := p.States[l.Who].Labels[l.Item]; !done && !slices.Contains(out[l.Item], l.Who) {
			out[l.Item] = append(out[l.Item], l.Who)
		}
	}
	return out
}
