package criteria

import (
	"slices"

	"concord/annotate"
)

// Turn is what a sample asks of one person next. The zero value is nothing.
// Lower ones come first: what others wait for before what waits for nobody.
type Turn uint8

// What a sample may ask of a person.
const (
	NoTurn   Turn = iota
	ToRevise      // changes were requested on what they wrote, or are to write
	ToReview      // somebody else's criteria are in review
	ToWrite       // assigned to them, or begun by them, and not handed in
	ToTake        // nobody has written, and nobody is to
	ToVerify      // accepted criteria of somebody else, for whoever is an expert
)

// Turns is how many turns there are, for arrays indexed by Turn.
const Turns = int(ToVerify) + 1

// Turn is what the sample asks of a person. Verification comes last: who is an
// expert is not known here, and everybody else has other work before it.
func (s *Set) Turn(who annotate.Annotator) Turn {
	if s.Removed != nil || who == "" {
		return NoTurn
	}
	mine := s.Assignee == who || slices.Contains(s.authors, who)
	switch s.State {
	case ChangesRequested:
		if mine {
			return ToRevise
		}
	case InReview:
		if !slices.Contains(s.authors, who) {
			return ToReview
		}
	case Draft:
		if mine {
			return ToWrite
		}
	case Unwritten:
		switch s.Assignee {
		case who:
			return ToWrite
		case "":
			return ToTake
		}
	case Approved:
		if s.May(Verified, who) == nil {
			return ToVerify
		}
	case Checked:
	}
	return NoTurn
}
