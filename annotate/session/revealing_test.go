package session

import (
	"errors"
	"testing"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
)

func TestRevealIsBlindBeforeTheAnswer(t *testing.T) {
	s := open(t, 2)
	loaded := 0
	load := func() (blind.Revealed, error) {
		loaded++
		return blind.Revealed{Truth: "B", Model: "m", Readings: []blind.MachineReading{
			{Extractor: "rules:concord", Extraction: eval.Extraction{Status: eval.Missing}},
			{Extractor: "judge", Judge: true, Extraction: eval.Extraction{Status: eval.Found, Choice: "B"}},
			{Extractor: "other", Extraction: eval.Extraction{Status: eval.Found, Choice: "C"}},
		}}, nil
	}
	if _, err := blind.LoadAfterAnswer(s.Own.State(), keyOf(0), load); !errors.Is(err, annotate.ErrBlind) {
		t.Errorf("Reveal = %v", err)
	}
	if _, _, err := s.PrepareReveal(keyOf(0), func(bool) (blind.Revealed, error) { return load() }); !errors.Is(err, annotate.ErrBlind) || loaded > 0 {
		t.Errorf("Session.Reveal = %v, loaded %d times", err, loaded)
	}
	check := func(own annotate.Reading, want ...bool) {
		t.Helper()
		s.Walk.ShowPosition(0)
		s.LabelAndAdvance(own, 0)
		r, err := blind.LoadAfterAnswer(s.Own.State(), keyOf(0), load)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range r.Readings {
			if m.Agrees != want[i] {
				t.Errorf("%+v: %s agrees %v", own, m.Extractor, m.Agrees)
			}
		}
	}
	check(pick("B"), false, true, false)
	check(annotate.Reading{Kind: annotate.SaidRefused}, true, false, false)
	s.Undo()
	s.Undo()
	if _, err := blind.LoadAfterAnswer(s.Own.State(), keyOf(0), load); !errors.Is(err, annotate.ErrBlind) {
		t.Errorf("after the undo: %v", err)
	}
}

func TestTruthIsWithheldWhileAnotherPassIsOpen(t *testing.T) {
	first, second := annotate.NewItemKey(eval.Key{Run: 1, Sample: 7}), annotate.NewItemKey(eval.Key{Run: 2, Sample: 7, Pass: 1})
	s, err := New(Opening{Annotator: "ann", Items: []annotate.QueueItem{{Index: 0, Key: first}, {Index: 1, Key: second}}})
	if err != nil {
		t.Fatal(err)
	}
	truth := func() blind.Revealed {
		_, load, err := s.PrepareReveal(first, func(bool) (blind.Revealed, error) { return blind.Revealed{Truth: "C"}, nil })
		if err != nil {
			t.Fatal(err)
		}
		r, err := load()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s.LabelAndAdvance(pick("A"), 0)
	if r := truth(); r.Truth != "" || !r.Withheld {
		t.Errorf("ground truth %q shown while another pass is open", r.Truth)
	}
	s.LabelAndAdvance(pick("A"), 0)
	if r := truth(); r.Truth != "C" || r.Withheld {
		t.Errorf("ground truth %q, withheld %v", r.Truth, r.Withheld)
	}
	s.Own.SetQueue(annotate.Queue{Growing: true})
	if r := truth(); r.Truth != "" || !r.Withheld {
		t.Errorf("ground truth %q shown while items may still come", r.Truth)
	}
}

// A label that follows a reveal is told from a blind one, also after a restart
// and whatever is undone.
func TestLabelsAfterTheRevealAreInformed(t *testing.T) {
	s := open(t, 2)
	var acts []annotate.Act
	keep := func(a annotate.Act, ok bool) {
		t.Helper()
		if !ok {
			t.Fatal("nothing was done")
		}
		acts = append(acts, a)
	}
	look := func() annotate.Act {
		t.Helper()
		a, _, err := s.PrepareReveal(keyOf(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	informed := func(want bool) {
		t.Helper()
		if got := s.Own.State().Labels[keyOf(0)].Informed; got != want {
			t.Errorf("informed: %v, want %v", got, want)
		}
	}
	keep(s.LabelAndAdvance(pick("A"), 0))
	a := look()
	keep(a, a.Kind == annotate.Looked && a.N == 2)
	informed(false)
	if again := look(); again.N != 0 {
		t.Errorf("looked again: %+v", again)
	}
	s = open(t, 2, acts...) // a restart
	if a := look(); a.N != 0 {
		t.Errorf("looked again: %+v", a)
	}
	s.Walk.ShowPosition(0)
	keep(s.LabelAndAdvance(pick("B"), 0))
	informed(true)
	u, of, ok := s.Undo()
	keep(u, ok)
	if of.N != 3 {
		t.Errorf("undid act %d", of.N)
	}
	informed(false) // the blind label stands again
	r, _, ok := s.Redo()
	keep(r, ok)
	informed(true)
	for range 2 {
		u, of, ok = s.Undo()
		keep(u, ok)
	}
	if of.N != 1 || s.Own.CanUndo() || !s.Own.CanRedo() {
		t.Errorf("undid act %d last", of.N)
	}
	keep(s.LabelAndAdvance(pick("C"), 0)) // answered anew, but not blindly
	informed(true)
	s = open(t, 2, acts...)
	informed(true)
	s.Walk.ShowPosition(1)
	s.LabelAndAdvance(pick("A"), 0)
	if s.Own.State().Labels[keyOf(1)].Informed {
		t.Error("another item is informed")
	}
}
