package metric

import (
	"math"

	"concord/eval"
	"concord/eval/stat"
)

// Mark is what a run makes of one sample. The zero value is one that it has
// not decided, or that has no truth.
type Mark uint8

// The marks.
const (
	MarkUnset Mark = iota
	MarkWrong
	MarkRight
)

// MarkOf is the mark of a verdict.
func MarkOf(v Verdict) Mark {
	switch v {
	case Right:
		return MarkRight
	case NotRight:
		return MarkWrong
	case Pending, Unanswered, NoTruth, NoRules, VerdictUnset:
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

// Count is how many of the decided samples are right.
func (m Marks) Count() stat.Count {
	var c stat.Count
	for _, mark := range m {
		if mark != MarkUnset {
			c.Add(mark == MarkRight)
		}
	}
	return c
}

// Only is the marks of the samples that are wanted.
func (m Marks) Only(want func(eval.Ordinal) bool) Marks {
	out := make(Marks, len(m))
	for i, mark := range m {
		if want(eval.Ordinal(i)) { //nolint:gosec // an index of samples
			out[i] = mark
		}
	}
	return out
}

// Beside counts the samples that both have decided by what each makes of them,
// and those that only one has.
func (m Marks) Beside(o Marks) (p stat.Pairs, first, second int) {
	for i := range eval.Ordinal(max(len(m), len(o))) { //nolint:gosec // a number of samples
		switch a, b := m.At(i), o.At(i); {
		case a == MarkUnset && b == MarkUnset:
		case b == MarkUnset:
			first++
		case a == MarkUnset:
			second++
		default:
			p.Add(a == MarkRight, b == MarkRight)
		}
	}
	return p, first, second
}

// Shares gives for each of the marks the share right in every resample of the
// dataset's samples. All are of the same resamples, so that their differences
// are paired.
func Shares(all []Marks, r stat.Resampling) [][]float64 {
	n := 0
	for _, m := range all {
		n = max(n, len(m))
	}
	out := make([][]float64, len(all))
	if n == 0 {
		return out
	}
	sides := make([]lots, len(all))
	for i, m := range all {
		sides[i] = m.lots(n)
	}
	for weights := range r.Draws(n) {
		for i := range sides {
			out[i] = append(out[i], sides[i].share(weights))
		}
	}
	return out
}

// lots are the samples by what a run makes of them: sums over lists cost less
// than asking for every mark in every resample.
type lots struct {
	right, unset []int32
	whole        float64 // the share of all
}

// lots deals out n samples.
func (m Marks) lots(n int) lots {
	c := m.Count()
	l := lots{whole: float64(c.K) / math.Max(1, float64(c.N))}
	for i := range int32(n) { //nolint:gosec // a number of samples
		switch m.At(eval.Ordinal(i)) { //nolint:gosec // an index of samples
		case MarkRight:
			l.right = append(l.right, i)
		case MarkUnset:
			l.unset = append(l.unset, i)
		case MarkWrong:
		}
	}
	return l
}

// share is the share right where each sample counts as often as it was drawn.
// Where no decided sample was, it is that of all.
func (l *lots) share(weights []int32) float64 {
	decided := len(weights) - drawn(weights, l.unset) // as many are drawn as there are
	if decided == 0 {
		return l.whole
	}
	return float64(drawn(weights, l.right)) / float64(decided)
}

// drawn is how often samples were drawn.
func drawn(weights, samples []int32) int {
	n := int32(0)
	for _, i := range samples {
		n += weights[i]
	}
	return int(n)
}

// Gap is the difference of two shares of the same samples, with the percentile
// interval of what their resamples give. Where these all give the same the
// bootstrap would be sure of it however few the samples are, and Newcombe's
// interval stands.
func Gap(p stat.Pairs, first, second []float64) stat.Estimate {
	e := p.Difference("no sample in common")
	spread := make([]float64, len(first))
	for i := range first {
		spread[i] = first[i] - second[i]
	}
	if boot := e.Percentiles(spread); boot.High-boot.Low > 1e-12 {
		return boot
	}
	return e
}

// Floored is a difference that counts as nothing where it is negative, as
// leakage does: max(0, S_wv - S_t) (MMStar, Sec. 4.3).
func Floored(e stat.Estimate) stat.Estimate {
	if e.Reason() == "" {
		e.Value, e.Low, e.High = max(0, e.Value), max(0, e.Low), max(0, e.High)
	}
	return e
}
