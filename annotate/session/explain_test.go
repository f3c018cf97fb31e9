package session

import (
	"testing"
	"time"

	"concord/annotate"
)

// Rationale come with the label or after it, and change nothing else of it.
func TestGroundsOfALabel(t *testing.T) {
	s := open(t, 2)
	a, _ := s.LabelWithRationale(pick("B"), annotate.Rationale{Reason: "so", Confidence: 0.4}, time.Second)
	if a.Reason != "so" || a.Confidence != 0.4 {
		t.Errorf("label %+v", a)
	}
	if _, ok := s.SetRationale(annotate.Rationale{Reason: "why", Confidence: 1}); ok {
		t.Error("an item without a label was explained")
	}
	s.Walk.ShowPreviousFree()
	if _, ok := s.SetRationale(annotate.Rationale{Reason: "so", Confidence: 0.4}); ok {
		t.Error("the same grounds were given again")
	}
	if _, err := s.RecordLookAtOthers(keyOf(0)); err != nil { // now the machine's reading is known
		t.Fatal(err)
	}
	if a, ok := s.SetRationale(annotate.Rationale{Reason: "because", Confidence: 0.9}); !ok || a.Kind != annotate.Labelled || a.Informed || a.Spent != time.Second || a.Reading.Choice != "B" {
		t.Errorf("explained %+v", a)
	}
	at(t, s, 0)
	s.Undo()
	if l := s.Own.State().Labels[keyOf(0)]; l.Reason != "so" {
		t.Errorf("after undo %+v", l)
	}
}
