package session

import (
	"errors"
	"testing"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
)

func pairs(t *testing.T, keys ...annotate.ItemKey) *Session {
	t.Helper()
	o := Opening{Queue: annotate.Queue{Name: "q", Overlap: 2, Items: len(keys), Rule: annotate.Rule{From: annotate.FromPairs}}, Annotator: "ann"}
	for i, k := range keys {
		o.Items = append(o.Items, annotate.QueueItem{Index: i, Key: k})
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNamesOfModelsWaitForTheVote(t *testing.T) {
	s := pairs(t, onPair)
	loaded := 0
	from := func() (blind.RevealedPair, error) {
		loaded++
		return blind.RevealedPair{Model: "a", Against: "b"}, nil
	}
	if _, _, err := s.PreparePairReveal(onPair, from); !errors.Is(err, annotate.ErrBlind) {
		t.Fatalf("before the vote: %v", err)
	}
	s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1}, 0)
	look, load, err := s.PreparePairReveal(onPair, from)
	if err != nil || look.Kind != annotate.Looked || loaded != 0 {
		t.Fatalf("look %+v, loaded %d times, %v", look, loaded, err)
	}
	if u, err := load(); err != nil || u.Model != "a" || u.Own.Vote != eval.Answer1 || u.Item != onPair {
		t.Errorf("%+v, %v", u, err)
	}
	s.Walk.ShowPosition(0)
	if a, _ := s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer2}, 0); !a.Informed {
		t.Error("a vote after the names is said to be blind")
	}
	if look, _, _ := s.PreparePairReveal(onPair, from); look.N != 0 {
		t.Error("a second look is stored")
	}
}

// The anchor's answer stands in every pair of a sample: while one of them is
// open, no name is told.
func TestNamesWaitForTheOtherPairsOfASample(t *testing.T) {
	other := annotate.ItemKey{Key: eval.Key{Run: 3, Sample: onPair.Sample}, Against: onPair.Against}
	s := pairs(t, onPair, other)
	s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1}, 0)
	fail := func() (blind.RevealedPair, error) { return blind.RevealedPair{}, errors.New("loaded") }
	look, load, err := s.PreparePairReveal(onPair, fail)
	if err != nil || look.N != 0 {
		t.Fatalf("look %+v, %v", look, err)
	}
	if u, err := load(); err != nil || !u.Withheld || u.Model != "" {
		t.Errorf("%+v, %v", u, err)
	}
	s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.SituationTwo}, 0)
	if look, load, _ = s.PreparePairReveal(onPair, fail); look.N == 0 {
		t.Error("nothing is shown when nothing is open")
	}
	if _, err = load(); err == nil {
		t.Error("the error of the load is lost")
	}
}

func TestJudgesVotesReadInOnesOwnOrder(t *testing.T) {
	check := func(swapped bool, first eval.RunID, vote, want eval.Vote, same bool) {
		t.Helper()
		u := blind.RevealedPair{Item: onPair, Own: annotate.Reading{Swapped: swapped}}
		p := eval.Preference{Pair: eval.Pair{First: first, Second: 3 - first}, Vote: vote}
		if got, ok := u.VoteAsSeen(&p); got != want || ok != same {
			t.Errorf("swapped %v, first %d, %s: %s %v, want %s %v", swapped, first, vote, got, ok, want, same)
		}
	}
	check(false, 1, eval.Answer1, eval.Answer1, true)
	check(false, 2, eval.Answer1, eval.Answer2, false)
	check(true, 1, eval.Answer1, eval.Answer2, false)
	check(true, 2, eval.Answer2, eval.Answer2, true)
	check(true, 1, eval.SituationTwo, eval.SituationTwo, false)
}
