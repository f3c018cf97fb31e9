package metric

import (
	"testing"

	"concord/eval"
)

func TestMerge(t *testing.T) {
	const none, a1, a2, s1, s2 = eval.VoteUnset, eval.Answer1, eval.Answer2, eval.SituationOne, eval.SituationTwo
	check := func(first, second eval.Vote, want Result, where Position) {
		t.Helper()
		b := VotePair{first, second}
		if got := b.MergeBothOrders(); got != want {
			t.Errorf("%s, %s: %s, want %s", first, second, got, want)
		}
		if got := b.ClassifyPosition(); got != where {
			t.Errorf("%s, %s: position %d, want %d", first, second, got, where)
		}
	}
	// The model's answer is the first, and then the second.
	check(a1, a2, Win, Same)
	check(a2, a1, Lose, Same)
	check(s1, s1, SituationOne, Same)
	check(s2, s2, SituationTwo, Same)
	check(a1, a1, Tie, FirstBoth)
	check(a2, a2, Tie, SecondBoth)
	check(a1, s1, Win, OtherPosition)
	check(s2, a2, Win, OtherPosition)
	check(a2, s2, Lose, OtherPosition)
	check(s1, a1, Lose, OtherPosition)
	check(s1, s2, Unable, OtherPosition)
	check(s2, s1, Unable, OtherPosition)
	for _, v := range []eval.Vote{none, a1, a2, s1, s2} {
		check(none, v, Incomplete, PositionUnset)
		check(v, none, Incomplete, PositionUnset)
	}
}

// Whoever is called the model: what one wins the other loses, and the rest is
// the same.
func TestMergeIsFair(t *testing.T) {
	other := map[Result]Result{Win: Lose, Lose: Win}
	for x := range eval.Vote(eval.Votes) {
		for y := range eval.Vote(eval.Votes) {
			b, c := VotePair{x, y}, VotePair{y, x} // the anchor is first where the model is second
			r, s := b.MergeBothOrders(), c.MergeBothOrders()
			if want, swaps := other[r]; swaps && s != want || !swaps && s != r || b.ClassifyPosition() != c.ClassifyPosition() {
				t.Errorf("%v is %s, %v is %s", b, r, c, s)
			}
		}
	}
}

func TestContest(t *testing.T) {
	c := NewPairwise(MergeMLLMBench)
	at := []string{"l", "c"}
	for _, q := range []VotedQuestion{
		{VotePair: VotePair{eval.Answer1, eval.Answer2}, Orders: 2, Answered: true, Path: at},
		{VotePair: VotePair{eval.Answer1, eval.Answer1}, Orders: 2, Answered: true, Path: at},
		{VotePair: VotePair{eval.SituationOne, eval.SituationTwo}, Orders: 2, Answered: true, Path: []string{"l", "b"}},
		{VotePair: VotePair{First: eval.Answer1}, Orders: 2, Answered: true, Path: at},
		{VotePair: VotePair{First: eval.Answer1}, Orders: 2, Failed: true, Answered: true},
		{VotePair: VotePair{Second: eval.Answer1}, Orders: 1, Answered: true},
		{Answered: true},
		{},
	} {
		c.AddQuestion(&q)
	}
	w := c.TotalCounts()
	if w.N() != 3 || w.CountNeitherWon() != 2 || w.WinRate().K != 1 || w.Results[Incomplete] != 5 {
		t.Errorf("%+v", w)
	}
	if w.NotAsked != 2 || w.NoAnswer != 1 || w.OneOrder != 1 || w.Failed != 1 || w.Unparsed != 1 {
		t.Errorf("%+v", w)
	}
	if r := w.PositionRate(FirstBoth); r.K != 1 || r.N != 3 {
		t.Errorf("%+v", r)
	}
	levels := c.LevelCounts()
	if len(levels) != 3 || eval.JoinPath(levels[0].Path) != "l" || eval.JoinPath(levels[1].Path) != "l / b" || levels[2].N() != 2 {
		t.Errorf("%+v", levels)
	}
	if r := NewPairwise(MergingUnset).TotalCounts().WinRate(); r.Undefined == "" {
		t.Errorf("%+v", r)
	}
}

// A question asked in one order counts by its vote only where that is asked for.
func TestMergeAsked(t *testing.T) {
	check := func(q VotedQuestion, m Merging, want Result) {
		t.Helper()
		if got := q.Result(m); got != want {
			t.Errorf("%+v under %s: %s, want %s", q, m, got, want)
		}
	}
	alone := VotedQuestion{VotePair: VotePair{Second: eval.Answer1}, Orders: 1}
	check(alone, MergeAsked, Lose)
	check(alone, MergeMLLMBench, Incomplete)
	check(alone, MergingUnset, Incomplete)
	unparsed := VotedQuestion{VotePair: VotePair{First: eval.Answer1}, Orders: 2}
	check(unparsed, MergeAsked, Incomplete)
	both := VotedQuestion{VotePair: VotePair{First: eval.Answer1, Second: eval.Answer1}, Orders: 2}
	check(both, MergeAsked, Tie)
	c := NewPairwise(MergeAsked)
	c.AddQuestion(&VotedQuestion{Orders: 1})
	if w := c.TotalCounts(); w.Unparsed != 1 || w.OneOrder != 0 {
		t.Errorf("%+v", w)
	}
}
