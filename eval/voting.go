package eval

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
