package journal

import (
	"context"
	"fmt"
	"slices"
)

// Flush waits until everything submitted so far is committed. It tries what
// had failed once more, and returns why it fails again, once nothing else is
// left to commit; so does what was refused and is not redone.
func (j *Journal[S, A]) Flush(ctx context.Context) error {
	j.RetryParked()
	return j.waitUntil(ctx, func() (pending int, trying bool, err error) {
		if len(j.parked) > 0 {
			err = j.parked[0].err
		}
		return j.pending, len(j.ready) > 0, err
	})
}

// SyncStream is Flush for one stream: it neither waits for nor fails with the acts of others.
func (j *Journal[S, A]) SyncStream(ctx context.Context, name S) error {
	j.mu.Lock()
	s := j.findStream(name)
	j.startTrying(s)
	j.unlockAndTry()
	return j.waitUntil(ctx, func() (pending int, trying bool, err error) {
		return len(s.waiting), s.ready, s.err
	})
}

// waitUntil waits until nothing is pending, or nothing is tried any more.
func (j *Journal[S, A]) waitUntil(ctx context.Context, look func() (pending int, trying bool, err error)) error {
	for {
		j.mu.Lock()
		pending, trying, err := look()
		settled := j.settled
		j.mu.Unlock()
		switch {
		case pending == 0:
			return nil
		case !trying:
			return fmt.Errorf("save %d acts: %w", pending, err)
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return fmt.Errorf("save %d acts: %w", pending, context.Cause(ctx))
		}
	}
}

// Close flushes and ends the journal, by the deadline of ctx: it does not
// wait longer for a commit that does not end. Acts that could not be committed
// by then are lost with the process; the error says how many.
func (j *Journal[S, A]) Close(ctx context.Context) error {
	err := j.Flush(ctx)
	j.mu.Lock()
	again := j.closed
	j.closed = true
	j.mu.Unlock()
	if again {
		return err
	}
	if err != nil {
		j.abort()
	}
	close(j.stop)
	select {
	case <-j.gone:
	case <-ctx.Done():
	}
	j.abort()
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil && j.pending > 0 { // submitted meanwhile
		err = fmt.Errorf("save %d acts: %w", j.pending, ErrClosed)
	}
	for _, s := range j.ready {
		s.ready = false
		j.parkStream(s, ErrClosed)
	}
	j.ready = nil
	j.wakeWaiters()
	return err
}

// giveUpStream keeps all that waits in a stream from being tried: it was made on what is not so, and would
// fail alike. It stays unsaved, and is counted as such, until it is redone (Redo); what else is
// submitted meanwhile joins it, since whoever makes it does not know yet.
func (j *Journal[S, A]) giveUpStream(s *actStream[A], err error) {
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

// DiscardRefused takes away all that was given up and not redone, and what came after the
// journal's end, stream by stream, with why. gone must not call the journal.
func (j *Journal[S, A]) DiscardRefused(gone func(acts []A, err error)) {
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

// RedoRefused puts what again makes of a stream's refused acts in their place, in one step: nothing is
// submitted in between, and there is no moment at which nobody has them. It reports false, and again is
// not called, when there are none. again must not call the journal.
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
	j.unlockAndTry()
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

// FindTakenBack finds the acts of a stream that stand no more: an act stands unless
// a later act that stands took it back, so undo, redo and undo again are one
// rule. target is the number of the act that an act takes back, 0 for none.
func FindTakenBack[A any](acts []A, number, target func(*A) uint32) map[uint32]bool {
	gone := make(map[uint32]bool)
	for i := range slices.Backward(acts) {
		if t := target(&acts[i]); t != 0 && !gone[number(&acts[i])] {
			gone[t] = true
		}
	}
	return gone
}

// History is what can be taken back and what can be done again, as the numbers of acts, the next one
// last. It follows from the acts alone, and so survives the end of a session. The zero value is empty.
type History struct {
	done   []uint32 // acts that stand
	undone []uint32 // acts that took one back, and have not been taken back
}

// AddDone takes up an act that takes nothing back: it ends what can be done again.
func (h *History) AddDone(n uint32) { h.done, h.undone = append(h.done, n), nil }

// AddUndone takes up the act n, which took back the act target.
func (h *History) AddUndone(n, target uint32) {
	h.done, h.undone = removeNumber(h.done, target), append(h.undone, n)
}

// AddRedone takes up an act by which the act of stands again: it took undo back, which had taken that back.
func (h *History) AddRedone(undo, of uint32) {
	h.done, h.undone = append(h.done, of), removeNumber(h.undone, undo)
}

// CanUndo reports whether there is an act to take back.
func (h *History) CanUndo() bool { return len(h.done) > 0 }

// CanRedo reports whether the last thing done was to take something back.
func (h *History) CanRedo() bool { return len(h.undone) > 0 }

// NextUndo gives the act that is taken back next; false when there is none.
func (h *History) NextUndo() (uint32, bool) { return lastNumber(h.done) }

// NextRedo gives the act of taking back that is taken back next; false when there is none.
func (h *History) NextRedo() (uint32, bool) { return lastNumber(h.undone) }

// removeNumber removes n, which is at or near the end.
func removeNumber(list []uint32, n uint32) []uint32 {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == n {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

func lastNumber(list []uint32) (uint32, bool) {
	if len(list) == 0 {
		return 0, false
	}
	return list[len(list)-1], true
}
