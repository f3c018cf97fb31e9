package file

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"concord/store/record"
)

// fakeUpdate commits nothing; it counts transactions and can be held up.
type fakeUpdate struct {
	hold  chan struct{}
	mu    sync.Mutex
	calls int
}

func (f *fakeUpdate) update(fn func(*Tx) error) error {
	f.mu.Lock()
	f.calls++
	f.mu.Unlock()
	<-f.hold
	return fn(&Tx{held: make(map[any]any)})
}

// until waits for a state that other goroutines bring about.
func until(ok func() bool) {
	for !ok() {
		runtime.Gosched()
	}
}

func (w *writer) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}

// heldWriter has one job in a transaction that waits, and an empty queue.
func heldWriter(t *testing.T) (*writer, *fakeUpdate, *sync.WaitGroup) {
	t.Helper()
	f := &fakeUpdate{hold: make(chan struct{})}
	w := newWriter(f.update)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := w.applyAndWait(context.Background(), &writeJob{apply: fine}); err != nil {
			t.Error(err)
		}
	})
	until(func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.calls == 1
	})
	return w, f, &wg
}

func fine(*Tx) error { return nil }

// start has a job wait in the queue and checks its outcome at the end.
func start(t *testing.T, w *writer, wg *sync.WaitGroup, apply func(*Tx) error, want error) {
	t.Helper()
	before := w.waiting()
	wg.Go(func() {
		if err := w.applyAndWait(context.Background(), &writeJob{apply: apply}); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	})
	until(func() bool { return w.waiting() == before+1 })
}

func TestWriterCommitsWhatWaitsTogether(t *testing.T) {
	w, f, wg := heldWriter(t)
	for range 50 {
		start(t, w, wg, fine, nil)
	}
	close(f.hold)
	wg.Wait()
	w.close()
	if f.calls != 2 {
		t.Errorf("%d transactions", f.calls)
	}
}

// A job that goes wrong costs the others nothing but another try, and a
// refusal not even that.
func TestWriterKeepsFaultsApart(t *testing.T) {
	w, f, wg := heldWriter(t)
	wrong, refused := errors.New("wrong"), errors.New("refused")
	applied := 0
	good := func(*Tx) error { applied++; return nil }
	start(t, w, wg, good, nil)
	start(t, w, wg, func(*Tx) error { return NewRejection(refused) }, refused)
	start(t, w, wg, good, nil)
	close(f.hold)
	wg.Wait()
	if f.calls != 2 || applied != 2 {
		t.Errorf("after a refusal: %d transactions, %d applied", f.calls, applied)
	}

	w2, f2, wg2 := heldWriter(t)
	start(t, w2, wg2, good, nil)
	start(t, w2, wg2, func(*Tx) error { return wrong }, wrong)
	close(f2.hold)
	wg2.Wait()
	if f2.calls != 4 {
		t.Errorf("after a fault: %d transactions", f2.calls)
	}
	err := w2.applyAndWait(t.Context(), &writeJob{apply: func(*Tx) error { panic("at the disco") }})
	if err == nil || !strings.Contains(err.Error(), "at the disco") {
		t.Errorf("panic: %v", err)
	}
	must(t, w2.applyAndWait(t.Context(), &writeJob{apply: good}))

	// What jobs hold together is written once, and costs those alone that hold what cannot be.
	w3, f3, wg3 := heldWriter(t)
	sum, written := 0, 0
	count := func(tx *Tx) error {
		n, ok := tx.HeldValue("sum").(*int)
		if !ok {
			n = new(int)
			tx.WriteAtEnd("sum", n, func() error { sum, written = *n, written+1; return nil })
		}
		*n++
		return nil
	}
	start(t, w3, wg3, count, nil)
	start(t, w3, wg3, count, nil)
	close(f3.hold)
	wg3.Wait()
	if sum != 2 || written != 1 {
		t.Errorf("two jobs: a sum of %d, written %d times", sum, written)
	}
	w4, f4, wg4 := heldWriter(t)
	start(t, w4, wg4, good, nil)
	start(t, w4, wg4, func(tx *Tx) error { tx.WriteAtEnd("lost", 1, func() error { return wrong }); return nil }, wrong)
	start(t, w4, wg4, func(tx *Tx) error { tx.WriteAtEnd("torn", 1, func() error { panic(wrong) }); return nil }, record.ErrCorrupt)
	close(f4.hold)
	wg4.Wait()
	if f4.calls != 5 {
		t.Errorf("after a fault of what is held: %d transactions", f4.calls)
	}
	for _, w := range []*writer{w, w2, w3, w4} {
		w.close()
	}
}

func TestWriterWithdrawsAndDrains(t *testing.T) {
	w, f, wg := heldWriter(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("quit")
	withdrawn := make(chan error)
	go func() {
		withdrawn <- w.applyAndWait(ctx, &writeJob{apply: func(*Tx) error { t.Error("applied"); return nil }})
	}()
	until(func() bool { return w.waiting() == 1 })
	cancel(why)
	wantErr(t, <-withdrawn, why)
	wantErr(t, w.applyAndWait(ctx, &writeJob{}), why)

	applied := false
	start(t, w, wg, func(*Tx) error { applied = true; return nil }, nil)
	closed := make(chan struct{})
	go func() { w.close(); close(closed) }()
	until(func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.closed
	})
	wantErr(t, w.applyAndWait(t.Context(), &writeJob{}), ErrClosed)
	close(f.hold)
	<-closed
	wg.Wait()
	if !applied {
		t.Error("a job that waited was dropped")
	}
}
