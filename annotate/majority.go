package annotate

import "concord/eval"

// MajorityVote is what people's votes on one pair come to, all of them seen
// with the answers in one order (MLLM-Bench, App. F.1): the answer that more of
// them prefer, unless more were unable to decide than prefer either. False is
// "unable to decide", also of no votes.
func MajorityVote(votes []eval.Vote) (eval.Vote, bool) {
	var n [eval.Votes]int
	for _, v := range votes {
		n[v]++
	}
	first, second := n[eval.Answer1], n[eval.Answer2]
	unable := n[eval.SituationOne] + n[eval.SituationTwo]
	switch {
	case first == second || unable > max(first, second):
		return eval.VoteUnset, false
	case first > second:
		return eval.Answer1, true
	}
	return eval.Answer2, true
}
