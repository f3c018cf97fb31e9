package curation

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

func open(t *testing.T, o Opening) *Board {
	t.Helper()
	o.Now = noon
	if o.Expert == "" {
		o.Expert = "ann"
	}
	if o.Items == nil {
		o.Items = []Item{{0, coarse}, {1, coarse}, {2, fine}, {3, nil}}
	}
	b, err := NewBoard(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// others makes acts of an expert: a verdict on each sample in turn.
func others(who annotate.Annotator, vs ...Verdict) []Act {
	var out []Act
	for i, v := range vs {
		out = append(out, Act{Expert: who, N: uint32(i + 1), Sample: eval.Ordinal(i), Kind: Judged, Verdict: v})
	}
	return out
}

func did(t *testing.T, n uint32) func(Act, bool) {
	return func(a Act, ok bool) {
		t.Helper()
		if !ok || a.N != n || a.Expert != "ann" || !a.At.Equal(noon()) {
			t.Errorf("act %+v, %v, want number %d", a, ok, n)
		}
	}
}

func nothing(t *testing.T) func(Act, bool) {
	return func(a Act, ok bool) {
		t.Helper()
		if ok {
			t.Errorf("did %+v", a)
		}
	}
}

func TestActsAndUndo(t *testing.T) {
	b := open(t, Opening{})
	nothing(t)(b.GiveVerdict(9, Wrong, 0))
	nothing(t)(b.GiveVerdict(0, VerdictUnset, 0))
	did(t, 1)(b.GiveVerdict(0, NeedsImage, time.Second))
	nothing(t)(b.GiveVerdict(0, NeedsImage, 0))
	did(t, 2)(b.SetAxis(0, fine))
	nothing(t)(b.SetAxis(0, fine))
	did(t, 3)(b.SkipCandidate(1, 0))
	nothing(t)(b.SkipCandidate(0, 0))
	did(t, 4)(b.SetNote(0, "odd"))
	w, ok := b.State().WordOn(0)
	if !ok || w.Verdict != NeedsImage || !slices.Equal(w.Axis, fine) || w.Note != "odd" || w.Spent != time.Second {
		t.Errorf("word %+v", w)
	}
	for o, want := range map[eval.Ordinal]CandidateStanding{0: Mine, 1: PutOff, 2: ToDo} {
		if got := b.StandingOf(o); got != want {
			t.Errorf("sample %d stands at %d, want %d", o, got, want)
		}
	}
	undo := func(of uint32) {
		t.Helper()
		if a, taken, ok := b.Undo(); !ok || a.Target != of || taken.N != of {
			t.Errorf("undid %+v by %+v", taken, a)
		}
	}
	undo(4)
	undo(3)
	undo(2)
	if w, _ := b.State().WordOn(0); w.Axis != nil || w.Note != "" || b.StandingOf(1) != ToDo {
		t.Errorf("after undo: %+v", w)
	}
	if _, of, ok := b.Redo(); !ok || of.N != 2 || !slices.Equal(b.AxisOf(0), fine) {
		t.Errorf("redid %+v", of)
	}
	did(t, 9)(b.GiveVerdict(0, Wrong, 0))
	if b.State().CanRedo() {
		t.Error("something new leaves nothing to do again")
	}
	undo(9)
	undo(2)
	undo(1)
	if b.State().CanUndo() || b.State().HasAnswered(0) {
		t.Error("something is left")
	}
	if again := open(t, Opening{Acts: b.acts}); !reflect.DeepEqual(again.state, b.state) {
		t.Errorf("opened again: %+v, want %+v", again.state, b.state)
	}
}

// Nobody is told what others say of a sample before their own word.
func TestBlind(t *testing.T) {
	acts := slices.Concat(others("bob", NeedsImage, NeedsImage), others("cy", NeedsImage))
	b := open(t, Opening{Acts: acts, Panel: Panel{Experts: 2}})
	blind := func(o eval.Ordinal) {
		t.Helper()
		_, err := b.DecisionOn(o)
		_, _, look, err2 := b.OtherWords(o)
		if !errors.Is(err, annotate.ErrBlind) || !errors.Is(err2, annotate.ErrBlind) || look.N != 0 {
			t.Errorf("sample %d: %v, %v, %+v", o, err, err2, look)
		}
	}
	blind(0)
	blind(1)
	if s := []CandidateStanding{b.StandingOf(0), b.StandingOf(1), b.StandingOf(2)}; !slices.Equal(s, []CandidateStanding{NotNeeded, ToDo, ToDo}) {
		t.Errorf("standings %v", s)
	}
	if n := b.CountWords(); n["ann"] != 0 || n["bob"] != 2 || n["cy"] != 1 {
		t.Errorf("words %v", n)
	}
	// Sample 0 is decided without ann, and counts; bob's word on sample 1 does not.
	if all := b.VisibleBalance()[0]; all.Accepted != 1 || all.Candidates != 4 {
		t.Errorf("balance %+v", all)
	}
	did(t, 1)(b.GiveVerdict(1, NeedsNone, 0))
	words, _, look, err := b.OtherWords(1)
	if err != nil || len(words) != 1 || words[0].Expert != "bob" || look.N != 2 || look.Kind != Looked {
		t.Errorf("others %v, %+v, %v", words, look, err)
	}
	if _, _, look, _ := b.OtherWords(1); look.N != 0 {
		t.Errorf("looked again: %+v", look)
	}
	if a, _ := b.GiveVerdict(1, NeedsImage, 0); !a.Informed {
		t.Error("a verdict after the others' is no blind one")
	}
	if d, err := b.DecisionOn(1); err != nil || d.Outcome != Accepted {
		t.Errorf("decision %+v, %v", d, err)
	}
	if _, of, _ := b.Undo(); of.Kind != Judged || of.Verdict != NeedsImage {
		t.Errorf("undid %+v: what was seen cannot be unseen", of)
	}
}

func TestRule(t *testing.T) {
	acts := slices.Concat(others("bob", NeedsImage, NeedsImage), others("cy", Wrong, NeedsImage))
	b := open(t, Opening{Acts: acts, Panel: Panel{Experts: 2}})
	if !b.IsDisputed(0) || b.IsDisputed(1) || b.IsDisputed(2) {
		t.Error("sample 0 alone is disputed")
	}
	nothing(t)(b.Adjudicate(1, Wrong, nil, 0))
	did(t, 1)(b.Adjudicate(0, NeedsImage, logic, 0))
	nothing(t)(b.Adjudicate(0, NeedsImage, logic, 0))
	d, err := b.DecisionOn(0)
	if err != nil || d.Outcome != Accepted || !d.Ruled || !slices.Equal(d.Axis, logic) || b.IsDisputed(0) {
		t.Errorf("adjudicated: %+v, %v", d, err)
	}
	did(t, 2)(b.Adjudicate(0, Wrong, nil, 0)) // rulings can be changed
	if d, _ := b.DecisionOn(0); d.Outcome != Dropped || !slices.Equal(d.Axis, coarse) {
		t.Errorf("settled anew: %+v", d)
	}
	if _, of, _ := b.Undo(); of.N != 2 {
		t.Errorf("undid %+v", of)
	}
	if d, _ := b.DecisionOn(0); d.Outcome != Accepted {
		t.Errorf("after undo: %+v", d)
	}
}

func TestBalance(t *testing.T) {
	b := open(t, Opening{Targets: []criteria.Quota{{Level: annotate.FinestLevel, N: 2}, {Path: logic, N: 5}}})
	did(t, 1)(b.GiveVerdict(0, NeedsImage, 0))
	did(t, 2)(b.GiveVerdict(1, Duplicate, 0))
	did(t, 3)(b.SetAxis(2, logic))
	did(t, 4)(b.GiveVerdict(2, NeedsImage, 0))
	did(t, 5)(b.GiveVerdict(3, NeedsImage, 0)) // of no axis
	got := ""
	for _, g := range b.VisibleBalance() {
		got += fmt.Sprintf("%s %d/%d of %d %v\n", eval.JoinPath(g.Path), g.Accepted, g.Target, g.Candidates, g.IsLeaf())
	}
	const want = ` 3/9 of 4 false
perception 1/4 of 2 false
perception / coarse 1/2 of 2 true
perception / fine 0/2 of 0 true
reasoning 1/5 of 1 false
reasoning / logic 1/5 of 1 true
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if axes := b.Axes(); len(axes) != 3 || !slices.Equal(axes[2], logic) {
		t.Errorf("axes %v", axes)
	}
}

func TestOpenRefusesGaps(t *testing.T) {
	for _, acts := range [][]Act{{{Expert: "ann", N: 2}}, {{Expert: "bob", N: 1}, {Expert: "bob", N: 1}}, {{Dataset: "d", Expert: "bob", N: 1}}} {
		if _, err := NewBoard(Opening{Expert: "ann", Acts: acts}); !errors.Is(err, annotate.ErrConflict) {
			t.Errorf("%+v: %v", acts, err)
		}
	}
}

func TestParseVerdict(t *testing.T) {
	for _, v := range AllVerdicts() {
		if got, err := ParseVerdict(v.String()); got != v || err != nil {
			t.Errorf("%s: %v, %v", v, got, err)
		}
	}
	for _, s := range []string{"", "maybe"} {
		if v, err := ParseVerdict(s); err == nil {
			t.Errorf("%q is %v", s, v)
		}
	}
}

// What could not be stored is done again behind what the expert did elsewhere:
// what was undone among it stays undone, and an undo of what came before is told.
func TestAgain(t *testing.T) {
	b := open(t, Opening{})
	did(t, 1)(b.GiveVerdict(3, Wrong, 0))
	first, _ := b.GiveVerdict(0, NeedsImage, time.Second)
	second, _ := b.GiveVerdict(1, Duplicate, 0)
	undone, _, _ := b.Undo()
	done, _, _ := b.Redo()
	placed, _ := b.SetAxis(1, fine)
	unplaced, _, _ := b.Undo()
	now := func() *Board {
		return open(t, Opening{Acts: []Act{{Expert: "ann", N: 1, Sample: 3, Kind: Judged, Verdict: Wrong}, {Expert: "ann", N: 2, Sample: 2, Kind: Judged, Verdict: Wrong}}})
	}
	acts, left := now().RedoRefused([]Act{first, second, undone, done, placed, unplaced})
	if len(acts) != 2 || acts[0].N != 3 || acts[0].Verdict != NeedsImage || acts[0].Spent != time.Second || acts[1].Sample != 1 || acts[1].N != 4 || left != 0 {
		t.Errorf("%+v, %d left", acts, left)
	}
	acts, left = now().RedoRefused([]Act{first, second, undone, {Expert: "ann", N: 5, Sample: 3, Kind: TookBack, Target: 1}})
	if len(acts) != 1 || acts[0].Sample != 0 || left != 1 {
		t.Errorf("%+v, %d left", acts, left)
	}
	seen := first
	seen.Informed = true
	if acts, _ = now().RedoRefused([]Act{seen}); len(acts) != 2 || acts[0].Kind != Looked || !acts[1].Informed {
		t.Errorf("what was seen is no blind word: %+v", acts)
	}
	// Two boards gave one number: the undo is of the second.
	other := first
	other.Sample, other.Verdict = 1, Wrong
	acts, left = now().RedoRefused([]Act{first, other, {Expert: "ann", N: 3, Sample: 1, Kind: TookBack, Target: first.N}})
	if len(acts) != 1 || acts[0].Sample != 0 || left != 0 {
		t.Errorf("%+v, %d left", acts, left)
	}
}
