package store

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// migrateToDisclosures begins the ledger of what each person was shown. What is there of it is derived from
// reveals and rulings, and the labels, votes, scores and rulings that were given after it, in whatever
// queue, are classified anew. A record that cannot be read is left as it is.
func migrateToDisclosures(tx *file.Tx, s *Store) error {
	c := classifier{s: s, tx: tx, reveals: make(map[sampleOf][]reveal), open: make(map[sampleOf]time.Time)}
	if err := c.readActs(); err != nil {
		return err
	}
	for i := range c.streams {
		if err := c.markInformedActs(&c.streams[i]); err != nil {
			return err
		}
	}
	if err := c.recordReveals(); err != nil {
		return err
	}
	return c.recordExpertLooks()
}

// recordExpertLooks takes the looks of experts at each other's words into the ledger. The acts of one
// expert on a dataset are one stream, in which words that were given after a look are marked already.
func (c *classifier) recordExpertLooks() error {
	b := c.tx.Table(record.TableCuration)
	for k := range eachKeyUnder(b, nil) {
		a, err := decodeRecord(c.s, record.CurationActs, k, b.Get(k))
		if err != nil || a.Kind != curation.Looked {
			continue // or damaged: it is left as it is
		}
		if err := c.s.Disclosures().putDisclosure(c.tx, newLookDisclosure(&a)); err != nil {
			return err
		}
	}
	return nil
}

// classifier reads what everybody did, and finds out what they had seen.
type classifier struct {
	s       *Store
	tx      *file.Tx
	streams []actLog
	reveals map[sampleOf][]reveal
	open    map[sampleOf]time.Time // of samples with an item that the person has yet to answer: when the first such queue was made
}

// sampleOf is a sample before a person.
type sampleOf struct {
	who annotate.Annotator
	of  eval.DatasetName
	at  eval.Ordinal
}

// actLog is what one person did in one queue.
type actLog struct {
	queue annotate.Queue
	who   annotate.Annotator
	acts  []annotate.Act
}

func (s *actLog) sample(o eval.Ordinal) sampleOf { return sampleOf{s.who, s.queue.Rule.Dataset, o} }

// reveal is an act that showed, or was followed by, what others and machines made of an item.
type reveal struct {
	act annotate.Act
	of  eval.DatasetName
}

// readActs gathers the acts by queue and person, and the reveals among them.
func (c *classifier) readActs() error {
	b := c.tx.Table(record.TableActs)
	for q, err := range eachUnderPrefix(c.s, record.Queues, c.tx, nil) {
		if err != nil {
			continue // a damaged record is left as it is
		}
		acts := make(map[annotate.Annotator][]annotate.Act)
		for k := range eachKeyUnder(b, record.AppendName(nil, string(q.Name))) {
			if a, err := decodeRecord(c.s, record.Acts, k, b.Get(k)); err == nil { // a damaged one is left out
				acts[a.Annotator] = append(acts[a.Annotator], a)
			}
		}
		for who, all := range acts {
			s := actLog{q, who, all}
			c.streams = append(c.streams, s)
			c.gatherReveals(&s)
		}
	}
	return nil
}

// gatherReveals takes up a person's reveals in a queue, and the samples of which they have items there to answer.
func (c *classifier) gatherReveals(s *actLog) {
	state := annotate.FoldActs(s.acts)
	for i := range s.acts {
		if a := &s.acts[i]; a.Kind == annotate.Looked || a.Kind == annotate.Ruled {
			at := s.sample(a.Item.Sample)
			c.reveals[at] = append(c.reveals[at], reveal{*a, s.queue.Rule.Dataset})
		}
	}
	prefix := record.AppendName(nil, string(s.queue.Name))
	for k := range eachKeyUnder(c.tx.Table(record.TableItemKeys), prefix) {
		it, ok := record.CutItem(k)
		if !ok || state.HasAnswered(it) {
			continue
		}
		at := s.sample(it.Sample)
		if first, ok := c.open[at]; !ok || s.queue.Created.Before(first) {
			c.open[at] = s.queue.Created
		}
	}
}

// markInformedActs marks the acts of a stream by which a reading was given after a
// reveal, and writes those that it marks.
func (c *classifier) markInformedActs(s *actLog) error {
	earlier := make(map[annotate.ItemKey][]annotate.Act)
	for i := range s.acts {
		a := &s.acts[i]
		shown := c.reveals[s.sample(a.Item.Sample)]
		if len(shown) == 0 {
			continue
		}
		before := annotate.FoldActs(earlier[a.Item])
		after := annotate.FoldActs(append(slices.Clone(earlier[a.Item]), *a))
		if given, ok := givenReading(actAsStoredNow(a, &before), &before, &after); ok && !a.Informed && c.hadBeenShown(s, a, given, shown) {
			a.Informed = true
			if err := putValue(c.s, record.Acts, c.tx, a); err != nil {
				return err
			}
		}
		earlier[a.Item] = append(earlier[a.Item], *a)
	}
	return nil
}

// actAsStoredNow is an act as it is stored now: one that gave a label other grounds, or
// a ruling another cause, names the one whose reading it keeps.
func actAsStoredNow(a *annotate.Act, before *annotate.State) *annotate.Act {
	out := *a
	l, labelled := before.Labels[a.Item]
	r, ruled := before.Rulings[a.Item]
	switch {
	case a.Kind == annotate.Labelled && labelled && l.Reading.SaysSame(&a.Reading) && l.Spent == a.Spent && l.Guideline == a.Guideline,
		a.Kind == annotate.Ruled && ruled && r.Reading.SaysSame(&a.Reading):
		out.Target = a.N
	}
	return &out
}

// hadBeenShown reports whether a person had been shown something of an item when they acted: in the same queue by the
// numbers of the acts, in another one by the time. A reveal of another response to the sample showed the truth,
// unless a queue that held an open item of the sample kept it back; one that was made later did not.
func (c *classifier) hadBeenShown(s *actLog, a *annotate.Act, given annotate.ReadingKind, shown []reveal) bool {
	return slices.ContainsFunc(shown, func(r reveal) bool {
		switch {
		case r.act.Queue == a.Queue && r.act.N >= a.N, r.act.Queue != a.Queue && r.act.At.After(a.At):
			return false
		case r.act.Item != a.Item && r.act.At.Before(s.queue.Created):
			return true
		}
		return slices.ContainsFunc(r.act.Item.NewDisclosures(r.of, annotate.MachineContent), func(d annotate.Disclosure) bool { return d.MakesInformed(a.Item, given) })
	})
}

// recordReveals writes what the reveals showed. A ruling was followed by what everybody made of
// the item. The truth is taken as shown unless an open item of the sample kept it back.
func (c *classifier) recordReveals() error {
	ledger := c.s.Disclosures()
	for at, all := range c.reveals {
		for i := range all {
			a := &all[i].act
			if err := ledger.recordReveal(c.tx, a, at.of); err != nil {
				return err
			}
			more := a.Item.NewDisclosures(at.of, annotate.ModelContent)
			if a.Kind == annotate.Ruled {
				more = append(more, a.Item.NewDisclosures(at.of, annotate.OthersContent)...)
			}
			if made, held := c.open[at]; !held || a.At.Before(made) {
				more = append(more, annotate.NewSampleDisclosure(at.of, at.at, annotate.TruthContent))
			}
			for _, d := range more {
				d.Person, d.At, d.Screen = at.who, a.At, "queue "+string(a.Queue)
				if err := ledger.putDisclosure(c.tx, &d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachKeyUnder gives the keys under a prefix, each its own copy: what stands there
// may be changed meanwhile.
func eachKeyUnder(b *file.Table, prefix []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for p, err := range b.ScanPrefix(prefix) {
			if err == nil && !yield(file.Clone(p.Key)) {
				return
			}
		}
	}
}
