package annotate

import (
	"fmt"

	"concord/eval"
)

// Unmasked is what an annotator may learn of a pair after having voted on it:
// which model gave which answer, and what judges said. Withheld tells that all
// of it is kept back, because another item about the same sample is still to be
// answered, or may still come: a model's name would tell whose answer stands
// there too.
type Unmasked struct {
	Item     ItemKey
	Model    string // of the item's run
	Against  string // of the other one
	Withheld bool
	Own      Reading
	Judges   []eval.Preference // that stand, in either order of the answers
}

// Unmask prepares the reveal of a pair as Reveal does that of a prediction. Of
// what is withheld nothing is loaded, and no look is to be stored.
func (s *Session) Unmask(k ItemKey, from func() (Unmasked, error)) (look Act, load func() (Unmasked, error), err error) {
	own, ok := s.state.Labels[k]
	if !ok {
		return Act{}, nil, fmt.Errorf("reveal pair %s: %w", k, ErrBlind)
	}
	if s.Sealed(k) {
		return Act{}, func() (Unmasked, error) { return Unmasked{Item: k, Own: own.Reading, Withheld: true}, nil }, nil
	}
	if !s.state.Seen[k] {
		look = s.act(k, Act{Kind: Looked})
	}
	return look, func() (Unmasked, error) {
		u, err := from()
		if err != nil {
			return Unmasked{}, fmt.Errorf("reveal pair %s: %w", k, err)
		}
		u.Item, u.Own = k, own.Reading
		return u, nil
	}, nil
}

// Preferred is the vote of a judge as a person who saw the pair in their own
// order would have said it, and whether the judge saw it in that order too.
func (u *Unmasked) Preferred(p *eval.Preference) (v eval.Vote, same bool) {
	first := u.Item.Run
	if u.Own.Swapped {
		first = u.Item.Against
	}
	if p.First == first {
		return p.Vote, true
	}
	return p.Vote.Swapped(), false
}
