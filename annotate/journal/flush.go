package journal

import (
	"context"
	"fmt"
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

// Sync is Flush for one stream: it neither waits for nor fails with the acts
// of others.
func (j *Journal[S, A]) Sync(ctx context.Context, name S) error {
	j.mu.Lock()
	s := j.findStream(name)
	j.startTrying(s)
	j.mu.Unlock()
	markSlot(j.wake)
	markSlot(j.dirty)
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
