package session

import (
	"errors"
	"testing"
	"time"

	"concord/annotate"
)

func adjudicating(t *testing.T, n int, acts ...annotate.Act) *Session {
	t.Helper()
	s, err := New(Opening{
		Queue: annotate.Queue{Name: "q", Overlap: 1}, Annotator: "ann", Items: itemsOf(0, n), Acts: acts,
		Others: map[annotate.ItemKey]int{keyOf(0): 1, keyOf(1): 1},
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
	if s.Walk.Len() != 2 || s.Walk.CountOpen() != 2 {
		t.Fatalf("offered %d with %d open", s.Walk.Len(), s.Walk.CountOpen())
	}
	if _, err := s.RecordLookAtOthers(keyOf(0)); !errors.Is(err, annotate.ErrBlind) {
		t.Errorf("shown before an answer: %v", err)
	}
	if _, ok := s.LabelAndAdvance(pick("A"), 0); ok {
		t.Error("a label was given in a session of adjudications")
	}
	if _, ok := s.Adjudicate(annotate.Reading{}, annotate.CauseUnset, 0); ok {
		t.Error("an adjudication that says nothing was taken")
	}
	a, ok := s.Adjudicate(pick("B"), annotate.CauseUnset, time.Second)
	if !ok || a.Kind != annotate.Ruled || a.Informed || a.N != 1 || a.Spent != time.Second {
		t.Fatalf("Rule = %+v, %v", a, ok)
	}
	at(t, s, 0) // the cause is still to come
	look, err := s.RecordLookAtOthers(keyOf(0))
	if err != nil || look.Kind != annotate.Looked {
		t.Fatalf("Confront = %+v, %v", look, err)
	}
	if a, ok = s.Adjudicate(pick("A"), annotate.CauseUnset, 0); !ok || !a.Informed {
		t.Errorf("another choice: %+v, %v", a, ok)
	}
	s.Undo()
	if a, ok = s.Adjudicate(pick("B"), annotate.PersonRight, time.Second); !ok || a.Informed || a.Spent != 2*time.Second {
		t.Errorf("the cause: %+v, %v", a, ok)
	}
	if _, ok := s.Adjudicate(pick("B"), annotate.PersonRight, 0); ok {
		t.Error("the same adjudication was given again")
	}
	s.SetNote("unclear")
	if r := s.Own.State().Rulings[keyOf(0)]; r.Cause != annotate.PersonRight || r.Note != "unclear" || len(s.Own.State().Labels) != 0 {
		t.Errorf("adjudication %+v, labels %v", r, s.Own.State().Labels)
	}
	if s.Walk.CountOpen() != 1 {
		t.Errorf("%d open", s.Walk.CountOpen())
	}
	s.Walk.ShowNextOpen()
	at(t, s, 1)
}

// Undo belongs to the trade: who adjudicates takes back no label, and who
// labels no ruling.
func TestUndoOfRulings(t *testing.T) {
	label := annotate.Act{Queue: "q", Annotator: "ann", N: 1, Item: keyOf(1), Kind: annotate.Labelled, Reading: pick("A")}
	s := adjudicating(t, 2, label)
	if s.Own.CanUndo() {
		t.Error("an adjudicator may undo a label")
	}
	s.Adjudicate(pick("B"), annotate.CauseUnset, 0)
	s.Adjudicate(pick("C"), annotate.BothWrong, 0)
	s.Undo()
	if r := s.Own.State().Rulings[keyOf(0)]; r.Reading.Choice != "B" || r.Cause != annotate.CauseUnset {
		t.Errorf("after one undo: %+v", r)
	}
	s.Undo()
	if len(s.Own.State().Rulings) != 0 || s.Own.CanUndo() {
		t.Errorf("after two: %+v", s.Own.State().Rulings)
	}
	s.Redo()
	s.Redo()
	if r := s.Own.State().Rulings[keyOf(0)]; r.Cause != annotate.BothWrong {
		t.Errorf("after redo: %+v", r)
	}
	labelling := open(t, 2, s.Own.acts...)
	if _, of, ok := labelling.Undo(); !ok || of.Kind != annotate.Labelled || len(labelling.Own.State().Rulings) != 1 {
		t.Errorf("a labelling session undid %+v", of)
	}
}
