package session

import (
	"concord/annotate"
)

// Saved tells that the first n acts are committed. It reports whether that
// ends a failure, because the act that failed is among them; then all counts
// again.
func (s *Session) Saved(n uint32) bool {
	before := s.Own.saved
	s.Own.saved = max(s.Own.saved, min(int(n), len(s.Own.acts)))
	if s.Own.failed == nil || s.Own.saved == before {
		return false
	}
	s.resolve()
	if it, ok := s.Walk.front(); ok && !s.Own.fresh(it.Key) {
		s.Walk.ToOpen()
	}
	return true
}

// Failed tells that acts from a on could not be committed, and why. They no
// longer count, and the item of a comes back to the front. They are not
// lost: the journal holds them, they count again once they are saved, and
// the next act of the annotator goes behind them.
func (s *Session) Failed(a annotate.Act, err error) {
	if a.N == 0 || int(a.N) > len(s.Own.acts) {
		return
	}
	s.Own.saved, s.Own.failed = int(a.N)-1, err
	s.refold()
	s.tell(s.Own.acts[s.Own.saved:]...)
	s.Walk.Show(a.Item)
}

// Taken tells which acts came too late: others had given all the labels that
// their items take. They count for nothing, and their items are taken back
// from this annotator; everything else that they did stays, with its number.
// It returns those that it was not told before.
func (s *Session) Taken(late []annotate.Act) []annotate.Act {
	var news []annotate.Act
	for _, a := range late {
		if a.N == 0 || int(a.N) > len(s.Own.acts) || s.Own.acts[a.N-1].Kind == annotate.TooLate || s.Own.acts[a.N-1].Item != a.Item {
			continue
		}
		s.Own.acts[a.N-1].Kind = annotate.TooLate
		news = append(news, a)
	}
	if len(news) == 0 {
		return nil
	}
	s.refold()
	s.tell(news...)
	for _, a := range news {
		if _, done := s.Own.state.Labels[a.Item]; !done { // else a later answer, of which there is no news yet
			s.takeBack(a.Item)
		}
	}
	return news
}

// takeBack offers an item no more. The one in front stays there, unless it is
// that one.
func (s *Session) takeBack(k annotate.ItemKey) {
	s.Walk.claim.Fill(k)
	s.Own.leave(k)
	i, front := s.Walk.offered.find(k), s.Walk.offered.cursor
	if i < 0 {
		return
	}
	s.Walk.offered.removeAt(i)
	if front == i {
		s.Walk.ToOpen()
	}
}

func (s *Session) resolve() {
	if s.Own.failed != nil {
		s.Own.failed = nil
		s.refold()
		s.tell(s.Own.acts[s.Own.saved:]...)
	}
}
