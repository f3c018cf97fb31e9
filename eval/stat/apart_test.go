package stat

import (
	"math"
	"testing"
)

func TestApart(t *testing.T) {
	got := IndependentDifference(NewRate(60, 100), NewRate(80, 120))
	l1, h1 := WilsonInterval(60, 100, 0.975)
	l2, h2 := WilsonInterval(80, 120, 0.975)
	if got.N != 120 || math.Abs(got.Value-1.0/15) > 1e-12 || got.Low != l2-h1 || got.High != h2-l1 {
		t.Errorf("%+v", got)
	}
	// It is wider than that of the same items, and of other ones.
	same := Pairs{Both: 60, Neither: 40}.Difference("")
	if wide := IndependentDifference(NewRate(60, 100), NewRate(60, 100)); wide.Value != 0 || wide.Low >= same.Low || wide.High <= same.High {
		t.Errorf("%+v beside %+v", wide, same)
	}
	if got := IndependentDifference(UndefinedRate("left out"), NewRate(1, 2)); got.WhyUndefined() != "left out" {
		t.Errorf("of nothing: %+v", got)
	}
	if got := IndependentDifference(NewRate(1, 2), Rate{}); got.WhyUndefined() == "" {
		t.Errorf("of nothing: %+v", got)
	}
}
