package session

import (
	"fmt"

	"concord/annotate"
	"concord/annotate/blind"
)

// HidesTruth reports whether the truth about an item would answer for another
// one: whether the queue holds an item of the same sample, in another pass or
// by another model, that this annotator has not labelled, or grows and may
// yet be given one.
func (s *Session) HidesTruth(k annotate.ItemKey) bool {
	if s.Own.queue.Growing {
		return true
	}
	for i := range s.Walk.offered.items {
		other := s.Walk.offered.items[i].Key
		if other.Sample == k.Sample && other != k {
			if _, done := s.Own.state.Labels[other]; !done {
				return true
			}
		}
	}
	return false
}

// Reveal prepares the reveal of an item: load does the loading, and can run
// beside the session. Asked by it, from leaves the truth out, and records what
// it gives as shown. A label that is given after it is no blind one, so look
// is to be stored before anything is shown; its N is 0 when an earlier one is.
// Reveal gives ErrBlind at once.
func (s *Session) Reveal(k annotate.ItemKey, from func(truth bool) (blind.Revealed, error)) (look annotate.Act, load func() (blind.Revealed, error), err error) {
	own, ok := s.Own.state.Labels[k]
	if !ok {
		return annotate.Act{}, nil, fmt.Errorf("reveal item %s: %w", k, annotate.ErrBlind)
	}
	if !s.Own.state.Seen[k] {
		look = s.act(k, annotate.Act{Kind: annotate.Looked})
	}
	st := annotate.State{Labels: map[annotate.ItemKey]annotate.Label{k: own}}
	sealed := s.HidesTruth(k)
	return look, func() (blind.Revealed, error) {
		r, err := blind.Reveal(st, k, func() (blind.Revealed, error) { return from(!sealed) })
		if err == nil && sealed && r.Truth != "" {
			r.Truth, r.Withheld = "", true
		}
		return r, err
	}, nil
}

// RevealPair prepares the reveal of a pair as Reveal does that of a prediction. Of
// what is withheld nothing is loaded, and no look is to be stored.
func (s *Session) RevealPair(k annotate.ItemKey, from func() (blind.RevealedPair, error)) (look annotate.Act, load func() (blind.RevealedPair, error), err error) {
	own, ok := s.Own.state.Labels[k]
	if !ok {
		return annotate.Act{}, nil, fmt.Errorf("reveal pair %s: %w", k, annotate.ErrBlind)
	}
	if s.HidesTruth(k) {
		return annotate.Act{}, func() (blind.RevealedPair, error) {
			return blind.RevealedPair{Item: k, Own: own.Reading, Withheld: true}, nil
		}, nil
	}
	if !s.Own.state.Seen[k] {
		look = s.act(k, annotate.Act{Kind: annotate.Looked})
	}
	return look, func() (blind.RevealedPair, error) {
		u, err := from()
		if err != nil {
			return blind.RevealedPair{}, fmt.Errorf("reveal pair %s: %w", k, err)
		}
		u.Item, u.Own = k, own.Reading
		return u, nil
	}, nil
}
