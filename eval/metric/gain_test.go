package metric

import (
	"math"
	"testing"

	"concord/eval"
	"concord/eval/stat"
)

// marks reads + right, - wrong, . not decided.
func marks(s string) Marks {
	var out Marks
	for i, c := range s {
		out.Set(eval.Ordinal(i), map[rune]Mark{'+': MarkRight, '-': MarkWrong}[c])
	}
	return out
}

func TestMarks(t *testing.T) {
	a, b := marks("++--+."), marks("+-+-.++")
	if c := a.CountRight(); c != (stat.Count{K: 3, N: 5}) {
		t.Errorf("%+v", c)
	}
	p, first, second := a.CompareWith(b)
	if p != (stat.Pairs{Both: 1, First: 1, Second: 1, Neither: 1}) || first != 1 || second != 2 {
		t.Errorf("%+v, %d, %d", p, first, second)
	}
	even := a.KeepMarksOf(func(o eval.Ordinal) bool { return o%2 == 0 })
	if c := even.CountRight(); c != (stat.Count{K: 2, N: 3}) {
		t.Errorf("%+v", c)
	}
	for v, want := range map[QuestionState]Mark{Right: MarkRight, NotRight: MarkWrong, Pending: MarkUnset, NoTruth: MarkUnset} {
		if MarkOfState(v) != want {
			t.Errorf("%v: %v", v, MarkOfState(v))
		}
	}
}

// Of 200 samples 60 are right with the picture alone and 20 without it alone:
// the difference is 0.2, its standard error sqrt((0.4 - 0.04) / 200) = 0.0424,
// so that the interval is about [0.117, 0.283].
func TestGap(t *testing.T) {
	var a, b Marks
	for i := range eval.Ordinal(200) {
		a.Set(i, MarkWrong)
		b.Set(i, MarkWrong)
		if i < 100 {
			a.Set(i, MarkRight)
		}
		if i >= 60 && i < 120 {
			b.Set(i, MarkRight)
		}
	}
	p, _, _ := a.CompareWith(b)
	if p != (stat.Pairs{Both: 40, First: 60, Second: 20, Neither: 80}) {
		t.Fatalf("%+v", p)
	}
	e := a.ContrastWith(b, nil)
	if e.Value != 0.2 || e.N != 200 || e.Clusters != 200 || math.Abs(e.Low-0.117) > 0.004 || math.Abs(e.High-0.283) > 0.004 {
		t.Errorf("%+v", e.Estimate)
	}
	sum, squares := 0.0, 0.0
	for _, u := range e.Influence {
		sum, squares = sum+u, squares+u*u
	}
	if math.Abs(sum) > 1e-12 || math.Abs(math.Sqrt(squares)-0.0424) > 1e-4 {
		t.Errorf("influences of %v, standard error %v", sum, math.Sqrt(squares))
	}
	if turned := ReverseContrast(a.ContrastWith(b, nil)); turned.Value != -0.2 || ClampAtZero(turned.Estimate).Value != 0 || ClampAtZero(turned.Estimate).Low != 0 {
		t.Errorf("turned: %+v", turned.Estimate)
	}
	if none := (Marks{}).ContrastWith(nil, nil); none.WhyUndefined() != "no sample in common" {
		t.Errorf("of nothing: %+v", none)
	}
	// Two samples share each image: the same marks are worth half as many.
	clusters := make([]int32, 200)
	for i := range clusters {
		clusters[i] = int32(i / 2)
	}
	if twice := a.ContrastWith(b, clusters); twice.N != 200 || twice.Clusters != 100 || math.Abs((twice.High-twice.Low)/(e.High-e.Low)-math.Sqrt2) > 0.05 {
		t.Errorf("%+v beside %+v", twice.Estimate, e.Estimate)
	}
	if r := a.Rate(clusters, ""); r.Clusters != 100 || r.K != 100 {
		t.Errorf("%+v", r)
	}
	out := a.ContrastWithValue(0.3, nil)
	if w := stat.NewRate(100, 200); out.Value != 0.2 || out.Low != w.Low-0.3 || out.N != 200 {
		t.Errorf("beside a score from elsewhere: %+v", out.Estimate)
	}
}
