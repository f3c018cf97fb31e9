package agree

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOneAgainstRest(t *testing.T) {
	check := func(table Table, others int, want float64, n int) {
		t.Helper()
		got := OneAgainstRest(table, others)
		if math.Abs(got.Value-want) > 1e-12 || got.N != n {
			t.Errorf("%v, %d others: %+v, want %v of %d", table, others, got, want, n)
		}
	}
	// Three that agree have the majority of any other three but their own one.
	check(Table{{"a", "a", "a", "b"}}, 0, 0.75, 1)
	// Of two and two, each sees one of its own and two others.
	check(Table{{"a", "a", "b", "b"}}, 0, 0, 1)
	// Of a, b, c each sees two others that tie, and is neither.
	check(Table{{"a", "b", "c"}, {"a", "a", "a"}}, 0, 0.5, 2)
	// Of a, a, b: an a sees a and b, a fair draw; b sees two a.
	check(Table{{"a", "a", "b"}}, 0, 1.0/3, 1)
	check(Table{{"a", "a", "b"}, {"a", ""}}, 1, 1.0/3, 1)
	if got := OneAgainstRest(Table{{"a"}}, 0); got.Undefined == "" {
		t.Errorf("of one rater: %+v", got)
	}
}

func TestPrefersLonger(t *testing.T) {
	share, by := PrefersLonger([]Lengths{{150, 100}, {100, 200}, {130, 100}, {40, 0}}, 30, 0.95)
	if share.K != 2 || share.N != 3 || math.Abs(by.Value-0.3/3) > 1e-12 {
		t.Errorf("%+v, %+v", share, by)
	}
	if share, by = PrefersLonger(nil, 30, 0.95); share.Undefined == "" || by.Undefined == "" {
		t.Errorf("of nothing: %+v, %+v", share, by)
	}
}

// Over all of the others a survey says the same as the draw of so many does.
func TestSurveySetsOneAgainstTheRest(t *testing.T) {
	table := ratings(rand.New(rand.NewPCG(8, 9)))
	want, got := OneAgainstRest(table, 0), table.NewPanel(Scale{}).summary(Bootstrap{Confidence: 0.95}).OneRest
	if math.Abs(got.Value-want.Value) > 1e-12 || math.Abs(got.Low-want.Low) > 1e-12 || got.N != want.N {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := (Table{{"A"}, {"B"}}).NewPanel(Scale{}).summary(Bootstrap{}).OneRest; c.Undefined == "" {
		t.Errorf("of one rater each: %+v", c)
	}
}
