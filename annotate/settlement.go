package annotate

import (
	"concord/eval"
	"concord/eval/stat"
)

// Adjudication is what adjudicators' rulings make of an extractor's figures.
//
// Adjudicators are asked about what people and machines read differently: a
// machine that errs as people do is not found out there, so that Alignment is too
// high on average unless agreements are adjudicated, too (a true 90 % comes out as
// 93 %).
type Adjudication struct {
	Items     int       // with a ruling
	Agreed    int       // items on which people alone agree with the extractor
	Checked   int       // of Agreed: with a ruling
	Alignment stat.Rate // under Adjudicated: with the ruling, or with people who all say the same
	CaseTwo   CaseTwoCauses
}

// Optimistic reports whether Alignment leaves agreements unchecked.
func (s *Adjudication) Optimistic() bool { return s.Checked < s.Agreed }

// CaseTwoCauses split the items on which people and the machine read two
// different options by who turned out to be right (MMBench App. D.1). They sum
// to the Case II items as people alone made them, before any ruling.
type CaseTwoCauses struct {
	PersonRight int `json:"person_right"`
	JudgeRight  int `json:"judge_right"`
	Ambiguous   int `json:"ambiguous"`
	BothWrong   int `json:"both_wrong"`
	Open        int `json:"not_adjudicated"`
}

func (c *CaseTwoCauses) count(cause Cause) *int {
	switch cause {
	case PersonRight:
		return &c.PersonRight
	case JudgeRight:
		return &c.JudgeRight
	case AmbiguousCause:
		return &c.Ambiguous
	case BothWrong:
		return &c.BothWrong
	case CauseUnset:
	}
	return &c.Open
}

// Unruled is the basis as it is before anybody settles anything.
func (b Basis) Unruled() Basis {
	if b.Policy == Adjudicated {
		b.Policy = Unanimous
	}
	return b
}

// CauseOf is why people and the extractor differ on an item, by its ruling;
// false where they do not differ by the basis, or nobody has settled it.
func (b Basis) CauseOf(it *AlignItem, x *Extractor) (Cause, bool) {
	if it.Ruling == nil {
		return CauseUnset, false
	}
	c := b.Unruled().Compare(it, x)
	if c.LeftOut != "" || c.Alignment == Aligned {
		return CauseUnset, false
	}
	return it.Ruling.Says(c.People, c.Machine), true
}

func (b Basis) settlement(items []AlignItem, x *Extractor) *Adjudication {
	out := new(Adjudication)
	before, after := b.Unruled(), Basis{Policy: Adjudicated, Undecided: b.Undecided}
	all := stat.Clusters{Sequence: b.ongoing(items)}
	for i := range items {
		it := &items[i]
		if it.Ruling != nil {
			out.Items++
		}
		if c := after.Compare(it, x); c.LeftOut == "" {
			y := 0.0
			if c.Alignment == Aligned {
				y = 1
			}
			all.In(it.cluster(), y, 1)
		}
		c := before.Compare(it, x)
		if c.Alignment == Aligned {
			out.Agreed++
			if it.Ruling != nil {
				out.Checked++
			}
		}
		if c.Alignment == CaseTwo {
			cause, _ := b.CauseOf(it, x)
			*out.CaseTwo.count(cause)++
		}
	}
	if out.Items == 0 {
		return nil
	}
	out.Alignment = all.Rate(nothingCompared)
	return out
}

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
