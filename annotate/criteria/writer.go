package criteria

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"concord/annotate/journal"
	"concord/eval"
)

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. One that may not
	// come next gives the reason of Check.
	Append(ctx context.Context, acts ...Act) error
}

// Refusal is acts that were judged and cannot be stored: the sample has moved
// on, or is gone. They are not tried again.
type Refusal struct {
	Acts []Act
	Err  error
}

// WriterState is where a writer stands.
type WriterState struct {
	Saved   int       // acts committed since the writer was opened
	At      time.Time // of the last commit; zero before the first
	Pending int       // acts submitted and not committed
	Err     error     // why the first of them could not be committed; it stays until one can
}

// Writer is the one ordered writer of acts about criteria.
//
//	Submit --> waiting --> one goroutine, one step at a time --> Appender
//	              ^                        |
//	              +------failed------------+--one-slot mark--> Changed --> State, Refused
//
// Submit never waits, and nothing overtakes: what was submitted first is
// committed first. A step (the acts of one Submit) is stored whole or not at
// all. When the storage fails, the step and all behind it wait, to be tried
// with the next one or when asked (Retry, Flush, Close). A step that is
// refused is given up, with those of its sample that come before Refused was
// asked: they were made on a set that never was.
type Writer struct {
	appender Appender
	now      func() time.Time
	dirty    chan struct{}
	wake     chan struct{}
	stop     chan struct{}
	gone     chan struct{}
	ctx      context.Context // ends the commit under way when Close gives up
	abort    context.CancelFunc

	mu      sync.Mutex
	waiting [][]Act
	rests   bool // the first failed, and nobody has asked to try again
	state   WriterState
	last    map[place]time.Time // of the last commit of a sample
	refused []Refusal           // not yet taken
	lost    int                 // acts that were refused
	settled chan struct{}       // closed at the end of the next attempt
	closed  bool
}

type place struct {
	dataset eval.DatasetName
	sample  eval.Ordinal
}

func placeOf(a *Act) place { return place{a.Dataset, a.Sample} }

// NewWriter starts a writer; Close ends it. A nil now is time.Now.
func NewWriter(a Appender, now func() time.Time) *Writer {
	if now == nil {
		now = time.Now
	}
	ctx, abort := context.WithCancel(context.Background())
	w := &Writer{
		appender: a, now: now, ctx: ctx, abort: abort,
		dirty: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		stop: make(chan struct{}), gone: make(chan struct{}),
		settled: make(chan struct{}), last: make(map[place]time.Time),
	}
	go w.run()
	return w
}

// Submit hands over one step, acts of one sample. It returns at once.
func (w *Writer) Submit(acts ...Act) {
	if len(acts) == 0 {
		return
	}
	w.mu.Lock()
	switch {
	case w.closed:
		w.refuse(Refusal{acts, journal.ErrClosed})
	case slices.ContainsFunc(w.refused, func(r Refusal) bool { return placeOf(&r.Acts[0]) == placeOf(&acts[0]) }):
		w.refuse(Refusal{acts, ErrConflict}) // whoever made them does not know yet
	default:
		w.waiting = append(w.waiting, slices.Clone(acts))
		w.state.Pending += len(acts)
		w.rests = false
	}
	w.mu.Unlock()
	mark(w.wake)
	mark(w.dirty)
}

// Retry tries what could not be committed again.
func (w *Writer) Retry() {
	w.mu.Lock()
	w.rests = false
	w.mu.Unlock()
	mark(w.wake)
}

// State is where the writer stands now.
func (w *Writer) State() WriterState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// Of says whether acts of a sample wait, and when the last ones were
// committed; zero when none were by this writer.
func (w *Writer) Of(d eval.DatasetName, o eval.Ordinal) (waits bool, saved time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := place{d, o}
	waits = slices.ContainsFunc(w.waiting, func(step []Act) bool { return placeOf(&step[0]) == at })
	return waits, w.last[at]
}

// Refused takes the steps that were refused since it was asked last.
func (w *Writer) Refused() []Refusal {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.refused
	w.refused = nil
	return out
}

// Changed gets a mark when State or Refused has changed since the last mark
// was taken. It has one slot, for one reader, and is never closed.
func (w *Writer) Changed() <-chan struct{} { return w.dirty }

func (w *Writer) run() {
	defer close(w.gone)
	for {
		select {
		case <-w.wake:
		case <-w.stop:
			return
		}
		for step := w.first(); step != nil; step = w.first() {
			w.settle(step, w.appender.Append(w.ctx, step...))
		}
	}
}

// first is the step to commit next; it stays in its place until it is.
func (w *Writer) first() []Act {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 || w.rests || w.ctx.Err() != nil {
		return nil
	}
	return w.waiting[0]
}

func (w *Writer) settle(step []Act, err error) {
	w.mu.Lock()
	switch {
	case err == nil:
		w.waiting = w.waiting[1:]
		w.state.Pending -= len(step)
		w.state.Saved += len(step)
		w.state.At, w.state.Err = w.now(), nil
		w.last[placeOf(&step[0])] = w.state.At
	case final(err):
		w.giveUp(placeOf(&step[0]), err)
		w.state.Err = nil
	default:
		w.state.Err, w.rests = err, true
	}
	close(w.settled)
	w.settled = make(chan struct{})
	w.mu.Unlock()
	mark(w.dirty)
}

// giveUp refuses all that waits of a sample.
func (w *Writer) giveUp(at place, err error) {
	var gone []Act
	w.waiting = slices.DeleteFunc(w.waiting, func(step []Act) bool {
		if placeOf(&step[0]) != at {
			return false
		}
		gone = append(gone, step...)
		return true
	})
	w.state.Pending -= len(gone)
	w.refuse(Refusal{gone, err})
}

func (w *Writer) refuse(r Refusal) {
	w.refused = append(w.refused, r)
	w.lost += len(r.Acts)
}

// final tells refusals from failures of the storage: to try these again would
// give the same.
func final(err error) bool {
	for _, reason := range []error{
		ErrConflict, ErrOwn, ErrNotInReview, ErrUnresolved, ErrDiscarded, ErrNotYours, ErrRelied, ErrNothing, ErrIncomplete,
		eval.ErrNotFound,
	} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// Flush waits until everything submitted so far is committed. It tries what
// had failed once more, and returns why it fails again, or what was refused
// meanwhile.
func (w *Writer) Flush(ctx context.Context) error {
	w.mu.Lock()
	lost := w.lost
	w.mu.Unlock()
	w.Retry()
	for {
		w.mu.Lock()
		state, rests, settled, refused := w.state, w.rests, w.settled, w.lost-lost
		w.mu.Unlock()
		switch {
		case state.Pending > 0 && rests:
			return fmt.Errorf("save %d acts about criteria: %w", state.Pending, state.Err)
		case state.Pending == 0 && refused > 0:
			return fmt.Errorf("save %d acts about criteria: %w", refused, ErrConflict)
		case state.Pending == 0:
			return nil
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return fmt.Errorf("save %d acts about criteria: %w", state.Pending, context.Cause(ctx))
		}
	}
}

// Close flushes and ends the writer, by the deadline of ctx. Acts that could
// not be committed by then are lost with the process; the error says how many.
func (w *Writer) Close(ctx context.Context) error {
	err := w.Flush(ctx)
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if again {
		return err
	}
	if err != nil {
		w.abort()
	}
	close(w.stop)
	select {
	case <-w.gone:
	case <-ctx.Done():
	}
	w.abort()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && w.state.Pending > 0 { // submitted meanwhile
		err = fmt.Errorf("save %d acts about criteria: %w", w.state.Pending, journal.ErrClosed)
	}
	return err
}

func mark(slot chan struct{}) {
	select {
	case slot <- struct{}{}:
	default:
	}
}

// Waiting are the acts that are not committed, in their order.
func (w *Writer) Waiting() (all []Act) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, step := range w.waiting {
		all = append(all, step...)
	}
	return all
}
