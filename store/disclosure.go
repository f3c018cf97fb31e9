package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Disclosures keeps what each person was shown of each response: the ledger by
// which a label is blind or informed.
type Disclosures struct{ s *Store }

// Disclosures is the handle of disclosures.
func (s *Store) Disclosures() *Disclosures { return &Disclosures{s} }

// Record commits disclosures in one transaction. Of each content the first time is kept; one
// that is there already changes nothing. A disclosure without a time gets the present one.
func (d *Disclosures) Record(ctx context.Context, all []annotate.Disclosure) error {
	if len(all) == 0 {
		return nil
	}
	all = slices.Clone(all)
	for i := range all {
		if all[i].Content == annotate.ContentUnset {
			return fmt.Errorf("%w: disclosure of nothing to %s", ErrInvalid, all[i].Person)
		}
		if err := record.Disclosures.Validate(&all[i]); err != nil {
			return err
		}
		if all[i].At.IsZero() {
			all[i].At = d.s.now()
		}
	}
	return d.s.file.Apply(ctx, 96*len(all), func(tx *file.Tx) error {
		return eval.Each(all, func(one annotate.Disclosure) error {
			return eval.WrapError(d.putDisclosure(tx, &one), "record what %s was shown", one.Person)
		})
	})
}

func (d *Disclosures) putDisclosure(tx *file.Tx, one *annotate.Disclosure) error {
	if tx.Table(record.TableDisclosures).Get(record.Disclosures.Key(one)) != nil {
		return nil
	}
	return putValue(d.s, record.Disclosures, tx, one)
}

// ShownTo yields all that a person was shown, by dataset and sample.
func (d *Disclosures) ShownTo(ctx context.Context, who annotate.Annotator) iter.Seq2[annotate.Disclosure, error] {
	return scanPrefix(ctx, d.s, record.Disclosures, record.AppendName(nil, string(who)))
}

// All yields what everybody was shown, by person.
func (d *Disclosures) All(ctx context.Context) iter.Seq2[annotate.Disclosure, error] {
	return scanPrefix(ctx, d.s, record.Disclosures, nil)
}

// AssignName gives what a person without a name was shown to the person who they turned out to be.
func (d *Disclosures) AssignName(ctx context.Context, who annotate.Annotator) error {
	seen, err := file.Collect(d.ShownTo(ctx, annotate.Unnamed))
	if err != nil || len(seen) == 0 || who == annotate.Unnamed {
		return err
	}
	return d.s.file.Apply(ctx, 192*len(seen), func(tx *file.Tx) error {
		b := tx.Table(record.TableDisclosures)
		for i := range seen {
			one := seen[i]
			if err := b.Delete(record.Disclosures.Key(&one)); err != nil {
				return err
			}
			one.Person = who
			if err := d.putDisclosure(tx, &one); err != nil {
				return err
			}
		}
		return nil
	})
}

// shownOfSample gives what a person was shown of one sample, and of all of them.
func (d *Disclosures) shownOfSample(tx *file.Tx, who annotate.Annotator, name eval.DatasetName, o eval.Ordinal) (out []annotate.Disclosure, err error) {
	for _, at := range []eval.Ordinal{o, annotate.EverySample} {
		some, err := file.Collect(eachUnderPrefix(d.s, record.Disclosures, tx, record.DisclosedPrefix(who, name, at)))
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// priorDisclosure is what the store knows of an act and whoever did it does not.
type priorDisclosure struct {
	informed bool // its person had been shown something of the item
	decoy    bool // its label counts in no figure
}

func (s priorDisclosure) markAct(one *annotate.Act) *annotate.Act {
	out := *one
	out.Informed, out.Decoy = out.Informed || s.informed, s.decoy
	return &out
}

// isStoredAct reports whether a stored act is the one that comes again with the
// bytes value, as it is or as it was before it was marked.
func (a *Acts) isStoredAct(stored []byte, one *annotate.Act, value []byte) bool {
	if stored == nil || bytes.Equal(stored, value) {
		return stored != nil
	}
	for _, s := range []priorDisclosure{{informed: true}, {decoy: true}, {informed: true, decoy: true}} {
		marked, err := record.Acts.Encode(a.s.codec, s.markAct(one))
		if err == nil && bytes.Equal(stored, marked) {
			return true
		}
	}
	return false
}

// findPriorDisclosure finds out whether an act gives its item a reading after its person was
// shown something of it, and records what the act itself shows. The states are
// of the person's acts on the item without it and with it.
func (a *Acts) findPriorDisclosure(tx *file.Tx, one *annotate.Act, before, after *annotate.State) (out priorDisclosure, err error) {
	switch one.Kind {
	case annotate.Looked:
		return out, a.recordRevealed(tx, one)
	case annotate.Labelled, annotate.Ruled, annotate.TookBack:
	case annotate.ActUnset, annotate.Skipped, annotate.Flagged, annotate.Unflagged, annotate.Noted, annotate.TooLate,
		annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed, annotate.GradedOne, annotate.RuledOne, annotate.Tagged:
		return out, nil
	}
	given, ok := givenReading(one, before, after)
	if !ok {
		out.informed = before.Labels[one.Item].Informed && one.Kind == annotate.Labelled || before.Rulings[one.Item].Informed && one.Kind == annotate.Ruled
		return out, nil
	}
	queue, err := a.s.Queues().readQueue(tx, one.Queue)
	if err != nil {
		return out, err
	}
	shown, err := a.s.Disclosures().shownOfSample(tx, one.Annotator, queue.Rule.Dataset, one.Item.Sample)
	out.informed = slices.ContainsFunc(shown, func(s annotate.Disclosure) bool {
		return s.MakesInformed(one.Item, given) && (!one.Imported || !s.At.After(one.At))
	})
	return out, err
}

// givenReading reports whether an act gives a reading of its item: one that did
// not stand, and is not kept with other grounds or another cause.
func givenReading(one *annotate.Act, before, after *annotate.State) (annotate.ReadingKind, bool) {
	for k, l := range after.Labels {
		if old, ok := before.Labels[k]; isNewReading(one, annotate.Labelled, ok, &old.Reading, &l.Reading) {
			return l.Reading.Kind, true
		}
	}
	for k, r := range after.Rulings {
		if old, ok := before.Rulings[k]; isNewReading(one, annotate.Ruled, ok, &old.Reading, &r.Reading) {
			return r.Reading.Kind, true
		}
	}
	return annotate.ReadingUnset, false
}

// isNewReading reports whether an act gives a reading of its kind: by itself, unless
// it says that it keeps the one that stood, or by bringing another one back.
func isNewReading(one *annotate.Act, kind annotate.ActKind, stood bool, old, now *annotate.Reading) bool {
	kept := stood && old.SaysSame(now)
	switch one.Kind {
	case kind:
		return !kept || one.Target == 0
	case annotate.TookBack:
		return !kept
	default:
		return false
	}
}

// recordRevealed records what a reveal shows: of a pair whose responses they are and
// what judges voted, of a response what machines made of it.
func (a *Acts) recordRevealed(tx *file.Tx, look *annotate.Act) error {
	queue, err := a.s.Queues().readQueue(tx, look.Queue)
	if err != nil {
		return err
	}
	return a.s.Disclosures().recordReveal(tx, look, queue.Rule.Dataset)
}

// recordReveal records what a reveal of an item shows in any case.
func (d *Disclosures) recordReveal(tx *file.Tx, look *annotate.Act, of eval.DatasetName) error {
	contents := []annotate.Content{annotate.MachineContent, annotate.JudgeContent}
	if look.Item.Against != 0 {
		contents[0] = annotate.ModelContent
	}
	for _, one := range look.Item.NewDisclosures(of, contents...) {
		one.Person, one.At, one.Screen = look.Annotator, look.At, "queue "+string(look.Queue)
		if err := d.putDisclosure(tx, &one); err != nil {
			return err
		}
	}
	return nil
}

// Item gives what a person may see of an item, or eval.ErrNotFound. It is a
// handful of look-ups in one transaction, however large the project is.
func (q *Queues) Item(ctx context.Context, name annotate.QueueName, index int) (item annotate.Item, err error) {
	if ctx.Err() != nil {
		return item, context.Cause(ctx)
	}
	return readInTx(q.s, func(tx *file.Tx) (annotate.Item, error) { return q.readBlindItem(tx, name, index) })
}

func (q *Queues) readBlindItem(tx *file.Tx, name annotate.QueueName, index int) (annotate.Item, error) {
	it, err := q.readItem(tx, name, index)
	if err != nil {
		return annotate.Item{}, err
	}
	item, err := q.readItemContent(tx, name, it)
	return item, eval.WrapError(err, "item %d of queue %q, %s", index, name, it.Key)
}

// readItemContent reads the sample and the predictions that an item is about, and of a
// pair what curators made of the sample.
func (q *Queues) readItemContent(tx *file.Tx, name annotate.QueueName, it annotate.QueueItem) (annotate.Item, error) {
	queue, err := q.readQueue(tx, name)
	if err != nil {
		return annotate.Item{}, err
	}
	dataset, err := q.datasetOfItem(tx, &queue, it.Key)
	if err != nil {
		return annotate.Item{}, err
	}
	sample, err := q.s.Datasets().readSampleInTx(tx, dataset, it.Key.Sample)
	if err != nil {
		return annotate.Item{}, err
	}
	var keys []eval.Key
	if it.Key.Run != 0 {
		keys = append(keys, it.Key.Key)
	}
	if other, ok := it.Key.SecondKey(); ok {
		keys = append(keys, other)
	}
	about := make([]eval.Prediction, len(keys))
	for i, k := range keys {
		if about[i], err = q.s.Runs().readPrediction(tx, k); err != nil {
			return annotate.Item{}, err
		}
	}
	var guide annotate.Guide
	if it.Key.Against != 0 || queue.Rule.From == annotate.FromCriteria {
		if guide, err = q.readCuratorGuide(tx, dataset, &sample); err != nil {
			return annotate.Item{}, err
		}
	}
	return annotate.NewBlindItem(&queue, it, sample, guide, about...), nil
}

// readCuratorGuide reads what curators made of a sample, as it stands.
func (q *Queues) readCuratorGuide(tx *file.Tx, d eval.DatasetName, s *eval.Sample) (annotate.Guide, error) {
	set, err := q.s.Criteria().foldActs(tx, d, s.Ordinal)
	if err != nil {
		return annotate.Guide{}, err
	}
	g := annotate.Guide{Type: set.QuestionType(s)}
	if r, ok := set.CurrentRevision(); ok && r.Hash != "" {
		g.Criteria, g.Revision, g.Rubric = criteria.FormatText(r.Criteria), r.Hash, criteria.ToRubric(r.Criteria)
	}
	return g, nil
}

// datasetOfItem is the dataset of an item: that of its run, or, for a sample alone, of its queue.
func (q *Queues) datasetOfItem(tx *file.Tx, queue *annotate.Queue, k annotate.ItemKey) (eval.DatasetName, error) {
	if k.Run == 0 {
		return queue.Rule.Dataset, nil
	}
	run, err := q.s.Runs().readRun(tx, k.Run)
	return run.Config.Dataset, err
}
