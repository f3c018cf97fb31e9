package jobs

import (
	"concord/eval"
)

// Tally is the votes on one model's answers beside the anchor's, under one
// ballot.
type Tally struct {
	Contest eval.Contest
	model   eval.RunID
	Wanted  int // of tally.Wanted
}

// dueVote is a vote to ask for.
type dueVote struct {
	pair   eval.Pair
	repeat int
}

// Standing is what stands of an order and what is due, as of when it was taken.
type Standing struct {
	eval.Tally
	Due     []dueVote
	Stale   int // standing votes made under older criteria, asked again or not
	missing map[string]int
	blind   int // of Wanted, without the picture that the judge was to see
}

// stand is what is stored of a pair.
type stand struct {
	vote   eval.Vote
	text   string // hash of the criteria
	failed bool   // nothing but failures of the sample
}
