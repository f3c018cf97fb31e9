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

// ErrNotRandom says that labels of a queue feed no rate, because its items were not drawn at random.
var ErrNotRandom = errors.New("of targeted sampling: its items were chosen by interest, so their labels say nothing about the others")

// LabelFrame is a queue of labels drawn at random: what it was drawn from, and what
// people make of the predictions that were drawn.
type LabelFrame struct {
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

// FrameReader finds the frames of datasets' queues.
type FrameReader struct {
	Facts      Facts
	Correcting *Correcting
	Runs       map[eval.RunID]eval.Run
	All        []*LabelFrame // those found so far
	options    *Options
	found      map[eval.DatasetName]*LabelledFrames
}

// NewFrameReader looks up the runs, and checks the queues that the options name.
func NewFrameReader(facts Facts, o *Options) (*FrameReader, error) {
	f := &FrameReader{Facts: facts, Correcting: o.Corrected, options: o, found: make(map[eval.DatasetName]*LabelledFrames)}
	var err error
	if f.Runs, err = RunsByID(facts); err != nil {
		return nil, err
	}
	for _, name := range f.Correcting.Queues {
		q, err := facts.Queue(name)
		if err == nil {
			err = errors.Join(q.CheckTakesReadings(), CheckDrawnAtRandom(&q))
		}
		if err != nil {
			return nil, fmt.Errorf("correct by queue %s: %w", name, err)
		}
	}
	return f, nil
}

// CheckDrawnAtRandom gives ErrNotRandom for a queue of the priority stratum.
func CheckDrawnAtRandom(q *annotate.Queue) error {
	return eval.Either(q.Stratum != annotate.Random, ErrNotRandom, nil)
}

// FramesOfDataset finds those of a dataset, the narrowest first: what a queue of the unparsable was
// drawn from is not counted as one of all predictions too. They are read once.
func (f *FrameReader) FramesOfDataset(ctx context.Context, on eval.DatasetName) (*LabelledFrames, error) {
	if f.found[on] != nil {
		return f.found[on], nil
	}
	out := &LabelledFrames{}
	queues, err := f.Facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	for i := range queues {
		q := &queues[i]
		named := slices.Contains(f.Correcting.Queues, q.Name)
		switch {
		case q.Rule.Dataset != on || q.CheckTakesReadings() != nil || len(f.Correcting.Queues) > 0 && !named:
			continue
		case CheckDrawnAtRandom(q) != nil:
			out.Priority = append(out.Priority, string(q.Name))
			continue
		}
		fr, err := f.loadFrame(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("read queue %s: %w", q.Name, err)
		}
		if named || len(fr.Said)+len(fr.Scored) > 0 || fr.basis.WhyNoModel() != "" {
			out.Frames = append(out.Frames, fr)
		}
	}
	share := func(f *LabelFrame) float64 { return float64(f.Queue.Items) / float64(max(1, f.Queue.Population)) }
	slices.SortFunc(out.Frames, func(a, b *LabelFrame) int {
		return cmp.Or(cmp.Compare(a.Queue.Rule.From, b.Queue.Rule.From), cmp.Compare(share(b), share(a)), cmp.Compare(a.Queue.Name, b.Queue.Name))
	})
	f.found[on], f.All = out, append(f.All, out.Frames...)
	return out, nil
}

func (f *FrameReader) loadFrame(ctx context.Context, q *annotate.Queue) (*LabelFrame, error) {
	out := &LabelFrame{
		Queue: *q, judged: make(map[eval.RunID]map[eval.Key][]eval.Choice),
		Said: make(map[eval.Key]annotate.Reading), Scored: make(map[eval.Key]float64), left: make(map[eval.Key]string), drawn: make(map[eval.Key]annotate.QueueItem),
	}
	if err := f.preparePopulationTest(ctx, out); err != nil {
		return nil, err
	}
	if err := f.readLabels(ctx, out); err != nil || out.refused != "" || len(out.Said)+len(out.Scored) == 0 {
		return out, err
	}
	return out, f.checkPopulation(ctx, out)
}

// preparePopulationTest makes ready what tells whether a prediction was one of those that the queue was drawn from.
func (f *FrameReader) preparePopulationTest(ctx context.Context, out *LabelFrame) error {
	rule := &out.Queue.Rule
	if rule.From == annotate.FromWrong {
		out.refused = fmt.Sprintf("queue %s was drawn from wrong answers, and right ones were never looked at", out.Queue.Name)
		return nil
	}
	if rule.From != annotate.FromUnparsable && rule.From != annotate.FromDisagreements {
		return nil
	}
	for _, id := range append([]string{rule.Rules}, rule.Among...) {
		name, _, versioned := strings.Cut(id, "@")
		r, err := FindRules(f.options.Reader, name)
		if err != nil {
			out.refused = fmt.Sprintf("queue %s was drawn by a rule set that is not here: which predictions it was drawn from is not known (%v)", out.Queue.Name, err)
			return nil
		}
		if versioned && eval.ReaderID(r) != id {
			out.refused = fmt.Sprintf("queue %s was drawn by %s, and the rules are %s by now: which predictions it was drawn from is not known", out.Queue.Name, id, eval.ReaderID(r))
		}
		out.among = append(out.among, r)
	}
	if out.reader, out.among = out.among[0], out.among[1:]; rule.From == annotate.FromUnparsable {
		out.among = nil // they decided about the order alone
		return nil
	}
	for id := range f.Runs {
		if !f.ruleConcernsRun(rule, id) {
			continue
		}
		heard, err := f.judgeClasses(ctx, id)
		if err != nil {
			return err
		}
		out.judged[id] = heard
	}
	return nil
}

// judgeClasses are the classes that judges read in a run, each judge's newest.
func (f *FrameReader) judgeClasses(ctx context.Context, id eval.RunID) (map[eval.Key][]eval.Choice, error) {
	js, err := ReadJudgments(ctx, f.Facts, id, false, extractionOf)
	if err != nil {
		return nil, err
	}
	out := make(map[eval.Key][]eval.Choice)
	for _, said := range js.ByKey {
		for k, e := range said {
			out[k] = append(out[k], e.AlignmentClass())
		}
	}
	return out, nil
}

func (f *FrameReader) ruleConcernsRun(rule *annotate.Rule, id eval.RunID) bool {
	return f.Runs[id].Config.Dataset == rule.Dataset && rule.ConcernsRun(id)
}

// readLabels reads what people make of the items.
func (f *FrameReader) readLabels(ctx context.Context, out *LabelFrame) error {
	people, err := ReadStandingLabels(ctx, f.Facts, out.Queue.Name)
	if err != nil {
		return err
	}
	basis := BasisOrDefault(f.Correcting.Policy, f.Correcting.Undecided)
	inclusion := make(map[string]float64) // by group
	golds, err := ReadKnownAnswers(f.Facts, &out.Queue)
	if err != nil {
		return err
	}
	if out.known, err = countGoldHits(ctx, f.Facts, &out.Queue, golds); err != nil {
		return err
	}
	if basis, err = f.fitModel(ctx, out, people, golds, basis); err != nil || basis.WhyNoModel() != "" {
		return err
	}
	if out.Excluded, err = ListExcludedItems(f.Facts, &out.Queue, people.States); err != nil {
		return err
	}
	turnout := annotate.NewLabelTurnout(&out.Queue, people.States)
	err = eval.ForEachRead(f.Facts.QueueItems(ctx, out.Queue.Name), func(it annotate.QueueItem) {
		if IsAddedGold(golds, &it) {
			out.left[it.Key.Key] = annotate.LeftGold
			return
		}
		switch p, seen := inclusion[it.Group]; {
		case out.refused != "":
		case !(it.Inclusion > 0 && it.Inclusion <= 1):
			out.refused = fmt.Sprintf("queue %s does not say with which probability its items were drawn", out.Queue.Name)
		case out.Queue.IsUneven():
			out.drawn[it.Key.Key] = it
		case seen && p != it.Inclusion:
			out.refused = fmt.Sprintf("the items of queue %s were drawn with different probabilities, and those of the others are not known", out.Queue.Name)
		}
		inclusion[it.Group] = it.Inclusion
		ruling := people.RulingOn(it.Key)
		said := out.addPeopleWord(&annotate.AlignItem{Key: it.Key, Labels: people.ByItem[it.Key], Ruling: ruling, Excluded: people.Excluded[it.Key]}, basis)
		ruled := said && ruling != nil && basis.Policy == annotate.Adjudicated
		out.items = append(out.items, DrawnItem{
			Key: it.Key, Group: it.Group, Hash: out.Queue.Rule.DrawRank(it.Key, it.Uncertain), Part: it.Inclusion < 1,
			Said: said, Open: !ruled && !out.Queue.Design.IsDeclared() && turnout.IsOpen(it.Key),
		})
	})
	return eval.WrapError(err, "read items")
}

// fitModel gives the basis with the model of people's errors, where the policy has one.
func (f *FrameReader) fitModel(ctx context.Context, out *LabelFrame, people *StandingLabels, golds map[annotate.ItemKey]annotate.Reading, basis annotate.Basis) (annotate.Basis, error) {
	if basis.Policy != annotate.DawidSkene {
		return basis, nil
	}
	var items []annotate.AlignItem
	for it, err := range f.Facts.QueueItems(ctx, out.Queue.Name) {
		if err != nil {
			return basis, fmt.Errorf("read items: %w", err)
		}
		items = append(items, annotate.AlignItem{Key: it.Key, Gold: IsAddedGold(golds, &it), Excluded: people.Excluded[it.Key], Labels: people.ByItem[it.Key]})
	}
	var err error
	if basis, err = basis.FitModel(ctx, items, f.options.Progress); err != nil {
		return basis, err
	}
	out.basis = basis
	if why := basis.WhyNoModel(); why != "" {
		out.refused = fmt.Sprintf("queue %s: %s", out.Queue.Name, why)
	}
	return basis, nil
}

// addPeopleWord enters what people say of one drawn prediction, and reports whether they say something.
func (f *LabelFrame) addPeopleWord(it *annotate.AlignItem, basis annotate.Basis) bool {
	k := it.Key.Key
	said, why := basis.ResolveItem(it)
	if why == "" {
		f.Said[k] = said
		return true
	}
	if why == annotate.LeftScored {
		sum, n := 0, 0
		for _, l := range it.Labels {
			if l.Reading.Kind == annotate.Scored && !l.Informed {
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

// CountUnlabelled counts, of the passes of a question that a score is over, those that
// are in the queues and without a say of people.
func CountUnlabelled(out map[string]int, frames []*RowFrame, q *eval.Question, circular bool) {
	for i := range q.Predictions {
		k := q.Predictions[i].Key
		for _, f := range frames {
			if why := f.left[k]; why != "" && (k.Pass == 0 || circular) {
				out[why]++
			}
		}
	}
}

// checkPopulation refuses a queue that was drawn from other predictions than its filter finds now: with
// which probability the others would have been drawn is not known. A growing queue knows it, and may be
// about to enrol what was answered a moment ago: such predictions are open.
func (f *FrameReader) checkPopulation(ctx context.Context, fr *LabelFrame) error {
	found := 0
	enrolled := eval.IndexBy(fr.items, func(it DrawnItem) (eval.Key, bool) { return it.Key.Key, true })
	for _, id := range slices.Sorted(maps.Keys(f.Runs)) {
		if !f.ruleConcernsRun(&fr.Queue.Rule, id) {
			continue
		}
		questions := ReadQuestionsByOwnRules(ctx, f.Facts, f.Runs[id], f.options)
		if rules := fr.listRules(); len(rules) > 0 {
			questions = ReadQuestions(ctx, f.Facts, f.Runs[id], rules...)
		}
		for q, err := range questions {
			if err != nil {
				return fmt.Errorf("read questions: %w", err)
			}
			for i := range q.Predictions {
				if !fr.IncludesPrediction(&q, i) {
					continue
				}
				found++
				if k := annotate.NewItemKey(q.Predictions[i].Key); fr.Queue.Growing && !enrolled[k.Key] && fr.Queue.Rule.DrawsByRate(k) {
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

// listRules lists the rule sets by which Includes tells; it may need none.
func (f *LabelFrame) listRules() []eval.Reader {
	if f.reader == nil {
		return nil
	}
	return append([]eval.Reader{f.reader}, f.among...)
}

// IncludesPrediction reports whether a prediction is of those that the queue was drawn from.
func (f *LabelFrame) IncludesPrediction(q *eval.Question, i int) bool {
	p := &q.Predictions[i]
	others := f.judged[p.Run][p.Key]
	if f.Queue.Rule.From == annotate.FromDisagreements {
		for _, r := range f.among {
			if e := eval.ReadPrediction(r, &q.Sample, p); e.Status != eval.StatusUnset {
				others = append(others[:len(others):len(others)], e.AlignmentClass())
			}
		}
	}
	return f.Queue.Rule.IncludesPrediction(p, func() eval.Extraction { return eval.ReadPrediction(f.reader, &q.Sample, p) }, others)
}

// LabelledFrames are the frames of a dataset, and the queues that were left out for their stratum.
type LabelledFrames struct {
	Frames   []*LabelFrame
	Priority []string
}

// FramesOf are the frames with labels on a run, or why there are none.
func (l *LabelledFrames) FramesOf(run eval.RunID) (out []*LabelFrame, reason string) {
	for _, f := range l.Frames {
		switch {
		case !f.Queue.Rule.ConcernsRun(run):
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
