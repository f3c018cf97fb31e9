package criteria

import (
	"fmt"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

func surveyOf(t *testing.T) *Coverage {
	t.Helper()
	v := new(Coverage)
	add := func(path []string, more []Warning, lines ...string) {
		s := &eval.Sample{Taxonomy: path, Type: eval.OpenEnded}
		set := NewSet("d", 7)
		if len(lines) > 0 {
			set = script(t, nil, lines...)
		}
		v.AddSample(s, &set, more...)
	}
	a1, a2, b1 := []string{"a", "1"}, []string{"a", "2"}, []string{"b", "1"}
	add(a1, nil)
	add(b1, []Warning{SmallPicture}, "ann draft x", "ann assign bob")
	add(a2, nil, "ann draft x", "ann submit", "bob accept")
	add(a1, nil, "ann draft x", "ann submit", "bob request_changes why", "ann revise y", "bob request_changes why", "ann revise z", "eve accept", "eve verify")
	add(a1, nil, "cat draft x", "cat submit", "bob request_changes why", "cat revise y")
	add(a1, nil, "cat draft x|y|z|w", "cat submit", "bob request_changes why", "bob undo 3")
	add(b1, []Warning{SmallPicture}, "ann discard blurred", "ann replace 9")
	add(b1, nil, "ann draft x", "bob discard blurred")
	return v
}

func TestSurvey(t *testing.T) {
	v := surveyOf(t)
	quotas := []Quota{{Level: 2, N: 4}, {Path: []string{"a", "2"}, N: 1}, {Path: []string{"c", "3"}, N: 2}}
	var got []string
	for _, g := range v.ListGroups(quotas) {
		got = append(got, fmt.Sprint(g.Path, g.Samples, g.States, g.Discarded, g.Replaced, g.Wanted, g.CountMissing(), g.CoverageRate().K, g.CoverageRate().N))
	}
	want := []string{
		"[] 6 [1 1 2 0 1 1] 2 1 0 0 2 6",
		"[a] 5 [1 0 2 0 1 1] 0 0 0 0 2 5",
		"[a 1] 4 [1 0 2 0 0 1] 0 0 4 0 1 4",
		"[a 2] 1 [0 0 0 0 1 0] 0 0 1 0 1 1",
		"[b] 1 [0 1 0 0 0 0] 2 1 0 0 0 1",
		"[b 1] 1 [0 1 0 0 0 0] 2 1 4 3 0 4",
		"[c] 0 [0 0 0 0 0 0] 0 0 0 0 0 0",
		"[c 3] 0 [0 0 0 0 0 0] 0 0 2 2 0 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := fmt.Sprint(v.Rounds()), "[{1 4 2 1 2} {2 2 1 0 1} {3 1 0 1 0}]"; got != want {
		t.Errorf("rounds %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(v.People()), "[{ann 4 6 0 0 0 1} {bob 0 0 3 0 1 1} {cat 2 3 0 0 0 0} {eve 0 0 1 1 0 0}]"; got != want {
		t.Errorf("people %s, want %s", got, want)
	}
	if v.Warnings[ManyCriteria] != 1 || v.Warnings[SmallPicture] != 1 || v.Warnings[NoType] != 0 {
		t.Errorf("warnings %v", v.Warnings[:8])
	}
	finest := surveyOf(t).ListGroups([]Quota{{Level: annotate.FinestLevel, N: 9}})
	if finest[1].Wanted != 0 || finest[2].Wanted != 9 {
		t.Errorf("%+v", finest)
	}
}
