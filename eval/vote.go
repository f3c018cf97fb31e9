package eval

import "time"

// Vote is which of two answers to one question is better, as a judge or a
// person says it (MLLM-Bench, Sec. 5.1). Answer1 and Answer2 are the answers
// in the order in which they were shown. The zero value is no vote.
type Vote uint8

// The votes.
const (
	VoteUnset    Vote = iota // no vote could be read
	Answer1                  // the first answer is better
	Answer2                  // the second is
	SituationOne             // unable to decide: closed-ended, and both right or both wrong
	SituationTwo             // unable to decide: both with considerable errors of fact or ethical issues
)

// Votes is how many votes there are, for arrays indexed by Vote.
const Votes = int(SituationTwo) + 1

var voteNames = [...]string{"", "answer1", "answer2", "situation_one", "situation_two"}

// String returns the name that files and reports use.
func (v Vote) String() string { return NameOf(voteNames[:], v) }

// ParseVote reads what String writes.
func ParseVote(s string) (Vote, error) {
	return ParseName[Vote](voteNames[:], s, "vote")
}

// Decided reports whether one of the answers was preferred.
func (v Vote) Decided() bool { return v == Answer1 || v == Answer2 }

// Swapped is the same vote as seen with the answers in the other order.
func (v Vote) Swapped() Vote {
	switch v {
	case Answer1:
		return Answer2
	case Answer2:
		return Answer1
	case VoteUnset, SituationOne, SituationTwo:
	}
	return v
}

// Pair is two runs' answers to one sample, in the order in which they are
// shown: First is Answer1. The pair in the other order is another Pair.
type Pair struct {
	Sample Ordinal
	First  RunID
	Second RunID
}

// Swapped is the pair in the other order.
func (p Pair) Swapped() Pair { return Pair{Sample: p.Sample, First: p.Second, Second: p.First} }

// Ballot says how a vote was asked for: one judge's ballots of the same kind
// are compared, those of different kinds are different methods.
type Ballot struct {
	Judge    string // as reports name it
	Criteria bool   // the judge saw the sample's criteria
	Input    Input  // what it saw of the picture
	Repeat   int    // from 0: the same asked again, for reproducibility
}

// Input is what a judge sees of a sample's picture. The zero value is unset.
type Input uint8

// The inputs (MLLM-Bench, App. F).
const (
	InputUnset Input = iota
	SeesImage
	SeesCaption
	SeesDetections
	SeesBoth    // caption and detections
	SeesNothing // an image was due, and there is none
)

var inputNames = [...]string{"", "image", "caption", "detections", "both", "none"}

// String returns the name that flags and reports use.
func (i Input) String() string { return NameOf(inputNames[:], i) }

// ParseInput reads what String writes.
func ParseInput(s string) (Input, error) {
	return ParseName[Input](inputNames[:], s, "input")
}

// Preference is a judge's vote on one pair: a fact, with its raw reply. A
// reply that holds no vote has VoteUnset; a call that failed has a Failure.
type Preference struct {
	Pair
	Ballot
	Vote    Vote
	Raw     string
	Earlier []string // replies before Raw that did not parse, in their order
	Text    string   // hash of the criteria that it saw; "" without
	Prompt  string   // hash of the prompt template, "" when unknown
	Setup   string   // hash of the judge's settings, "" when unknown
	Served  string   // the model as the endpoint named it, "" when unknown
	Finish  string
	Usage   Usage
	Latency time.Duration
	At      time.Time
	Failure *Failure
	Sent    Sent
}
