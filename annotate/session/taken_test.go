package session

import (
	"context"
	"reflect"
	"testing"

	"concord/annotate"
)

func TestTakenItemsLeaveTheList(t *testing.T) {
	s := open(t, 4)
	s.SkipAndAdvance(0)                     // 0
	a, _ := s.LabelAndAdvance(pick("A"), 0) // 1
	b, _ := s.LabelAndAdvance(pick("B"), 0) // 2
	at(t, s, 3)
	if news := s.MarkTooLate([]annotate.Act{a}); len(news) != 1 || news[0].N != a.N {
		t.Fatalf("told %+v", news)
	}
	if news := s.MarkTooLate([]annotate.Act{a}); news != nil {
		t.Errorf("told again: %+v", news)
	}
	at(t, s, 3)
	if _, ok := s.Own.State().Labels[keyOf(1)]; ok || s.Walk.Len() != 3 || s.Walk.CountOpen() != 2 || len(s.Own.State().Labels) != 1 {
		t.Fatalf("%d items, %d open, %+v", s.Walk.Len(), s.Walk.CountOpen(), s.Own.State())
	}
	u, of, _ := s.Undo()
	if u.N != 4 || of.N != b.N {
		t.Errorf("act %d undoes act %d, want the label that stands", u.N, of.N)
	}
	at(t, s, 2)
	s.MarkSaved(4)
	s.LabelAndAdvance(pick("C"), 0)
	s.LabelAndAdvance(pick("C"), 0)
	at(t, s, 0)
	s.LabelAndAdvance(pick("C"), 0)
	at(t, s, -1)
	if s.Walk.CountOpen() != 0 {
		t.Errorf("%d open", s.Walk.CountOpen())
	}
}

func TestTakenFromTheFront(t *testing.T) {
	s := open(t, 3)
	a, _ := s.LabelAndAdvance(pick("A"), 0)
	s.Walk.ShowPreviousFree()
	s.SkipAndAdvance(0) // of an answered item: nothing
	s.Walk.ShowPosition(0)
	s.MarkTooLate([]annotate.Act{a})
	at(t, s, 1)
	s = open(t, 1)
	a, _ = s.LabelAndAdvance(pick("A"), 0)
	s.Walk.ShowPreviousFree()
	s.MarkTooLate([]annotate.Act{a})
	at(t, s, -1)
	if _, ok := s.LabelAndAdvance(pick("A"), 0); ok || s.Walk.Len() != 0 || s.Own.CanUndo() {
		t.Error("the item is still there")
	}
}

// What was undone before the news came has nothing to undo, and nothing to do
// again.
func TestUndoOfWhatCameTooLate(t *testing.T) {
	s := open(t, 2)
	a, _ := s.LabelAndAdvance(pick("A"), 0)
	s.Undo()
	s.MarkTooLate([]annotate.Act{a})
	if s.Own.CanUndo() || s.Own.CanRedo() || s.Walk.Len() != 1 {
		t.Errorf("undo %v, redo %v, %d items", s.Own.CanUndo(), s.Own.CanRedo(), s.Walk.Len())
	}
}

// A skipped item that others have finished does not hide those still open.
func TestSkippedAndTaken(t *testing.T) {
	acts := []annotate.Act{{Queue: "q", Annotator: "ann", N: 1, Item: keyOf(0), Kind: annotate.Skipped}}
	s, err := New(Opening{
		Queue: annotate.Queue{Name: "q"}, Annotator: "ann", Items: itemsOf(0, 2), Acts: acts, Others: map[annotate.ItemKey]int{keyOf(0): 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	at(t, s, 1)
	if s.Walk.Len() != 1 || s.Walk.CountOpen() != 1 {
		t.Errorf("%d items, %d open", s.Walk.Len(), s.Walk.CountOpen())
	}
}

func TestJournalGoesOnBehindWhatCameTooLate(t *testing.T) {
	var committed []annotate.Act
	j := NewJournal(appendFunc(func(_ context.Context, acts []annotate.Act) error {
		for i := range acts {
			if a := &acts[i]; a.Kind == annotate.Labelled && a.Item == keyOf(1) {
				return &annotate.TakenError{N: a.N, Item: a.Item}
			}
		}
		committed = append(committed, acts...)
		return nil
	}), nil)
	s := open(t, 4)
	for range 4 {
		a, _ := s.LabelAndAdvance(pick("A"), 0)
		j.Submit(a)
	}
	if err := j.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.MarkTooLate(j.LateActs("q", "ann"))
	s.MarkSaved(j.LastSaved("q", "ann"))
	if st := j.State(); st.Saved != 4 || st.Err != nil || len(j.LateActs("q", "bob")) != 0 {
		t.Errorf("%+v", st)
	}
	if len(committed) != 4 || committed[1].Kind != annotate.TooLate || committed[1].Reading.Choice != "A" {
		t.Errorf("committed %+v", committed)
	}
	if !reflect.DeepEqual(annotate.FoldActs(committed), s.Own.State()) || len(s.Own.State().Labels) != 3 {
		t.Errorf("state %+v", s.Own.State())
	}
}
