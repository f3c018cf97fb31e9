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
	if c := a.Count(); c != (stat.Count{K: 3, N: 5}) {
		t.Errorf("%+v", c)
	}
	p, first, second := a.Beside(b)
	if p != (stat.Pairs{Both: 1, First: 1, Second: 1, Neither: 1}) || first != 1 || second != 2 {
		t.Errorf("%+v, %d, %d", p, first, second)
	}
	even := a.Only(func(o eval.Ordinal) bool { return o%2 == 0 })
	if c := even.Count(); c != (stat.Count{K: 2, N: 3}) {
		t.Errorf("%+v", c)
	}
	for v, want := range map[Verdict]Mark{Right: MarkRight, NotRight: MarkWrong, Pending: MarkUnset, NoTruth: MarkUnset} {
		if MarkOf(v) != want {
			t.Errorf("%v: %v", v, MarkOf(v))
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
	p, _, _ := a.Beside(b)
	if p != (stat.Pairs{Both: 40, First: 60, Second: 20, Neither: 80}) {
		t.Fatalf("%+v", p)
	}
	s := Shares([]Marks{a, b}, stat.Resampling{Times: 2000, Seed: 1})
	e := Gap(p, s[0], s[1])
	if e.Value != 0.2 || e.N != 200 || math.Abs(e.Low-0.117) > 0.008 || math.Abs(e.High-0.283) > 0.008 {
		t.Errorf("%+v", e)
	}
	if turned := Floored(Gap(stat.Pairs{Both: 40, First: 20, Second: 60, Neither: 80}, s[1], s[0])); turned.Value != 0 || turned.Low != 0 || turned.High != 0 {
		t.Errorf("floored: %+v", turned)
	}
	if flat := Gap(stat.Pairs{Both: 3}, []float64{1, 1}, []float64{1, 1}); flat.Value != 0 || flat.Low > -0.3 || flat.High < 0.3 {
		t.Errorf("three samples alike: %+v", flat)
	}
	if none := Floored(Gap(stat.Pairs{}, nil, nil)); none.Reason() != "no sample in common" {
		t.Errorf("of nothing: %+v", none)
	}
}
