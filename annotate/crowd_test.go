package annotate

import (
	"testing"

	"concord/eval"
)

func TestWants(t *testing.T) {
	vote := func(v eval.Vote, swapped bool) Reading { return Reading{Kind: Voted, Vote: v, Swapped: swapped} }
	check := func(overlap, extra int, want int, said ...Reading) {
		t.Helper()
		q := Queue{Overlap: overlap, Extra: extra}
		var c Crowd
		for _, r := range said {
			c.AddLabel(r)
		}
		if got := q.LabelsWantedOfItem(c.Differs(), false); got != want || c.People != len(said) {
			t.Errorf("overlap %d, extra %d, %v: wants %d of %d people, want %d", overlap, extra, said, got, c.People, want)
		}
		for _, r := range said {
			c.RemoveLabel(r)
		}
		if c.People != 0 || c.Sides != 0 || len(c.Classes) > 0 {
			t.Errorf("all have left, and there is %+v", c)
		}
	}
	none, refused := Reading{Kind: SaidNone}, Reading{Kind: SaidRefused}
	check(2, 0, 2)
	check(2, 1, 2, pick("A"), pick("A"))
	check(2, 1, 3, pick("A"), pick("B"))
	check(2, 0, 2, pick("A"), pick("B"))
	check(2, 1, 2, none, refused) // neither is one option
	check(2, 1, 3, pick("A"), none)
	check(3, 2, 5, pick("A"), pick("A"), pick("B"))
	check(2, 1, 2, vote(eval.Answer1, false), vote(eval.Answer2, true)) // the same answer
	check(2, 1, 3, vote(eval.Answer1, false), vote(eval.Answer1, true))
	check(2, 1, 2, vote(eval.SituationOne, false), vote(eval.SituationTwo, true)) // neither is preferred
	check(2, 1, 3, Reading{Kind: Scored, Score: 4}, Reading{Kind: Scored, Score: 5})
	if q := (Queue{Overlap: 1}); q.LabelsWantedOfItem(false, true) != Everybody {
		t.Error("an item whose answer is known does not want everybody")
	}
}
