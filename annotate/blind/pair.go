package blind

import (
	"concord/annotate"
	"concord/eval"
)

// RevealedPair holds what an annotator may learn of a pair after having voted on it:
// which model gave which answer, and what judges said. Withheld tells that all
// of it is kept back, because another item about the same sample is still to be
// answered, or may still come: a model's name would tell whose answer stands
// there too.
type RevealedPair struct {
	Item     annotate.ItemKey
	Model    string // of the item's run
	Against  string // of the other one
	Withheld bool
	Own      annotate.Reading
	Judges   []eval.Preference // that stand, in either order of the answers
}

// VoteAsSeen is the vote of a judge as a person who saw the pair in their own
// order would have said it, and whether the judge saw it in that order too.
func (u *RevealedPair) VoteAsSeen(p *eval.Preference) (v eval.Vote, same bool) {
	first := u.Item.Run
	if u.Own.Swapped {
		first = u.Item.Against
	}
	if p.First == first {
		return p.Vote, true
	}
	return p.Vote.Swapped(), false
}
