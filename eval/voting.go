package eval

import "context"

// VoteQuestion is what a judge is asked about two answers to one question.
// What a judge sees of it is a matter of its ballot: what is left out there
// need not be given.
type VoteQuestion struct {
	Sample  Sample
	Pair    Pair
	Repeat  int
	Answers [2]string // of Pair.First and of Pair.Second, raw
	Type    QuestionType

	Criteria string // as text; "" when the sample has none
	Revision string // their hash, as Preference.Text keeps it

	Pictures   func(PictureHash) ([]byte, error)
	Caption    string      // "" when none is held
	Detections []Detection // nil when none are held; empty when a detector found nothing
}

// Voter says which of two answers is better by asking a judge model. It is
// called from several goroutines at once and returns soon after ctx ends. Its
// errors are those of a Model; the preference beside an error says what the
// failed call cost. The engine sets Latency and At.
type Voter interface {
	Name() string
	Ballot(repeat int) Ballot // of its votes; Judge is Name
	Vote(ctx context.Context, q VoteQuestion) (Preference, error)
}

// VoteRecorder makes judges' votes durable.
type VoteRecorder interface {
	// RecordVote returns once the vote is committed, behind the earlier ones of
	// its ballot on that pair.
	RecordVote(ctx context.Context, p Preference) error
}
