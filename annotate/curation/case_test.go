package curation

import (
	"slices"
	"testing"

	"concord/annotate"
)

func TestCases(t *testing.T) {
	acts := slices.Concat(others("cy", NeedsImage, Wrong), others("ann", NeedsImage, NeedsImage), []Act{
		{Expert: "eve", N: 1, Sample: 1, Kind: Ruled, Verdict: Duplicate},
	})
	cases, experts, err := BuildCases([]Item{{0, coarse}, {1, fine}, {2, nil}}, acts, Panel{2})
	if err != nil || !slices.Equal(experts, []annotate.Annotator{"ann", "cy"}) {
		t.Fatalf("experts %v, %v", experts, err)
	}
	want := []Outcome{Accepted, Dropped, Open}
	for i, c := range cases {
		if c.Decision.Outcome != want[i] || len(c.Words) != []int{2, 2, 0}[i] || (c.Ruling != nil) != (i == 1) {
			t.Errorf("sample %d: %+v", i, c)
		}
	}
	if _, _, err := BuildCases(nil, []Act{{Expert: "ann", N: 2}}, Panel{}); err == nil {
		t.Error("a gap is not seen")
	}
}

// What is said again makes no act; what is said anew makes the acts of it.
func TestSay(t *testing.T) {
	st := FoldActs([]Act{{N: 1, Sample: 1, Kind: Judged, Verdict: Wrong}})
	check := func(w ExpertWord, ruling bool, want ...Kind) {
		t.Helper()
		var got []Kind
		for _, a := range st.ActsForWord(1, w, ruling) {
			if !a.Imported {
				t.Errorf("%+v came from a file", a)
			}
			got = append(got, a.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", w, got, want)
		}
	}
	check(ExpertWord{Verdict: Wrong}, false)
	check(ExpertWord{Verdict: NeedsImage}, false, Judged)
	check(ExpertWord{Verdict: Wrong, Axis: fine, Note: "odd"}, false, Placed, Noted)
	check(ExpertWord{Verdict: Wrong}, true, Ruled)
	for _, a := range st.ActsForWord(1, ExpertWord{Verdict: Wrong, Axis: fine, Note: "odd"}, false) {
		st.AddAct(&a)
	}
	check(ExpertWord{Verdict: Wrong, Axis: fine, Note: "odd"}, false)
}
