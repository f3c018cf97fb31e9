package metric

import (
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// Records counts the predictions behind a score, by what the combined reading
// made of them. The classes are disjoint; Failures have no text to read, and
// StatusUnset counts those of a kind that nobody reads.
type Records struct {
	Statuses [eval.Statuses]int
	Failures int
}

func (r *Records) addReading(x *Reading) {
	if x.Failed {
		r.Failures++
		return
	}
	r.Statuses[x.Combined.Status]++
}

func (r *Records) merge(o Records) {
	for i, n := range o.Statuses {
		r.Statuses[i] += n
	}
	r.Failures += o.Failures
}

// Positions is where predicted and true labels fall, over every prediction of
// every pass (MMBench, Fig. 4). Predictions without one option are Unread,
// those of a kind that nobody reads are NotRead and enter no rate. The passes
// of a question are one cluster.
type Positions struct {
	Predicted stat.Classes[eval.Choice] // LabelUnread and LabelFailed among them
	Truth     stat.Classes[eval.Choice] // of the predictions with a truth
	Unread    int
	NotRead   int
	Failures  int
	Right     stat.Clusters // all passes: predictions that are right, of those with a truth
}

// Labels of predictions without one option.
const (
	LabelUnread eval.Choice = "(unread)"
	LabelFailed eval.Choice = "(errors)"
)

func (p *Positions) addReading(x *Reading) {
	if x.IsNotRead() {
		p.NotRead++
		return
	}
	if x.Answer != "" {
		p.Truth.Add(x.Answer)
		if !x.Due {
			p.Right.AddHit(x.IsRight())
		}
	}
	switch {
	case x.Failed:
		p.Failures++
		p.Predicted.Add(LabelFailed)
	case x.Combined.IsFound():
		p.Predicted.Add(x.Combined.Choice)
	default:
		p.Unread++
		p.Predicted.Add(LabelUnread)
	}
}

// closeCluster ends a question of a cluster; 0 is one of its own.
func (p *Positions) closeCluster(cluster uint64) {
	p.Predicted.CloseIn(cluster)
	p.Truth.CloseIn(cluster)
	p.Right.CloseIn(cluster)
}

func (p *Positions) merge(o *Positions) {
	p.Predicted.Merge(&o.Predicted)
	p.Truth.Merge(&o.Truth)
	p.Unread += o.Unread
	p.NotRead += o.NotRead
	p.Failures += o.Failures
	p.Right.Merge(&o.Right)
}

// RunCounts holds everything counted over one set of questions.
type RunCounts struct {
	Root              *Level
	Vanilla, Circular Records // of pass 0, and of all passes
	Steps             Steps
	Positions         Positions
	MME               MMECounts
	Groups            Groups
}

func newRunCounts(judges int) *RunCounts {
	return &RunCounts{
		Root: newLevel(nil), Groups: Groups{},
		Steps: Steps{Judges: make([]JudgeSteps, judges)},
	}
}

func (f *RunCounts) merge(o *RunCounts) {
	f.Root.merge(o.Root)
	f.Vanilla.merge(o.Vanilla)
	f.Circular.merge(o.Circular)
	f.Steps.merge(&o.Steps)
	f.Positions.merge(&o.Positions)
	f.MME.merge(&o.MME)
	f.Groups.merge(o.Groups)
}

// Records is the predictions behind the score of a strategy.
func (f *RunCounts) Records(s eval.Strategy) Records {
	return eval.Either(s == eval.Circular, f.Circular, f.Vanilla)
}

// Tally counts the questions of one run. It is not safe for use by several
// goroutines: give each its own and merge them.
type Tally struct {
	scheme *Scheme
	splits map[string]*RunCounts
}

// NewTally counts under the scheme.
func NewTally(s *Scheme) *Tally {
	return &Tally{scheme: s, splits: make(map[string]*RunCounts)}
}

// AddQuestion counts one question.
func (t *Tally) AddQuestion(q *eval.Question) {
	f := t.countsOf(q.Sample.Split)
	o := t.scheme.Decide(q)
	f.Root.addQuestion(q, &o, 0)
	f.MME.AddQuestion(q, &o)
	right, known := (&AnswerScores{}).addQuestion(q, &o)
	f.Groups.addSample(&q.Sample, right, known)
	for i := range o.Readings {
		x := &o.Readings[i]
		f.Circular.addReading(x)
		if x.Pass == 0 {
			f.Vanilla.addReading(x)
		}
		f.Positions.addReading(x)
		f.Steps.addPrediction(t.scheme, q.Predictions[i].Key, x)
	}
	f.Positions.closeCluster(WiderClusterNumber(&q.Sample))
	f.Steps.closeCluster(WiderClusterNumber(&q.Sample))
}

// Merge adds what o counted over other questions of the same run and scheme.
func (t *Tally) Merge(o *Tally) {
	for name, f := range o.splits {
		t.countsOf(name).merge(f)
	}
}

func (t *Tally) countsOf(split string) *RunCounts {
	return eval.GetOrAdd(t.splits, split, func() *RunCounts { return newRunCounts(len(t.scheme.Judges)) })
}

// Splits lists the splits that questions came from, by name; "" is the name
// of none.
func (t *Tally) Splits() []string { return slices.Sorted(maps.Keys(t.splits)) }

// Split gives the figures of one split, or nil.
func (t *Tally) Split(name string) *RunCounts { return t.splits[name] }

// AllSplits is the figures over all splits.
func (t *Tally) AllSplits() *RunCounts {
	out := newRunCounts(len(t.scheme.Judges))
	for _, name := range t.Splits() {
		out.merge(t.splits[name])
	}
	return out
}
