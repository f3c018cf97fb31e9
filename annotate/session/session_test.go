package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

func open(t *testing.T, n int, acts ...annotate.Act) *Session {
	t.Helper()
	s, err := New(Opening{
		Queue: annotate.Queue{Name: "q", Overlap: 1}, Annotator: "ann", Items: itemsOf(0, n),
		Acts: acts, Now: func() time.Time { return t0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at fails unless the item with this index is in front; -1 is none.
func at(t *testing.T, s *Session, want int) {
	t.Helper()
	got, _, ok := s.Walk.Current()
	if !ok {
		got = -1
	}
	if got != want {
		t.Fatalf("item %d is selected, want %d", got, want)
	}
}

func TestLabelSavesAndAdvances(t *testing.T) {
	s := open(t, 3)
	at(t, s, 0)
	a, ok := s.LabelAndAdvance(pick("B"), 2*time.Second)
	want := annotate.Act{
		Queue: "q", Annotator: "ann", N: 1, Item: keyOf(0), Kind: annotate.Labelled,
		Reading: pick("B"), At: t0, Spent: 2 * time.Second,
	}
	if !ok || !reflect.DeepEqual(a, want) {
		t.Fatalf("Label = %+v, %v", a, ok)
	}
	at(t, s, 1)
	if s.Walk.CountOpen() != 2 || s.Tally().Verdicts[annotate.PickedOption] != 1 {
		t.Errorf("open %d, tally %+v", s.Walk.CountOpen(), s.Tally())
	}
	for _, r := range []annotate.Reading{{}, {Kind: annotate.PickedOption}, {Kind: annotate.SaidNone, Choice: "A"}} {
		if _, ok := s.LabelAndAdvance(r, 0); ok {
			t.Errorf("Label took %+v", r)
		}
	}
}

func TestSkippedItemsComeBackAtTheEnd(t *testing.T) {
	s := open(t, 4)
	s.SkipAndAdvance(0) // 0
	s.LabelAndAdvance(pick("A"), 0)
	s.SkipAndAdvance(0) // 2
	at(t, s, 3)
	s.LabelAndAdvance(pick("A"), 0)
	at(t, s, 0)
	s.SkipAndAdvance(0)
	at(t, s, 2)
	s.LabelAndAdvance(pick("A"), 0)
	at(t, s, 0)
	s.LabelAndAdvance(pick("A"), 0)
	at(t, s, -1)
	if _, ok := s.LabelAndAdvance(pick("A"), 0); ok {
		t.Error("labelled nothing")
	}
	s.Walk.ShowPreviousFree()
	at(t, s, 3)
}

func TestRelabelIsANewAct(t *testing.T) {
	s := open(t, 2)
	s.LabelAndAdvance(pick("A"), 0)
	s.Walk.ShowPreviousFree()
	a, ok := s.LabelAndAdvance(pick("C"), 0)
	if !ok || a.N != 2 || s.Own.State().Labels[keyOf(0)].Reading.Choice != "C" {
		t.Fatalf("relabel: %+v", a)
	}
	at(t, s, 1)
	s.Undo()
	if got := s.Own.State().Labels[keyOf(0)].Reading.Choice; got != "A" {
		t.Errorf("undo of a relabel leaves %q, want A", got)
	}
}

func TestOverlapLeavesOutWhatOthersDid(t *testing.T) {
	o := Opening{
		Queue: annotate.Queue{Name: "q", Overlap: 2}, Annotator: "ann", Items: itemsOf(0, 4),
		Others: map[annotate.ItemKey]int{keyOf(0): 2, keyOf(1): 1, keyOf(2): 3},
		Acts:   []annotate.Act{{Queue: "q", Annotator: "ann", N: 1, Item: keyOf(2), Kind: annotate.Labelled, Reading: pick("A")}},
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	at(t, s, 1)
	if s.Walk.Len() != 3 || s.Walk.CountOpen() != 2 {
		t.Errorf("offered %d with %d open, want 3 with 2", s.Walk.Len(), s.Walk.CountOpen())
	}
	o.Acts[0].N = 2
	if _, err := New(o); !errors.Is(err, annotate.ErrConflict) {
		t.Errorf("acts with a gap: %v", err)
	}
}

func TestGrowthNeverMovesTheCursor(t *testing.T) {
	s := open(t, 2)
	s.Walk.ShowNextFree()
	s.AddItems(itemsOf(2, 5))
	at(t, s, 1)
	for range 5 {
		s.LabelAndAdvance(pick("A"), 0)
	}
	at(t, s, -1)
	s.AddItems(itemsOf(5, 6))
	at(t, s, 5)
}

func TestUndoNamesWhatItTakesBackAlsoAfterResume(t *testing.T) {
	s := open(t, 3)
	var acts []annotate.Act
	keep := func(a annotate.Act, ok bool) {
		if ok {
			acts = append(acts, a)
		}
	}
	keep(s.LabelAndAdvance(pick("A"), 0))
	keep(s.ToggleFlag())
	keep(s.LabelAndAdvance(pick("B"), 0))
	s = open(t, 3, acts...)
	at(t, s, 2)
	undo := func(wantKind annotate.ActKind, wantItem int) {
		t.Helper()
		a, of, ok := s.Undo()
		if !ok || of.Kind != wantKind || of.Item != keyOf(wantItem) {
			t.Fatalf("undo of %+v", of)
		}
		acts = append(acts, a)
		at(t, s, wantItem)
	}
	undo(annotate.Labelled, 1)
	undo(annotate.Flagged, 1)
	s = open(t, 3, acts...)
	undo(annotate.Labelled, 0)
	if s.Own.CanUndo() || !s.Own.CanRedo() {
		t.Error("all is undone")
	}
	for _, want := range []annotate.ActKind{annotate.Labelled, annotate.Flagged, annotate.Labelled} {
		a, of, ok := s.Redo()
		if !ok || of.Kind != want {
			t.Fatalf("redo of %+v, want %v", of, want)
		}
		acts = append(acts, a)
		s = open(t, 3, acts...)
	}
	if s.Own.CanRedo() || len(s.Own.State().Labels) != 2 || !s.Own.State().Flagged[keyOf(1)] {
		t.Errorf("after redo: %+v", s.Own.State())
	}
	s.Undo()
	s.LabelAndAdvance(pick("D"), 0)
	if s.Own.CanRedo() {
		t.Error("a new act leaves something to do again")
	}
}

func TestUndoLeavesImportedLabelsAlone(t *testing.T) {
	s := open(t, 2, annotate.Act{Queue: "q", Annotator: "ann", N: 1, Item: keyOf(0), Kind: annotate.Labelled, Reading: pick("A"), Imported: true})
	if _, _, ok := s.Undo(); ok {
		t.Error("took back a label that came from a file")
	}
}

func TestFailureBringsTheItemBack(t *testing.T) {
	full := errors.New("disk full")
	s := open(t, 5)
	s.LabelAndAdvance(pick("A"), 0)
	b, _ := s.LabelAndAdvance(pick("B"), 0)
	s.LabelAndAdvance(pick("C"), 0)
	s.MarkSaved(1)
	s.MarkFailed(b, full)
	at(t, s, 1)
	if len(s.Own.State().Labels) != 1 || !errors.Is(s.Own.Failure(), full) {
		t.Fatalf("after a failure: %+v", s.Own.State())
	}
	t.Run("saved later", func(t *testing.T) {
		if s.MarkSaved(1) || !s.MarkSaved(2) || s.MarkSaved(3) {
			t.Error("a failure ends when what failed is saved")
		}
		if len(s.Own.State().Labels) != 3 {
			t.Errorf("labels do not count again: %+v", s.Own.State())
		}
		at(t, s, 3)
	})
	t.Run("answered anew", func(t *testing.T) {
		s.MarkFailed(b, full)
		a, _ := s.LabelAndAdvance(pick("D"), 0)
		if a.N != 4 || s.Own.State().Labels[keyOf(1)].Reading.Choice != "D" || len(s.Own.State().Labels) != 3 {
			t.Errorf("act %d, %+v", a.N, s.Own.State())
		}
	})
}

// A random hand: the state is always what Fold makes of the acts, acts are
// numbered without gaps, and undo restores what was there before.
func TestRandomHand(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(8)
		s := open(t, n)
		var acts []annotate.Act
		for range 120 {
			cursor, count := s.Walk.Position(), len(acts)
			a, ok := randomAct(s, r)
			if ok {
				acts = append(acts, a)
			}
			checkState(t, s, acts, seed)
			if ok && a.Kind != annotate.TookBack && r.IntN(3) == 0 {
				before := annotate.FoldActs(acts[:count])
				u, of, _ := s.Undo()
				if of.N != a.N {
					t.Fatalf("seed %d: undo took back %+v, not %+v", seed, of, a)
				}
				acts = append(acts, u)
				if got := s.Own.State(); !reflect.DeepEqual(got, before) || s.Walk.Position() != cursor {
					t.Fatalf("seed %d: do and undo of %v is no identity:\n%+v\n%+v", seed, a.Kind, got, before)
				}
			}
			if r.IntN(40) == 0 {
				s.AddItems(itemsOf(n, n+1))
				n++
			}
			if r.IntN(25) == 0 {
				s = open(t, n, acts...)
				checkState(t, s, acts, seed)
			}
		}
	}
}

func randomAct(s *Session, r *rand.Rand) (a annotate.Act, ok bool) {
	switch r.IntN(10) {
	case 0, 1, 2:
		a, ok = s.LabelAndAdvance(pick(eval.Choice("ABCD"[r.IntN(4):][:1])), 0)
	case 3:
		a, ok = s.SkipAndAdvance(0)
	case 4:
		a, ok = s.ToggleFlag()
	case 5:
		a, ok = s.SetNote(fmt.Sprint(r.IntN(3)))
	case 6:
		a, _, ok = s.Undo()
	case 7:
		a, _, ok = s.Redo()
	case 8:
		s.Walk.ShowNextFree()
	case 9:
		s.Walk.ShowPosition(r.IntN(s.Walk.Len() + 1))
	}
	return a, ok
}

func checkState(t *testing.T, s *Session, acts []annotate.Act, seed uint64) {
	t.Helper()
	for i := range acts {
		if acts[i].N != uint32(i+1) {
			t.Fatalf("seed %d: act %d is numbered %d", seed, i+1, acts[i].N)
		}
	}
	if want := annotate.FoldActs(acts); !reflect.DeepEqual(s.Own.State(), want) {
		t.Fatalf("seed %d: state %+v, want %+v", seed, s.Own.State(), want)
	}
	if _, ok := s.Walk.itemInFront(); !ok && s.Walk.offered.cursor != s.Walk.Len() {
		t.Fatalf("seed %d: cursor at %d of %d", seed, s.Walk.offered.cursor, s.Walk.Len())
	}
}

func TestAheadIsWhereLabelsLead(t *testing.T) {
	s := open(t, 6)
	s.Walk.ShowPosition(2)
	s.LabelAndAdvance(pick("A"), 0)
	s.Walk.ShowPosition(1)
	ahead := s.Walk.UpcomingIndices(10)
	if want := []int{1, 3, 4, 5, 0}; !reflect.DeepEqual(ahead, want) {
		t.Fatalf("Ahead = %v, want %v", ahead, want)
	}
	for _, want := range ahead {
		at(t, s, want)
		s.LabelAndAdvance(pick("A"), 0)
	}
}
