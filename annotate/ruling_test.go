package annotate

import (
	"errors"
	"testing"
	"time"

	"concord/eval"
)

func adjudicating(t *testing.T, n int, acts ...Act) *Session {
	t.Helper()
	s, err := NewSession(Opening{
		Queue: Queue{Name: "q", Overlap: 1}, Annotator: "ann", Items: itemsOf(0, n), Acts: acts,
		Others: map[ItemKey]int{keyOf(0): 1, keyOf(1): 1},
		Now:    func() time.Time { return t0 }, Adjudicating: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An adjudicator is offered what others have labelled, says blind what they
// make of it, and sees everybody's word from then on.
func TestAnAdjudicatorAnswersBeforeTheySee(t *testing.T) {
	s := adjudicating(t, 2)
	if s.Len() != 2 || s.Open() != 2 {
		t.Fatalf("offered %d with %d open", s.Len(), s.Open())
	}
	if _, err := s.Confront(keyOf(0)); !errors.Is(err, ErrBlind) {
		t.Errorf("shown before an answer: %v", err)
	}
	if _, ok := s.Label(pick("A"), 0); ok {
		t.Error("a label was given in a session of rulings")
	}
	if _, ok := s.Rule(Reading{}, CauseUnset, 0); ok {
		t.Error("a ruling that says nothing was taken")
	}
	a, ok := s.Rule(pick("B"), CauseUnset, time.Second)
	if !ok || a.Kind != Ruled || a.Informed || a.N != 1 || a.Spent != time.Second {
		t.Fatalf("Rule = %+v, %v", a, ok)
	}
	at(t, s, 0) // the cause is still to come
	look, err := s.Confront(keyOf(0))
	if err != nil || look.Kind != Looked {
		t.Fatalf("Confront = %+v, %v", look, err)
	}
	if a, ok = s.Rule(pick("A"), CauseUnset, 0); !ok || !a.Informed {
		t.Errorf("another choice: %+v, %v", a, ok)
	}
	s.Undo()
	if a, ok = s.Rule(pick("B"), PersonRight, time.Second); !ok || a.Informed || a.Spent != 2*time.Second {
		t.Errorf("the cause: %+v, %v", a, ok)
	}
	if _, ok := s.Rule(pick("B"), PersonRight, 0); ok {
		t.Error("the same ruling was given again")
	}
	s.Note("unclear")
	if r := s.State().Rulings[keyOf(0)]; r.Cause != PersonRight || r.Note != "unclear" || len(s.State().Labels) != 0 {
		t.Errorf("ruling %+v, labels %v", r, s.State().Labels)
	}
	if s.Open() != 1 {
		t.Errorf("%d open", s.Open())
	}
	s.ToOpen()
	at(t, s, 1)
}

// Undo belongs to the trade: who adjudicates takes back no label, and who
// labels no ruling.
func TestUndoOfRulings(t *testing.T) {
	label := Act{Queue: "q", Annotator: "ann", N: 1, Item: keyOf(1), Kind: Labelled, Reading: pick("A")}
	s := adjudicating(t, 2, label)
	if s.CanUndo() {
		t.Error("an adjudicator may undo a label")
	}
	s.Rule(pick("B"), CauseUnset, 0)
	s.Rule(pick("C"), BothWrong, 0)
	s.Undo()
	if r := s.State().Rulings[keyOf(0)]; r.Reading.Choice != "B" || r.Cause != CauseUnset {
		t.Errorf("after one undo: %+v", r)
	}
	s.Undo()
	if len(s.State().Rulings) != 0 || s.CanUndo() {
		t.Errorf("after two: %+v", s.State().Rulings)
	}
	s.Redo()
	s.Redo()
	if r := s.State().Rulings[keyOf(0)]; r.Cause != BothWrong {
		t.Errorf("after redo: %+v", r)
	}
	labelling := open(t, 2, s.acts...)
	if _, of, ok := labelling.Undo(); !ok || of.Kind != Labelled || len(labelling.State().Rulings) != 1 {
		t.Errorf("a labelling session undid %+v", of)
	}
}

func TestWhoIsRight(t *testing.T) {
	found := func(c eval.Choice) eval.Extraction { return eval.Extraction{Status: eval.Found, Choice: c} }
	check := func(final, people Reading, machine eval.Extraction, said, want Cause) {
		t.Helper()
		r := Ruling{Reading: final, Cause: said}
		if got := r.Says(people, machine); got != want {
			t.Errorf("final %s, people %s, machine %s: %s, want %s", final.Word(), people.Word(), machine.Choice, got, want)
		}
	}
	check(pick("A"), pick("A"), found("B"), CauseUnset, PersonRight)
	check(pick("B"), pick("A"), found("B"), CauseUnset, JudgeRight)
	check(pick("C"), pick("A"), found("B"), JudgeRight, BothWrong) // right about another machine
	check(pick("A"), pick("A"), found("B"), AmbiguousCause, AmbiguousCause)
	check(Reading{Verdict: SaidAmbiguous}, pick("A"), found("B"), CauseUnset, AmbiguousCause)
	check(Reading{Verdict: SaidNone}, pick("A"), found("B"), CauseUnset, BothWrong)
	check(Reading{Verdict: SaidAmbiguous}, Reading{Verdict: SaidNone}, found("B"), CauseUnset, PersonRight)
	check(pick("A"), pick("B"), found("B"), CauseUnset, CauseUnset) // nothing to settle
}

func TestAdjudicatorsWhoDifferSettleNothing(t *testing.T) {
	a, b, c := Ruling{Reading: pick("A"), Annotator: "ann"}, Ruling{Reading: pick("A"), Annotator: "ben"}, Ruling{Reading: pick("B")}
	if r, ok := RulingOf([]Ruling{a, b}); !ok || r.Annotator != "ann" {
		t.Errorf("of two who agree: %+v, %v", r, ok)
	}
	if _, ok := RulingOf([]Ruling{a, b, c}); ok {
		t.Error("of those who differ one stands")
	}
}

// A ruling moves figures under Adjudicated alone, and splits Case II by who
// was right.
func TestRulingsCountWhenAdjudicatedIsAskedFor(t *testing.T) {
	label := func(who Annotator, c eval.Choice) Label { return Label{Annotator: who, Reading: pick(c)} }
	said := map[eval.Ordinal]eval.Choice{0: "A", 1: "B", 2: "B", 3: "C"}
	items := []AlignItem{
		{Key: keyOf(0), Labels: []Label{label("ann", "A"), label("ben", "A")}},
		{Key: keyOf(1), Labels: []Label{label("ann", "A"), label("ben", "A")}, Ruling: &Ruling{Reading: pick("B")}},
		{Key: keyOf(2), Labels: []Label{label("ann", "A"), label("ben", "B")}, Ruling: &Ruling{Reading: pick("B")}},
		{Key: keyOf(3), Labels: []Label{label("ann", "A"), label("ben", "A")}},
	}
	x := []Extractor{{Name: "gpt", Read: func(k eval.Key) (eval.Extraction, bool) {
		return eval.Extraction{Status: eval.Found, Choice: said[k.Sample]}, true
	}}}
	before := Align(items, x, Basis{Policy: Majority, Undecided: Dropped})[0]
	if before.Alignment.K != 1 || before.Alignment.N != 3 || before.CaseTwo != 2 {
		t.Errorf("before: %+v", before)
	}
	want := CaseTwoCauses{JudgeRight: 1, Open: 1}
	if s := before.Settled; s == nil || s.Items != 2 || s.Alignment.K != 3 || s.Alignment.N != 4 || s.CaseTwo != want {
		t.Errorf("settled: %+v", s)
	}
	after := Align(items, x, Basis{Policy: Adjudicated, Undecided: Dropped})[0]
	if after.Alignment != before.Settled.Alignment || after.CaseTwo != 1 || after.Settled.CaseTwo != want {
		t.Errorf("after: %+v", after)
	}
}
