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
)

const defaultWithin = 0.02

// within is the interval that needs are told for, as a share of the scale.
func within(c *Correcting) float64 { return cmp.Or(c.Within, defaultWithin) }

// ErrNotRandom says that labels of a queue feed no rate, because its items
// were not drawn at random.
var ErrNotRandom = errors.New("of the priority stratum: its items were chosen by interest, so their labels say nothing about the others")

// frame is a queue of labels drawn at random: what it was drawn from, and what
// people make of the predictions that were drawn.
type frame struct {
	queue   annotate.Queue
	reader  eval.Reader   // of the queue's filter; nil where it needs none
	among   []eval.Reader // rule sets whose differences are its filter
	judged  map[eval.RunID]map[eval.Key][]eval.Choice
	said    map[eval.Key]annotate.Reading
	scored  map[eval.Key]float64
	left    map[eval.Key]string // items without a say of people: why
	items   []drawnItem         // without those that were added for their known answer
	refused string              // why its labels correct nothing
}

// framing finds the frames of one dataset's queues.
type framing struct {
	facts  Facts
	o      *Correcting
	reader func(string) (eval.Reader, error)
	runs   map[eval.RunID]eval.Run
}

func newFraming(facts Facts, o *Options) (*framing, error) {
	f := &framing{facts: facts, o: o.Corrected, reader: o.Reader, runs: make(map[eval.RunID]eval.Run)}
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	for _, r := range runs {
		f.runs[r.ID] = r
	}
	for _, name := range f.o.Queues {
		q, err := facts.Queue(name)
		if err == nil {
			err = errors.Join(q.ForLabels(), atRandom(&q))
		}
		if err != nil {
			return nil, fmt.Errorf("correct by queue %s: %w", name, err)
		}
	}
	return f, nil
}

func atRandom(q *annotate.Queue) error {
	if q.Stratum != annotate.Random {
		return ErrNotRandom
	}
	return nil
}

// frames are those of a dataset, the narrowest first: what a queue of the
// unparsable was drawn from is not counted as one of all predictions too.
// Priority are the queues that were left out for their stratum.
func (f *framing) frames(ctx context.Context, on eval.DatasetName) (out []*frame, priority []string, err error) {
	queues, err := f.facts.Queues()
	if err != nil {
		return nil, nil, fmt.Errorf("list queues: %w", err)
	}
	for i := range queues {
		q := &queues[i]
		named := slices.Contains(f.o.Queues, q.Name)
		switch {
		case q.Rule.Dataset != on || q.Rule.From == annotate.FromPairs || len(f.o.Queues) > 0 && !named:
			continue
		case atRandom(q) != nil:
			priority = append(priority, string(q.Name))
			continue
		}
		fr, err := f.load(ctx, q)
		if err != nil {
			return nil, nil, fmt.Errorf("read queue %s: %w", q.Name, err)
		}
		if named || len(fr.said)+len(fr.scored) > 0 {
			out = append(out, fr)
		}
	}
	share := func(f *frame) float64 { return float64(f.queue.Items) / float64(max(1, f.queue.Population)) }
	slices.SortFunc(out, func(a, b *frame) int {
		return cmp.Or(cmp.Compare(a.queue.Rule.From, b.queue.Rule.From), cmp.Compare(share(b), share(a)), cmp.Compare(a.queue.Name, b.queue.Name))
	})
	return out, priority, nil
}

func (f *framing) load(ctx context.Context, q *annotate.Queue) (*frame, error) {
	out := &frame{
		queue: *q, judged: make(map[eval.RunID]map[eval.Key][]eval.Choice),
		said: make(map[eval.Key]annotate.Reading), scored: make(map[eval.Key]float64), left: make(map[eval.Key]string),
	}
	if err := f.filter(ctx, out); err != nil {
		return nil, err
	}
	if err := f.labels(ctx, out); err != nil || out.refused != "" || len(out.said)+len(out.scored) == 0 {
		return out, err
	}
	return out, f.check(ctx, out)
}

// filter makes ready what tells whether a prediction was one of those that the
// queue was drawn from.
func (f *framing) filter(ctx context.Context, out *frame) error {
	rule := &out.queue.Rule
	if rule.From != annotate.FromUnparsable && rule.From != annotate.FromDisagreements {
		return nil
	}
	for _, id := range append([]string{rule.Rules}, rule.Among...) {
		name, _, versioned := strings.Cut(id, "@")
		r, err := rulesOf(f.reader, name)
		if err != nil {
			out.refused = fmt.Sprintf("queue %s was drawn by rules that are not here: which predictions it was drawn from is not known (%v)", out.queue.Name, err)
			return nil
		}
		if versioned && eval.ReaderID(r) != id {
			out.refused = fmt.Sprintf("queue %s was drawn by %s, and the rules are %s by now: which predictions it was drawn from is not known", out.queue.Name, id, eval.ReaderID(r))
		}
		out.among = append(out.among, r)
	}
	out.reader, out.among = out.among[0], out.among[1:]
	if rule.From == annotate.FromUnparsable {
		return nil
	}
	for id := range f.runs {
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
func (f *framing) heard(ctx context.Context, id eval.RunID) (map[eval.Key][]eval.Choice, error) {
	out := make(map[eval.Key][]eval.Choice)
	var last eval.Judgment
	for j, err := range f.facts.Judgments(ctx, id) {
		if err != nil {
			return nil, fmt.Errorf("read judgments of run %d: %w", id, err)
		}
		if !j.Reads() {
			continue
		}
		list := out[j.Key]
		if last.Key == j.Key && last.Judge == j.Judge {
			list = list[:len(list)-1]
		}
		out[j.Key], last = append(list, j.Extraction.Class()), j
	}
	return out, nil
}

func (f *framing) concerns(rule *annotate.Rule, id eval.RunID) bool {
	return f.runs[id].Config.Dataset == rule.Dataset && rule.Concerns(id)
}

// labels reads what people make of the items.
func (f *framing) labels(ctx context.Context, out *frame) error {
	people, err := StandingOf(ctx, f.facts, out.queue.Name)
	if err != nil {
		return err
	}
	basis := basisOf(f.o.Policy, f.o.Undecided)
	inclusion := make(map[string]float64) // by group
	golds, err := goldsOf(f.facts, &out.queue)
	if err != nil {
		return err
	}
	turnout := annotate.NewTurnout(&out.queue, people.States)
	for it, err := range f.facts.QueueItems(ctx, out.queue.Name) {
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		if added(golds, &it) {
			out.left[it.Key.Key] = annotate.LeftGold
			continue
		}
		switch p, seen := inclusion[it.Group]; {
		case out.refused != "":
		case !(it.Inclusion > 0 && it.Inclusion <= 1):
			out.refused = fmt.Sprintf("queue %s does not say with which probability its items were drawn", out.queue.Name)
		case seen && p != it.Inclusion:
			out.refused = fmt.Sprintf("the items of queue %s were drawn with different probabilities, and those of the others are not known", out.queue.Name)
		}
		inclusion[it.Group] = it.Inclusion
		ruling := people.Ruling(it.Key)
		said := out.hear(&annotate.AlignItem{Key: it.Key, Labels: people.ByItem[it.Key], Ruling: ruling}, basis)
		ruled := said && ruling != nil && basis.Policy == annotate.Adjudicated
		out.items = append(out.items, drawnItem{
			key: it.Key, group: it.Group, hash: out.queue.Rule.EnrolmentHash(it.Key), part: it.Inclusion < 1,
			said: said, open: !ruled && turnout.Open(it.Key),
		})
	}
	return nil
}

// hear enters what people say of one drawn prediction, and reports whether they
// say something.
func (f *frame) hear(it *annotate.AlignItem, basis annotate.Basis) bool {
	k := it.Key.Key
	said, why := basis.Settle(it)
	if why == "" {
		f.said[k] = said
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
			f.scored[k] = float64(sum) / float64(n)
			return true
		}
	}
	f.left[k] = why
	return false
}

// leave counts, of the passes of a question that a score is over, those that
// are in the queues and without a say of people.
func leave(out map[string]int, frames []*rowFrame, q *eval.Question, circular bool) {
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
func (f *framing) check(ctx context.Context, fr *frame) error {
	found := 0
	enrolled := make(map[eval.Key]bool, len(fr.items))
	for i := range fr.items {
		enrolled[fr.items[i].key.Key] = true
	}
	for _, id := range slices.Sorted(maps.Keys(f.runs)) {
		if !f.concerns(&fr.queue.Rule, id) {
			continue
		}
		for q, err := range f.facts.Questions(ctx, f.runs[id]) {
			if err != nil {
				return fmt.Errorf("read questions: %w", err)
			}
			for i := range q.Predictions {
				if !fr.takes(&q, i) {
					continue
				}
				found++
				if k := annotate.ItemOf(q.Predictions[i].Key); fr.queue.Growing && !enrolled[k.Key] && fr.queue.Rule.DrawsByRate(k) {
					fr.items = append(fr.items, drawnItem{key: k, hash: fr.queue.Rule.EnrolmentHash(k), part: true, open: true})
				}
			}
		}
	}
	switch q := &fr.queue; {
	case found == q.Population || q.Growing:
	case len(q.Rule.IDs)+q.Rule.Listed > 0:
		fr.refused = fmt.Sprintf("queue %s is of listed samples, %d of %d predictions: how the list was chosen is not known", q.Name, q.Population, found)
	default:
		fr.refused = fmt.Sprintf("queue %s was drawn from %d predictions, and its filter finds %d by now: with which probability the others would have been drawn is not known", q.Name, q.Population, found)
	}
	return nil
}

// takes reports whether a prediction is of those that the queue was drawn from.
func (f *frame) takes(q *eval.Question, i int) bool {
	p := &q.Predictions[i]
	others := f.judged[p.Run][p.Key]
	if f.queue.Rule.From == annotate.FromDisagreements {
		for _, r := range f.among {
			if e := eval.Read(r, &q.Sample, p); e.Status != eval.StatusUnset {
				others = append(others[:len(others):len(others)], e.Class())
			}
		}
	}
	return f.queue.Rule.Takes(p, func() eval.Extraction { return eval.Read(f.reader, &q.Sample, p) }, others)
}

// labelled are the frames of a dataset, and the queues that make none.
type labelled struct {
	frames   []*frame
	priority []string
}

// of are the frames with labels on a run, or why there are none.
func (l *labelled) of(run eval.RunID) (out []*frame, reason string) {
	for _, f := range l.frames {
		switch {
		case !f.queue.Rule.Concerns(run):
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
		reason = noLabels(l.priority)
	}
	return nil, reason
}
