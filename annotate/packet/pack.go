package packet

import (
	"cmp"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Entry is an item on its way into a packet: what a person may see of it, and,
// of a pair, the criteria that it is shown with, and by how many more of the
// others it was seen swapped than not.
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

// curators are the authors of all criteria in a packet: who wrote them is
// nobody's business there.
const curators = "curators"

// PackItems puts items together. Samples, runs and the queue are made anew of what
// the items show: samples are numbered in the order of the items and have no
// truth, taxonomy or source; answers stand without the machine's reading,
// times and costs. Own are the acts of the packet's person in the queue.
//
// Runs have no names and are no models: which of them holds an answer is dealt
// out sample by sample with shuffle, so that not even their numbers tell whose
// answers belong together.
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

// carryActs gives the person's acts so far on the packet's items, numbered anew,
// those that take others back among them. Rulings stay at home: the cause of
// one would tell what a judge had read.
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
