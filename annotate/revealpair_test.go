package annotate

import (
	"errors"
	"testing"

	"concord/eval"
)

func pairs(t *testing.T, keys ...ItemKey) *Session {
	t.Helper()
	o := Opening{Queue: Queue{Name: "q", Overlap: 2, Items: len(keys), Rule: Rule{From: FromPairs}}, Annotator: "ann"}
	for i, k := range keys {
		o.Items = append(o.Items, QueueItem{Index: i, Key: k})
	}
	s, err := NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNamesOfModelsWaitForTheVote(t *testing.T) {
	s := pairs(t, s_onPair)
	loaded := 0
	from := func() (RevealedPair, error) {
		loaded++
		return RevealedPair{Model: "a", Against: "b"}, nil
	}
	if _, _, err := s.RevealPair(s_onPair, from); !errors.Is(err, ErrBlind) {
		t.Fatalf("before the s_vote: %v", err)
	}
	s.Label(Reading{Verdict: Voted, Vote: eval.Answer1}, 0)
	look, load, err := s.RevealPair(s_onPair, from)
	if err != nil || look.Kind != Looked || loaded != 0 {
		t.Fatalf("look %+v, loaded %d times, %v", look, loaded, err)
	}
	if u, err := load(); err != nil || u.Model != "a" || u.Own.Vote != eval.Answer1 || u.Item != s_onPair {
		t.Errorf("%+v, %v", u, err)
	}
	s.Goto(0)
	if a, _ := s.Label(Reading{Verdict: Voted, Vote: eval.Answer2}, 0); !a.Informed {
		t.Error("a s_vote after the names is said to be blind")
	}
	if look, _, _ := s.RevealPair(s_onPair, from); look.N != 0 {
		t.Error("a second look is stored")
	}
}

// The anchor's answer stands in every pair of a sample: while one of them is
// open, no name is told.
func TestNamesWaitForTheOtherPairsOfASample(t *testing.T) {
	other := ItemKey{Key: eval.Key{Run: 3, Sample: s_onPair.Sample}, Against: s_onPair.Against}
	s := pairs(t, s_onPair, other)
	s.Label(Reading{Verdict: Voted, Vote: eval.Answer1}, 0)
	fail := func() (RevealedPair, error) { return RevealedPair{}, errors.New("loaded") }
	look, load, err := s.RevealPair(s_onPair, fail)
	if err != nil || look.N != 0 {
		t.Fatalf("look %+v, %v", look, err)
	}
	if u, err := load(); err != nil || !u.Withheld || u.Model != "" {
		t.Errorf("%+v, %v", u, err)
	}
	s.Label(Reading{Verdict: Voted, Vote: eval.SituationTwo}, 0)
	if look, load, _ = s.RevealPair(s_onPair, fail); look.N == 0 {
		t.Error("nothing is shown when nothing is open")
	}
	if _, err = load(); err == nil {
		t.Error("the error of the load is lost")
	}
}

func TestJudgesVotesReadInOnesOwnOrder(t *testing.T) {
	check := func(swapped bool, first eval.RunID, s_vote, want eval.Vote, same bool) {
		t.Helper()
		u := RevealedPair{Item: s_onPair, Own: Reading{Swapped: swapped}}
		p := eval.Preference{Pair: eval.Pair{First: first, Second: 3 - first}, Vote: s_vote}
		if got, ok := u.Preferred(&p); got != want || ok != same {
			t.Errorf("swapped %v, first %d, %s: %s %v, want %s %v", swapped, first, s_vote, got, ok, want, same)
		}
	}
	check(false, 1, eval.Answer1, eval.Answer1, true)
	check(false, 2, eval.Answer1, eval.Answer2, false)
	check(true, 1, eval.Answer1, eval.Answer2, false)
	check(true, 2, eval.Answer2, eval.Answer2, true)
	check(true, 1, eval.SituationTwo, eval.SituationTwo, false)
}
