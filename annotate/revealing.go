package annotate

import (
	"fmt"
)

// Sealed reports whether the truth about an item would answer for another
// one: whether the queue holds an item of the same sample, in another pass or
// by another model, that this annotator has not labelled, or grows and may
// yet be given one.
func (s *Session) Sealed(k ItemKey) bool {
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
	sealed := s.Sealed(k)
	return look, func() (Revealed, error) {
		r, err := Reveal(st, k, from)
		if err == nil && sealed && r.Truth != "" {
			r.Truth, r.Withheld = "", true
		}
		return r, err
	}, nil
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
