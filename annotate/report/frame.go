package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
)

const defaultWithin = 0.02

// within is the interval that needs are told for, as a share of the scale.
func within(c *Correcting) float64 { return cmp.Or(c.Within, defaultWithin) }

// ErrNotRandom says that labels of a queue feed no rate, because its items
// were not drawn at random.
var ErrNotRandom = errors.New("of targeted sampling: its items were chosen by interest, so their labels say nothing about the others")

// Frame is a queue of labels drawn at random: what it was drawn from, and what
// people make of the predictions that were drawn.
type Frame struct {
	Queue   annotate.Queue
	reader  eval.Reader   // of the queue's filter; nil where it needs none
	among   []eval.Reader // rule sets whose differences are its filter
	judged  map[eval.RunID]map[eval.Key][]eval.Choice
	Said    map[eval.Key]annotate.Reading
	Scored  map[eval.Key]float64
	drawn   map[eval.Key]annotate.QueueItem // with a probability of their own
	left    map[eval.Key]string             // items without a say of people: why
	items   []DrawnItem                     // without those that were added for their known answer
	refused string                          // why its labels correct nothing
	basis   annotate.Basis                  // by which people's word is found
	known   stat.Count                      // of labels on items with a known answer, those that are as is known

	Excluded []ExcludedItem
}

// Framing finds the frames of datasets' queues.
type Framing struct {
	Facts      Facts
	Correcting *Correcting
	Runs       map[eval.RunID]eval.Run
	All        []*Frame // those found so far
	progress   func(done, total int)
	reader     func(string) (eval.Reader, error)
	found      map[eval.DatasetName]*Labelled
}

// NewFraming looks up the runs, and checks the queues that the options name.
func NewFraming(facts Facts, o *Options) (*Framing, error) {
	f := &Framing{Facts: facts, Correcting: o.Corrected, reader: o.Reader, progress: o.Progress, found: make(map[eval.DatasetName]*Labelled)}
	var err error
	if f.Runs, err = RunsOf(facts); err != nil {
		return nil, err
	}
	for _, name := range f.Correcting.Queues {
		q, err := facts.Queue(name)
		if err == nil {
			err = errors.Join(q.ForLabels(), AtRandom(&q))
		}
		if err != nil {
			return nil, fmt.Errorf("correct by queue %s: %w", name, err)
		}
	}
	return f, nil
}

// AtRandom gives ErrNotRandom for a queue of the priority stratum.
func AtRandom(q *annotate.Queue) error {
	if q.Stratum != annotate.Random {
		return ErrNotRandom
	}
	return nil
}

// Frames are those of a dataset, the narrowest first: what a queue of the
// unparsable was drawn from is not counted as one of all predictions too. They are
// read once.
func (f *Framing) Frames(ctx context.Context, on eval.DatasetName) (*Labelled, error) {
	if f.found[on] != nil {
		return f.found[on], nil
	}
	out := &Labelled{}
	queues, err := f.Facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	for i := range queues {
		q := &queues[i]
		named := slices.Contains(f.Correcting.Queues, q.Name)
		switch {
		case q.Rule.Dataset != on || q.ForLabels() != nil || len(f.Correcting.Queues) > 0 && !named:
			continue
		case AtRandom(q) != nil:
			out.Priority = append(out.Priority, string(q.Name))
			continue
		}
		fr, err := f.load(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("read queue %s: %w", q.Name, err)
		}
		if named || len(fr.Said)+len(fr.Scored) > 0 || fr.basis.NoModel() != "" {
			out.Frames = append(out.Frames, fr)
		}
	}
	share := func(f *Frame) float64 { return float64(f.Queue.Items) / float64(max(1, f.Queue.Population)) }
	slices.SortFunc(out.Frames, func(a, b *Frame) int {
		return cmp.Or(cmp.Compare(a.Queue.Rule.From, b.Queue.Rule.From), cmp.Compare(share(b), share(a)), cmp.Compare(a.Queue.Name, b.Queue.Name))
	})
	f.found[on], f.All = out, append(f.All, out.Frames...)
	return out, nil
}

func (f *Framing) load(ctx context.Context, q *annotate.Queue) (*Frame, error) {
	out := &Frame{
		Queue: *q, judged: make(map[eval.RunID]map[eval.Key][]eval.Choice),
		Said: make(map[eval.Key]annotate.Reading), Scored: make(map[eval.Key]float64), left: make(map[eval.Key]string), drawn: make(map[eval.Key]annotate.QueueItem),
	}
	if err := f.filter(ctx, out); err != nil {
		return nil, err
	}
	if err := f.labels(ctx, out); err != nil || out.refused != "" || len(out.Said)+len(out.Scored) == 0 {
		return out, err
	}
	return out, f.check(ctx, out)
}

// filter makes ready what tells whether a prediction was one of those that the
// queue was drawn from.
func (f *Framing) filter(ctx context.Context, out *Frame) error {
	rule := &out.Queue.Rule
	if rule.From != annotate.FromUnparsable && rule.From != annotate.FromDisagreements {
		return nil
	}
	for _, id := range append([]string{rule.Rules}, rule.Among...) {
		name, _, versioned := strings.Cut(id, "@")
		r, err := FindRules(f.reader, name)
		if err != nil {
			out.refused = fmt.Sprintf("queue %s was drawn by a rule set that is not here: which predictions it was drawn from is not known (%v)", out.Queue.Name, err)
			return nil
		}
		if versioned && eval.ReaderID(r) != id {
			out.refused = fmt.Sprintf("queue %s was drawn by %s, and the rules are %s by now: which predictions it was drawn from is not known", out.Queue.Name, id, eval.ReaderID(r))
		}
		out.among = append(out.among, r)
	}
	out.reader, out.among = out.among[0], out.among[1:]
	if rule.From == annotate.FromUnparsable {
		return nil
	}
	for id := range f.Runs {
		if !f.concerns(rule, id) {
			continue
		}
		heard, err := f.heard(ctx, id)
		if err != nil {
			return err
		}
		out.judged[id] = heard
	}
	return nil
}

// heard are the classes that judges read in a run, each judge's newest.
func (f *Framing) heard(ctx context.Context, id eval.RunID) (map[eval.Key][]eval.Choice, error) {
	js, err := JudgesOf(ctx, f.Facts, id)
	if err != nil {
		return nil, err
	}
	out := make(map[eval.Key][]eval.Choice)
	for _, said := range js.ByKey {
		for k := range said {
			out[k] = append(out[k], said[k].Extraction.Class())
		}
	}
	return out, nil
}

func (f *Framing) concerns(rule *annotate.Rule, id eval.RunID) bool {
	return f.Runs[id].Config.Dataset == rule.Dataset && rule.Concerns(id)
}

// labels reads what people make of the items.
func (f *Framing) labels(ctx context.Context, out *Frame) error {
	people, err := StandingOf(ctx, f.Facts, out.Queue.Name)
	if err != nil {
		return err
	}
	basis := BasisOf(f.Correcting.Policy, f.Correcting.Undecided)
	inclusion := make(map[string]float64) // by group
	golds, err := KnownAnswersOf(f.Facts, &out.Queue)
	if err != nil {
		return err
	}
	if out.known, err = checked(ctx, f.Facts, &out.Queue, golds); err != nil {
		return err
	}
	if basis, err = f.fit(ctx, out, people, golds, basis); err != nil || basis.NoModel() != "" {
		return err
	}
	if out.Excluded, err = ExcludedItems(f.Facts, &out.Queue, people.States); err != nil {
		return err
	}
	turnout := annotate.NewTurnout(&out.Queue, people.States)
	for it, err := range f.Facts.QueueItems(ctx, out.Queue.Name) {
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		if IsAdded(golds, &it) {
			out.left[it.Key.Key] = annotate.LeftGold
			continue
		}
		switch p, seen := inclusion[it.Group]; {
		case out.refused != "":
		case !(it.Inclusion > 0 && it.Inclusion <= 1):
			out.refused = fmt.Sprintf("queue %s does not say with which probability its items were drawn", out.Queue.Name)
		case out.Queue.Uneven():
			out.drawn[it.Key.Key] = it
		case seen && p != it.Inclusion:
			out.refused = fmt.Sprintf("the items of queue %s were drawn with different probabilities, and those of the others are not known", out.Queue.Name)
		}
		inclusion[it.Group] = it.Inclusion
		ruling := people.Ruling(it.Key)
		said := out.hear(&annotate.AlignItem{Key: it.Key, Labels: people.ByItem[it.Key], Ruling: ruling, Excluded: people.Excluded[it.Key]}, basis)
		ruled := said && ruling != nil && basis.Policy == annotate.Adjudicated
		out.items = append(out.items, DrawnItem{
			Key: it.Key, Group: it.Group, Hash: out.Queue.Rule.Rank(it.Key, it.Uncertain), Part: it.Inclusion < 1,
			Said: said, Open: !ruled && !out.Queue.Design.Declared() && turnout.Open(it.Key),
		})
	}
	return nil
}

// fit is the basis with the model of people's errors, where the policy has one.
func (f *Framing) fit(ctx context.Context, out *Frame, people *Standing, golds map[annotate.ItemKey]annotate.Reading, basis annotate.Basis) (annotate.Basis, error) {
	if basis.Policy != annotate.DawidSkene {
		return basis, nil
	}
	var items []annotate.AlignItem
	for it, err := range f.Facts.QueueItems(ctx, out.Queue.Name) {
		if err != nil {
			return basis, fmt.Errorf("read items: %w", err)
		}
		items = append(items, annotate.AlignItem{Key: it.Key, Gold: IsAdded(golds, &it), Excluded: people.Excluded[it.Key], Labels: people.ByItem[it.Key]})
	}
	var err error
	if basis, err = basis.Fitted(ctx, items, f.progress); err != nil {
		return basis, err
	}
	out.basis = basis
	if why := basis.NoModel(); why != "" {
		out.refused = fmt.Sprintf("queue %s: %s", out.Queue.Name, why)
	}
	return basis, nil
}

// hear enters what people say of one drawn prediction, and reports whether they
// say something.
func (f *Frame) hear(it *annotate.AlignItem, basis annotate.Basis) bool {
	k := it.Key.Key
	said, why := basis.Resolve(it)
	if why == "" {
		f.Said[k] = said
		return true
	}
	if why == annotate.LeftScored {
		sum, n := 0, 0
		for _, l := range it.Labels {
			if l.Reading.Verdict == annotate.Scored && !l.Informed {
				sum += l.Reading.Score
				n++
			}
		}
		if n > 0 {
			f.Scored[k] = float64(sum) / float64(n)
			return true
		}
	}
	f.left[k] = why
	return false
}

// CountLeft counts, of the passes of a question that a score is over, those that
// are in the queues and without a say of people.
func CountLeft(out map[string]int, frames []*RowFrame, q *eval.Question, circular bool) {
	for i := range q.Predictions {
		k := q.Predictions[i].Key
		for _, f := range frames {
			if why := f.left[k]; why != "" && (k.Pass == 0 || circular) {
				out[why]++
			}
		}
	}
}

// check refuses a queue that was drawn from other predictions than its filter
// finds now: with which probability the others would have been drawn is not
// known. A growing queue knows it, and may be about to enrol what was answered
// a moment ago: such predictions are open.
func (f *Framing) check(ctx context.Context, fr *Frame) error {
	found := 0
	enrolled := make(map[eval.Key]bool, len(fr.items))
	for i := range fr.items {
		enrolled[fr.items[i].Key.Key] = true
	}
	for _, id := range slices.Sorted(maps.Keys(f.Runs)) {
		if !f.concerns(&fr.Queue.Rule, id) {
			continue
		}
		for q, err := range fr.questions(ctx, f.Facts, f.Runs[id]) {
			if err != nil {
				return fmt.Errorf("read questions: %w", err)
			}
			for i := range q.Predictions {
				if !fr.Takes(&q, i) {
					continue
				}
				found++
				if k := annotate.ItemOf(q.Predictions[i].Key); fr.Queue.Growing && !enrolled[k.Key] && fr.Queue.Rule.DrawsByRate(k) {
					fr.items = append(fr.items, DrawnItem{Key: k, Hash: fr.Queue.Rule.DrawHash(k), Part: true, Open: true})
				}
			}
		}
	}
	switch q := &fr.Queue; {
	case found == q.Population || q.Growing:
	case len(q.Rule.IDs)+q.Rule.Listed > 0:
		fr.refused = fmt.Sprintf("queue %s is of listed samples, %d of %d predictions: how the list was chosen is not known", q.Name, q.Population, found)
	default:
		fr.refused = fmt.Sprintf("queue %s was drawn from %d predictions, and its filter finds %d by now: with which probability the others would have been drawn is not known", q.Name, q.Population, found)
	}
	return nil
}

// questions are those of a run as the filter of the queue needs them: with their
// texts where several rule sets read them.
func (f *Frame) questions(ctx context.Context, facts Facts, run eval.Run) Questions {
	if f.reader == nil || f.Queue.Rule.From == annotate.FromDisagreements {
		return facts.Questions(ctx, run)
	}
	return Read(ctx, facts, run, f.reader)
}

// Takes reports whether a prediction is of those that the queue was drawn from.
func (f *Frame) Takes(q *eval.Question, i int) bool {
	p := &q.Predictions[i]
	others := f.judged[p.Run][p.Key]
	if f.Queue.Rule.From == annotate.FromDisagreements {
		for _, r := range f.among {
			if e := eval.Read(r, &q.Sample, p); e.Status != eval.StatusUnset {
				others = append(others[:len(others):len(others)], e.Class())
			}
		}
	}
	return f.Queue.Rule.Takes(p, func() eval.Extraction { return eval.Read(f.reader, &q.Sample, p) }, others)
}

// Labelled are the frames of a dataset, and the queues that were left out for their
// stratum.
type Labelled struct {
	Frames   []*Frame
	Priority []string
}

// Of are the frames with labels on a run, or why there are none.
func (l *Labelled) Of(run eval.RunID) (out []*Frame, reason string) {
	for _, f := range l.Frames {
		switch {
		case !f.Queue.Rule.Concerns(run):
		case f.refused != "":
			reason = f.refused
		default:
			out = append(out, f)
		}
	}
	switch {
	case len(out) > 0:
		return out, ""
	case reason == "":
		reason = WhyNoLabels(l.Priority)
	}
	return nil, reason
}
