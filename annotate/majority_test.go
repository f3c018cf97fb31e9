package annotate

import (
	"testing"

	"concord/eval"
)

func TestMajorityVote(t *testing.T) {
	const a, b, one, two = eval.Answer1, eval.Answer2, eval.SituationOne, eval.SituationTwo
	check := func(want eval.Vote, votes ...eval.Vote) {
		t.Helper()
		got, decided := ResolveMajorityVote(votes)
		if got != want || decided != (want != eval.VoteUnset) {
			t.Errorf("%v: %v %t, want %v", votes, got, decided, want)
		}
	}
	const unable = eval.VoteUnset
	check(a, a)
	check(b, a, b, b)
	check(unable, a, b)
	check(unable, a, b, one, two)
	check(a, a, a, one, two) // as many were unable as prefer it: not more
	check(unable, a, one, two)
	check(unable, one)
	check(unable)
}
