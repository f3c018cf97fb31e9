package annotate

import (
	"fmt"
)

// HidesTruth reports whether the truth about an item would answer for another
// one: whether the queue holds an item of the same sample, in another pass or
// by another model, that this annotator has not labelled, or grows and may
// yet be given one.
func (s *Session) HidesTruth(k ItemKey) bool {
	if s.queue.Growing {
		return true
	}
	for i := range s.items {
		other := s.items[i].Key
		if other.Sample == k.Sample && other != k {
			if _, done := s.state.Labels[other]; !done {
				return true
			}
		}
	}
	return false
}

// Reveal prepares the reveal of an item: load does the loading, and can run
// beside the session. A label that is given after it is no blind one, so look
// is to be stored before anything is shown; its N is 0 when an earlier one is.
// Reveal gives ErrBlind at once.
func (s *Session) Reveal(k ItemKey, from func() (Revealed, error)) (look Act, load func() (Revealed, error), err error) {
	own, ok := s.state.Labels[k]
	if !ok {
		return Act{}, nil, fmt.Errorf("reveal item %s: %w", k, ErrBlind)
	}
	if !s.state.Seen[k] {
		look = s.act(k, Act{Kind: Looked})
	}
	st := State{Labels: map[ItemKey]Label{k: own}}
	sealed := s.HidesTruth(k)
	return look, func() (Revealed, error) {
		r, err := Reveal(st, k, from)
		if err == nil && sealed && r.Truth != "" {
			r.Truth, r.Withheld = "", true
		}
		return r, err
	}, nil
}

// RevealPair prepares the reveal of a pair as Reveal does that of a prediction. Of
// what is withheld nothing is loaded, and no look is to be stored.
func (s *Session) RevealPair(k ItemKey, from func() (RevealedPair, error)) (look Act, load func() (RevealedPair, error), err error) {
	own, ok := s.state.Labels[k]
	if !ok {
		return Act{}, nil, fmt.Errorf("reveal pair %s: %w", k, ErrBlind)
	}
	if s.HidesTruth(k) {
		return Act{}, func() (RevealedPair, error) { return RevealedPair{Item: k, Own: own.Reading, Withheld: true}, nil }, nil
	}
	if !s.state.Seen[k] {
		look = s.act(k, Act{Kind: Looked})
	}
	return look, func() (RevealedPair, error) {
		u, err := from()
		if err != nil {
			return RevealedPair{}, fmt.Errorf("reveal pair %s: %w", k, err)
		}
		u.Item, u.Own = k, own.Reading
		return u, nil
	}, nil
}
