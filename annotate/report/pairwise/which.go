package pairwise

import (
	"strings"

	"concord/annotate/report"
	"concord/eval"
)

// The figures of rows over votes that can be opened.
const (
	Wins          report.Which = "win"
	Losses        report.Which = "lose"
	Ties          report.Which = "tie"
	SituationOnes report.Which = "situation_one"
	SituationTwos report.Which = "situation_two"
	Unables       report.Which = "unable"
	Incompletes   report.Which = "incomplete"
	SameVotes     report.Which = "same" // positions from here on
	FirstVotes    report.Which = "first"
	SecondVotes   report.Which = "second"
	OtherVotes    report.Which = "other"
)

// The figures of rows over people's votes that can be opened, beside the
// reasons for which pairs are left out.
const (
	Filtered        report.Which = "filtered"
	NotVoted        report.Which = "not_voted"
	ExcludedVotes   report.Which = "excluded"
	InformedVotes   report.Which = "after_the_reveal"
	PeopleUndecided report.Which = "people_undecided"
	JudgeNotAsked   report.Which = "judge_not_asked"
	JudgeFailed     report.Which = "judge_failed"
	JudgeUnparsed   report.Which = "judge_unparsed"
	JudgeUndecided  report.Which = "judge_undecided"

	BothRight    report.Which = "right_both" // of a CriteriaEffect: with and without criteria as people
	WithRight    report.Which = "right_with"
	WithoutRight report.Which = "right_without"
	NeitherRight report.Which = "right_neither"
)

// The figures of lengths that can be opened; LengthRow.Figure names those of one
// bin.
const (
	LongerWon   report.Which = "longer"
	ShorterWon  report.Which = "shorter"
	NeitherWon  report.Which = "undecided"
	EqualLength report.Which = "equal_length"
)

// The figures of a RepeatsRow that can be opened.
const (
	Changed   report.Which = "changed"
	Unchanged report.Which = "unchanged"
	Flipped   report.Which = "flipped"
	OneResult report.Which = "single"
)

// cut is a count with the figure that it opens.
type cut struct {
	which report.Which
	n     int
}

// ballot is how a judge was asked; nil where the row does not tell.
func ballot(judge, input string, criteria bool, repeat int) *eval.Ballot {
	in, err := eval.ParseInput(input)
	if err != nil {
		return nil
	}
	return &eval.Ballot{Judge: judge, Criteria: criteria, Input: in, Repeat: repeat}
}

// pairNames are how the figures are called whose own name says too little.
func pairNames(s *report.Selection) string {
	kind, _, _ := strings.Cut(string(s.Which), ":") // of lengths, the bin
	return namesOfPairs[report.Which(kind)]
}

var namesOfPairs = map[report.Which]string{
	SameVotes: "same vote", FirstVotes: "first twice", SecondVotes: "second twice", OtherVotes: "other",
	LongerWon: "longer won", ShorterWon: "shorter won", NeitherWon: "undecided", EqualLength: "equal length",
	report.Disagree: "differ", OneResult: "a single result", Filtered: "other pairs asked for", NotVoted: "not voted on",
	BothRight: "right both ways", WithRight: "right with only", WithoutRight: "right without only", NeitherRight: "right neither way",
}
