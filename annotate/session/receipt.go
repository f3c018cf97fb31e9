package session

import (
	"slices"

	"concord/annotate"
)

// Saved tells that the first n acts are committed. It reports whether that
// ends a failure, because the act that failed is among them; then all counts
// again.
func (s *Session) Saved(n uint32) bool {
	before := s.saved
	s.saved = max(s.saved, min(int(n), len(s.acts)))
	if s.failed == nil || s.saved == before {
		return false
	}
	s.resolve()
	if it, ok := s.front(); ok && !s.fresh(it.Key) {
		s.ToOpen()
	}
	return true
}

// Failed tells that acts from a on could not be committed, and why. They no
// longer count, and the item of a comes back to the front. They are not
// lost: the journal holds them, they count again once they are saved, and
// the next act of the annotator goes behind them.
func (s *Session) Failed(a annotate.Act, err error) {
	if a.N == 0 || int(a.N) > len(s.acts) {
		return
	}
	s.saved, s.failed = int(a.N)-1, err
	s.fold()
	s.tell(s.acts[s.saved:]...)
	s.show(a.Item)
}

// Taken tells which acts came too late: others had given all the labels that
// their items take. They count for nothing, and their items are taken back
// from this annotator; everything else that they did stays, with its number.
// It returns those that it was not told before.
func (s *Session) Taken(late []annotate.Act) []annotate.Act {
	var news []annotate.Act
	for _, a := range late {
		if a.N == 0 || int(a.N) > len(s.acts) || s.acts[a.N-1].Kind == annotate.TooLate || s.acts[a.N-1].Item != a.Item {
			continue
		}
		s.acts[a.N-1].Kind = annotate.TooLate
		news = append(news, a)
	}
	if len(news) == 0 {
		return nil
	}
	s.fold()
	s.tell(news...)
	for _, a := range news {
		if _, done := s.state.Labels[a.Item]; !done { // else a later answer, of which there is no news yet
			s.takeBack(a.Item)
		}
	}
	return news
}

// takeBack offers an item no more. The one in front stays there, unless it is
// that one.
func (s *Session) takeBack(k annotate.ItemKey) {
	s.claim.Fill(k)
	s.leave(k)
	i := slices.IndexFunc(s.items, func(p annotate.Place) bool { return p.Key == k })
	if i < 0 {
		return
	}
	s.items = slices.Delete(s.items, i, i+1)
	if i < s.low {
		s.low--
	}
	switch {
	case s.cursor > i:
		s.cursor--
	case s.cursor == i:
		s.cursor--
		s.ToOpen()
	}
}

// Failure is why acts are not saved; nil when none failed.
func (s *Session) Failure() error { return s.failed }

func (s *Session) resolve() {
	if s.failed != nil {
		s.failed = nil
		s.fold()
		s.tell(s.acts[s.saved:]...)
	}
}
