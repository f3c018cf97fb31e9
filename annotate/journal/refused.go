package journal

import "slices"

// giveUp keeps all that waits in a stream from being tried: it was made on what
// is not so, and would fail alike. It stays unsaved, and is counted as such,
// until it is redone (Redo); what else is submitted meanwhile joins it, since
// whoever makes it does not know yet.
func (j *Journal[S, A]) giveUp(s *actStream[A], err error) {
	j.parkStream(s, err)
	s.refused = true
}

// RefusedActs are the acts of a stream that were given up and not redone, in their
// order, and why; none while all goes well. They stay with the journal.
func (j *Journal[S, A]) RefusedActs(name S) ([]A, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s, ok := j.streams[name]
	if !ok || !s.refused {
		return nil, nil
	}
	return slices.Clone(s.waiting), s.err
}

// Discard takes away all that was given up and not redone, and what came after the
// journal's end, stream by stream, with why. gone must not call the journal.
func (j *Journal[S, A]) Discard(gone func(acts []A, err error)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, s := range slices.Clone(j.parked) {
		if s.refused || j.closed {
			gone(s.waiting, s.err)
			j.pending -= len(s.waiting)
			s.waiting, s.refused = nil, false
			j.unparkStream(s)
		}
	}
}

// RedoRefused puts what again makes of a stream's refused acts in their place, in one
// step: nothing is submitted in between, and there is no moment at which nobody
// has them. It reports false, and again is not called, when there are none.
// again must not call the journal.
func (j *Journal[S, A]) RedoRefused(name S, again func(refused []A) []A) bool {
	j.mu.Lock()
	s, ok := j.streams[name]
	if !ok || !s.refused {
		j.mu.Unlock()
		return false
	}
	acts := again(slices.Clone(s.waiting))
	j.pending += len(acts) - len(s.waiting)
	s.waiting, s.refused = slices.Clone(acts), false
	j.unparkStream(s)
	j.startTrying(s)
	j.wakeWaiters()
	j.mu.Unlock()
	markSlot(j.wake)
	markSlot(j.dirty)
	return true
}

// WaitingActs are the acts that are not committed, stream by stream, each in its order.
func (j *Journal[S, A]) WaitingActs() (all []A) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, s := range j.streams {
		all = append(all, s.waiting...)
	}
	return all
}
