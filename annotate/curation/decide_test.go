package curation

import (
	"slices"
	"testing"
)

var (
	coarse = []string{"perception", "coarse"}
	fine   = []string{"perception", "fine"}
	logic  = []string{"reasoning", "logic"}
)

func says(vs ...Verdict) []ExpertWord {
	out := make([]ExpertWord, len(vs))
	for i, v := range vs {
		out[i] = ExpertWord{Verdict: v}
	}
	return out
}

func TestDecide(t *testing.T) {
	check := func(experts int, words []ExpertWord, ruling *ExpertWord, want Decision) {
		t.Helper()
		got := Panel{experts}.DecideSample(words, ruling, coarse)
		if got.Outcome != want.Outcome || got.Verdict != want.Verdict || got.Votes != want.Votes || got.Of != len(words) ||
			got.Split != want.Split || got.Ruled != (ruling != nil) {
			t.Errorf("%v, adjudication %v: %+v, want %+v", words, ruling, got, want)
		}
	}
	check(0, nil, nil, Decision{})
	check(1, says(NeedsImage), nil, Decision{Outcome: Accepted, Verdict: NeedsImage, Votes: 1})
	check(3, says(NeedsImage, NeedsImage), nil, Decision{})
	check(3, says(NeedsImage, Wrong, NeedsImage), nil, Decision{Outcome: Accepted, Verdict: NeedsImage, Votes: 2, Split: true})
	check(3, says(Wrong, NeedsImage, Duplicate), nil, Decision{Outcome: Dropped, Verdict: Wrong, Votes: 2, Split: true})
	check(3, says(Duplicate, Wrong, Duplicate), nil, Decision{Outcome: Dropped, Verdict: Duplicate, Votes: 3, Split: true})
	check(2, says(NeedsImage, InQuestion), nil, Decision{Outcome: Contested, Split: true})
	check(2, says(NeedsImage, InQuestion), &ExpertWord{Verdict: NeedsImage}, Decision{Outcome: Accepted, Verdict: NeedsImage, Votes: 1, Split: true})
	check(3, says(NeedsImage), &ExpertWord{Verdict: NeedsNone}, Decision{Outcome: Dropped, Verdict: NeedsNone})
}

func TestPlace(t *testing.T) {
	at := func(axes ...[]string) []ExpertWord {
		out := make([]ExpertWord, len(axes))
		for i, axis := range axes {
			out[i] = ExpertWord{Verdict: NeedsImage, Axis: axis}
		}
		return out
	}
	check := func(words []ExpertWord, ruling *ExpertWord, own, want []string, disputed bool) {
		t.Helper()
		d := Panel{1}.DecideSample(words, ruling, own)
		if !slices.Equal(d.Axis, want) || d.IsDisputed() != disputed {
			t.Errorf("%v: %v, disputed %v, want %v, %v", words, d.Axis, d.IsDisputed(), want, disputed)
		}
	}
	check(nil, nil, coarse, coarse, false)
	check(at(nil), nil, coarse, coarse, false)
	check(at(nil), nil, nil, nil, false)
	check(at(fine), nil, coarse, fine, false)
	check(at(fine, nil, fine), nil, coarse, fine, false)
	check(at(fine, coarse, nil), nil, coarse, coarse, false) // left there is put there
	check(at(fine, nil), nil, coarse, coarse, true)
	check(at(fine, logic, nil), nil, coarse, coarse, true)
	check(at(fine, nil), &ExpertWord{Verdict: NeedsImage, Axis: logic}, coarse, logic, false)
	check(at(fine, nil), &ExpertWord{Verdict: NeedsImage}, coarse, coarse, false)
}

func TestRulingOf(t *testing.T) {
	check := func(want bool, rulings ...ExpertWord) {
		t.Helper()
		if got := StandingRuling(rulings); (got != nil) != want {
			t.Errorf("%v: %v", rulings, got)
		}
	}
	check(false)
	check(true, ExpertWord{Verdict: Wrong})
	check(true, ExpertWord{Verdict: Wrong}, ExpertWord{Verdict: Duplicate})
	check(false, ExpertWord{Verdict: Wrong}, ExpertWord{Verdict: NeedsImage})
	check(false, ExpertWord{Verdict: Wrong, Axis: fine}, ExpertWord{Verdict: Wrong})
}
