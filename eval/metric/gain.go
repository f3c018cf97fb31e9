package metric

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// Mark is what a run makes of one sample. The zero value: not decided, or without a truth.
type Mark uint8

// The marks.
const (
	MarkUnset Mark = iota
	MarkWrong
	MarkRight
)

// MarkOfState gives the mark of a verdict.
func MarkOfState(v QuestionState) Mark {
	switch v {
	case Right:
		return MarkRight
	case NotRight:
		return MarkWrong
	case Pending, Unanswered, NoTruth, NoRules, StateUnset:
	}
	return MarkUnset
}

// Marks is what a run makes of the samples of its dataset, by ordinal.
type Marks []Mark

// At is the mark of a sample.
func (m Marks) At(o eval.Ordinal) Mark {
	if int(o) >= len(m) {
		return MarkUnset
	}
	return m[o]
}

// Set marks a sample.
func (m *Marks) Set(o eval.Ordinal, mark Mark) {
	for int(o) >= len(*m) {
		*m = append(*m, MarkUnset)
	}
	(*m)[o] = mark
}

// CountRight gives how many of the decided samples are right.
func (m Marks) CountRight() stat.Count {
	var c stat.Count
	for _, mark := range m {
		if mark != MarkUnset {
			c.Add(mark == MarkRight)
		}
	}
	return c
}

// KeepMarksOf gives the marks of the samples that are wanted.
func (m Marks) KeepMarksOf(want func(eval.Ordinal) bool) Marks {
	out := make(Marks, len(m))
	for i, mark := range m {
		if want(eval.Ordinal(i)) { //nolint:gosec // an index of samples
			out[i] = mark
		}
	}
	return out
}

// CompareWith counts the samples that both have decided by what each makes of them, and those of one alone.
func (m Marks) CompareWith(o Marks) (p stat.Pairs, first, second int) {
	for i := range eval.Ordinal(max(len(m), len(o))) { //nolint:gosec // a number of samples
		switch a, b := m.At(i), o.At(i); {
		case a == MarkUnset && b == MarkUnset:
		case b == MarkUnset:
			first++
		case a == MarkUnset:
			second++
		default:
			p.AddItem(a == MarkRight, b == MarkRight)
		}
	}
	return p, first, second
}

// clusteredPairs are the samples that both have decided, by cluster.
func (m Marks) clusteredPairs(o Marks, clusters []int32) (out stat.Marked) {
	for i, c := range clusters {
		at := eval.Ordinal(i) //nolint:gosec // an index of samples
		if a, b := m.At(at), o.At(at); c >= 0 && a != MarkUnset && b != MarkUnset {
			out.AddUnit(uint64(c+1)<<2, a == MarkRight, b == MarkRight) //nolint:gosec // not below 0
		}
	}
	return out
}

// Rate is the share right of the decided samples. Clusters are the numbers of
// what samples share, by ordinal; -1 is nothing.
func (m Marks) Rate(clusters []int32, reason string) stat.Rate {
	return m.clusteredPairs(m, clusters).Rate(m.CountRight(), reason)
}

// ContrastWith is the share right less that of o, over the samples that both have decided: with
// Newcombe's interval, or a cluster-robust one where samples share a cluster.
func (m Marks) ContrastWith(o Marks, clusters []int32) stat.Contrast {
	p, _, _ := m.CompareWith(o)
	units := m.clusteredPairs(o, clusters)
	out := stat.Contrast{Estimate: units.Difference(p, "no sample in common"), Freedom: units.DegreesOfFreedom(p)}
	if out.WhyUndefined() != "" {
		return out
	}
	out.Clusters, out.N = out.N, p.N()
	out.Influence = clusterInfluence(clusters, max(len(m), len(o)), func(at eval.Ordinal) (float64, bool) {
		a, b := m.At(at), o.At(at)
		return float64(oneIfRight(a) - oneIfRight(b)), a != MarkUnset && b != MarkUnset
	})
	return out
}

// ContrastWithValue is the share right less a value that does not vary, as one that was measured elsewhere.
func (m Marks) ContrastWithValue(value float64, clusters []int32) stat.Contrast {
	r := m.Rate(clusters, "no sample decided")
	out := stat.Contrast{Estimate: stat.Estimate{N: r.N, Value: r.Value - value, Low: r.Low - value, High: r.High - value, Undefined: r.Undefined}}
	out.Clusters = cmp.Or(r.Clusters, r.N)
	out.Influence = clusterInfluence(clusters, len(m), func(at eval.Ordinal) (float64, bool) {
		return float64(oneIfRight(m.At(at))), m.At(at) != MarkUnset
	})
	return out
}

// clusterInfluence is what each cluster adds to the mean of values, less its part of
// the mean. Samples that share nothing follow the clusters that some share.
func clusterInfluence(clusters []int32, samples int, value func(eval.Ordinal) (float64, bool)) []float64 {
	shared := int32(-1)
	for _, c := range clusters {
		shared = max(shared, c)
	}
	samples = max(samples, len(clusters))
	out := make([]float64, int(shared)+1+samples)
	mean, n := 0.0, 0.0
	for at := range samples {
		if v, ok := value(eval.Ordinal(at)); ok { //nolint:gosec // an index of samples
			mean, n = mean+v, n+1
		}
	}
	mean /= n
	for at := range samples {
		v, ok := value(eval.Ordinal(at)) //nolint:gosec // an index of samples
		if !ok {
			continue
		}
		i := int(shared) + 1 + at
		if at < len(clusters) && clusters[at] >= 0 {
			i = int(clusters[at])
		}
		out[i] += (v - mean) / n
	}
	return out
}

func oneIfRight(m Mark) int { return eval.Either(m == MarkRight, 1, 0) }

// ReverseContrast is the contrast the other way round.
func ReverseContrast(c stat.Contrast) stat.Contrast {
	c.Value, c.Low, c.High = -c.Value, -c.High, -c.Low
	for i := range c.Influence {
		c.Influence[i] = -c.Influence[i]
	}
	return c
}

// ClampAtZero is a difference that counts as nothing where it is negative, as
// leakage does: max(0, S_wv - S_t) (MMStar, Sec. 4.3).
func ClampAtZero(e stat.Estimate) stat.Estimate {
	if e.WhyUndefined() == "" {
		e.Value, e.Low, e.High = max(0, e.Value), max(0, e.Low), max(0, e.High)
	}
	return e
}

// Records counts the predictions behind a score, by what the combined reading made of them. The classes are
// disjoint; Failures have no text to read, and StatusUnset counts those of a kind that nobody reads.
type Records struct {
	Statuses [eval.Statuses]int
	Failures int
}

func (r *Records) countReadingStatus(x *Reading) {
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

// Positions is where predicted and true labels fall, over every prediction of every pass (MMBench, Fig.
// 4). Predictions without one option are Unread, those of a kind that nobody reads are NotRead and
// enter no rate. The passes of a question are one cluster.
type Positions struct {
	Predicted                 stat.Classes[eval.Choice] // LabelUnread and LabelFailed among them
	Truth                     stat.Classes[eval.Choice] // of the predictions with a truth
	Unread, NotRead, Failures int
	Right                     stat.Clusters // all passes: predictions that are right, of those with a truth
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
		p.Truth.AddUnit(x.Answer)
		if !x.Due {
			p.Right.AddHit(x.IsRight())
		}
	}
	switch {
	case x.Failed:
		p.Failures++
		p.Predicted.AddUnit(LabelFailed)
	case x.Combined.IsFound():
		p.Predicted.AddUnit(x.Combined.Choice)
	default:
		p.Unread++
		p.Predicted.AddUnit(LabelUnread)
	}
}

// endQuestionCluster ends a question of a cluster; 0 is one of its own.
func (p *Positions) endQuestionCluster(cluster uint64) {
	p.Predicted.CloseInCluster(cluster)
	p.Truth.CloseInCluster(cluster)
	p.Right.CloseInCluster(cluster)
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

// Tally counts the questions of one run. Give each of several goroutines its own, and merge them.
type Tally struct {
	scheme *Scheme
	splits map[string]*RunCounts
	room   []Reading // of the question at hand
}

// NewTally counts under the scheme.
func NewTally(s *Scheme) *Tally { return &Tally{scheme: s, splits: make(map[string]*RunCounts)} }

// AddQuestion counts one question.
func (t *Tally) AddQuestion(q *eval.Question) {
	f := t.splitCounts(q.Sample.Split)
	o := t.scheme.DecideReusing(t.room[:0], q)
	t.room = o.Readings
	f.Root.addQuestion(q, &o, 0)
	f.MME.AddQuestion(q, &o)
	right, known := (&AnswerScores{}).countQuestionRight(q, &o)
	f.Groups.addToGroups(&q.Sample, right, known)
	for i := range o.Readings {
		x := &o.Readings[i]
		f.Circular.countReadingStatus(x)
		if x.Pass == 0 {
			f.Vanilla.countReadingStatus(x)
		}
		f.Positions.addReading(x)
		f.Steps.addPrediction(t.scheme, q.Predictions[i].Key, x)
	}
	f.Positions.endQuestionCluster(WiderClusterNumber(&q.Sample))
	f.Steps.endQuestionCluster(WiderClusterNumber(&q.Sample))
}

// Merge adds what o counted over other questions of the same run and scheme.
func (t *Tally) Merge(o *Tally) {
	for name, f := range o.splits {
		t.splitCounts(name).merge(f)
	}
}

func (t *Tally) splitCounts(split string) *RunCounts {
	return eval.GetOrAdd(t.splits, split, func() *RunCounts { return newRunCounts(len(t.scheme.Judges)) })
}

// Splits lists the splits that questions came from, by name; "" is the name of none.
func (t *Tally) Splits() []string { return slices.Sorted(maps.Keys(t.splits)) }

// CountsOfSplit gives the figures of one split, or nil.
func (t *Tally) CountsOfSplit(name string) *RunCounts { return t.splits[name] }

// TotalCounts is the figures over all splits. Those of the only one are its own: nobody may change them.
func (t *Tally) TotalCounts() *RunCounts {
	if names := t.Splits(); len(names) == 1 {
		return t.splits[names[0]]
	}
	out := newRunCounts(len(t.scheme.Judges))
	for _, name := range t.Splits() {
		out.merge(t.splits[name])
	}
	return out
}
