package metric

import (
	"fmt"

	"concord/eval"
)

// VotePair is one question on which one ballot compares a model with its anchor:
// the votes with the model's answer shown first, and with it shown second. A
// pair that was not asked in an order, whose call failed or whose reply did
// not parse has VoteUnset there.
type VotePair struct{ First, Second eval.Vote }

// Result is what the votes on a question come to for the model. The zero value is
// no result: a vote is missing.
type Result uint8

// The results (MLLM-Bench, Sec. 5.1 and its repository).
const (
	Incomplete Result = iota
	Win
	Lose
	Tie          // one vote for each
	SituationOne // both unable: closed-ended, and both right or both wrong
	SituationTwo // both unable: considerable errors of fact, or ethical issues
	Unable       // both unable, for different situations
)

// Results is how many results there are, for arrays indexed by Result.
const Results = int(Unable) + 1

var resultNames = [...]string{"incomplete", "win", "lose", "tie", "situation_one", "situation_two", "unable"}

// String returns the name that reports use.
func (r Result) String() string { return eval.NameOf(resultNames[:], r) }

// Decided reports whether one of the answers won.
func (r Result) Decided() bool { return r == Win || r == Lose }

// Merging is how the votes of both orders become one result. The zero value
// is unset.
type Merging uint8

// The ways to merge.
const (
	MergingUnset Merging = iota
	// MergeMLLMBench is the rule of MLLM-Bench's repository: equal votes stand,
	// a model and an "unable" give the model, one vote for each is a tie, two
	// different situations are "unable", and fewer than two votes leave the
	// question out.
	MergeMLLMBench
	// MergeAsked is the same, but a question that was asked in one order alone
	// counts by that vote: what the paper does, whose judges saw one shuffled
	// order.
	MergeAsked
)

var mergingNames = [...]string{"", "mllm-bench", "asked"}

// String returns the name that --merge takes.
func (m Merging) String() string { return eval.NameOf(mergingNames[:], m) }

// ParseMerging reads what String writes.
func ParseMerging(s string) (Merging, error) {
	for i, n := range mergingNames {
		if n == s && n != "" {
			return Merging(i), nil
		}
	}
	return MergingUnset, fmt.Errorf("unknown merging %q: want %s or %s", s, MergeMLLMBench, MergeAsked)
}

// Merge merges the votes of both orders, which every way does alike.
func (b VotePair) Merge() Result {
	if !b.Whole() {
		return Incomplete
	}
	// Both from here on with the model's answer as the first.
	x, y := b.First, b.Second.Swapped()
	switch {
	case x == y:
		return ResultOf(x)
	case x.Decided() && y.Decided():
		return Tie
	case x.Decided():
		return ResultOf(x)
	case y.Decided():
		return ResultOf(y)
	}
	return Unable
}

// ResultOf is what one vote says by itself, with the model's answer as the
// first.
func ResultOf(v eval.Vote) Result {
	switch v {
	case eval.Answer1:
		return Win
	case eval.Answer2:
		return Lose
	case eval.SituationOne:
		return SituationOne
	case eval.SituationTwo:
		return SituationTwo
	case eval.VoteUnset:
	}
	return Incomplete
}

// Single is the result of a question that was asked in one order alone: what the
// one vote says.
func (b VotePair) Single() Result {
	if b.First != eval.VoteUnset {
		return ResultOf(b.First)
	}
	return ResultOf(b.Second.Swapped())
}

// Whole reports whether there is a vote in both orders.
func (b VotePair) Whole() bool { return b.First != eval.VoteUnset && b.Second != eval.VoteUnset }

// Position is what the order of the answers did to the votes of a question
// (MLLM-Bench, Fig. 5). The zero value is unset: there are not two votes.
type Position uint8

// The positions. They are disjoint, and every whole question has one.
const (
	PositionUnset Position = iota
	Same                   // the same vote in both orders
	FirstBoth              // the first answer in both
	SecondBoth             // the second answer in both
	OtherPosition          // one side undecided, or two different situations
)

// PositionClasses is how many positions there are, for arrays indexed by Position.
const PositionClasses = int(OtherPosition) + 1

// Position classifies the votes of both orders.
func (b VotePair) Position() Position {
	switch {
	case !b.Whole():
		return PositionUnset
	case b.First == b.Second.Swapped():
		return Same
	case b.First == eval.Answer1 && b.Second == eval.Answer1:
		return FirstBoth
	case b.First == eval.Answer2 && b.Second == eval.Answer2:
		return SecondBoth
	}
	return OtherPosition
}
