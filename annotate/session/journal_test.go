package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
)

// tape is an Appender that refuses what does not follow, as a store does, and
// fails when told to.
type tape struct {
	mu    sync.Mutex
	acts  []annotate.Act
	err   error
	bad   annotate.Annotator // of whom nothing is taken
	delay time.Duration
	odds  float64 // of failing by itself
	rand  *rand.Rand
}

var errTape = errors.New("tape is full")

func (p *tape) Append(ctx context.Context, acts []annotate.Act) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.delay > 0 {
		time.Sleep(p.delay)
	}
	if p.err != nil {
		return p.err
	}
	if p.odds > 0 && p.rand.Float64() < p.odds {
		return errTape
	}
	for i := range acts {
		if acts[i].Annotator == p.bad {
			return errTape
		}
		if int(acts[i].N) != p.count(&acts[i])+1 {
			return annotate.ErrConflict
		}
		p.acts = append(p.acts, acts[i])
	}
	return nil
}

// count gives how many acts of an act's stream are stored.
func (p *tape) count(a *annotate.Act) int {
	n := 0
	for i := range p.acts {
		if p.acts[i].Queue == a.Queue && p.acts[i].Annotator == a.Annotator {
			n++
		}
	}
	return n
}

func (p *tape) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

func numbered(n int) annotate.Act {
	return annotate.Act{Queue: "q", Annotator: "ann", N: uint32(n), Kind: annotate.Skipped}
}

func TestJournalKeepsOrderAndLosesNothing(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := &tape{delay: time.Duration(r.IntN(200)) * time.Microsecond, odds: 0.2, rand: rand.New(rand.NewPCG(seed, 3))}
		j := NewJournal(p, nil)
		const n = 1000
		for i := 1; i <= n; i++ {
			j.Submit(numbered(i))
			if r.IntN(50) == 0 {
				time.Sleep(time.Duration(r.IntN(300)) * time.Microsecond)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for j.Flush(ctx) != nil && ctx.Err() == nil {
		}
		if err := j.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if len(p.acts) != n {
			t.Fatalf("seed %d: %d acts of %d committed", seed, len(p.acts), n)
		}
		if st := j.State(); st.Saved != n || st.Pending != 0 || j.LastSaved("q", "ann") != n {
			t.Errorf("seed %d: state %+v", seed, st)
		}
	}
}

func TestJournalKeepsWhatItCouldNotSave(t *testing.T) {
	p := &tape{err: errTape}
	j := NewJournal(p, func() time.Time { return t0 })
	for i := 1; i <= 3; i++ {
		j.Submit(numbered(i))
	}
	if err := j.Flush(t.Context()); !errors.Is(err, errTape) {
		t.Fatalf("Flush = %v", err)
	}
	st := j.State()
	if st.Pending != 3 || len(st.Parked) != 1 || st.Parked[0].First.N != 1 || st.Parked[0].Pending != 3 || !errors.Is(st.Err, errTape) || !st.At.IsZero() {
		t.Fatalf("state %+v", st)
	}
	select {
	case <-j.Changed():
	default:
		t.Error("no mark")
	}
	p.fail(nil)
	j.RetryParked()
	if err := j.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := j.State(); len(p.acts) != 3 || st.Err != nil || st.Saved != 3 || !st.At.Equal(t0) {
		t.Errorf("%d acts, state %+v", len(p.acts), st)
	}
	j.Submit(numbered(4))
	if err := j.Flush(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestJournalNeverBlocksItsWriter(t *testing.T) {
	p := &tape{delay: 100 * time.Millisecond}
	j := NewJournal(p, nil)
	start := time.Now()
	for i := 1; i <= 500; i++ {
		j.Submit(numbered(i))
	}
	if took := time.Since(start); took > 50*time.Millisecond {
		t.Errorf("500 submits took %v", took)
	}
	if err := j.Close(t.Context()); err != nil || len(p.acts) != 500 {
		t.Errorf("%v, %d acts", err, len(p.acts))
	}
}

func TestJournalGivesUpInTime(t *testing.T) {
	stuck := appendFunc(func(ctx context.Context, _ []annotate.Act) error {
		<-ctx.Done()
		return ctx.Err()
	})
	j := NewJournal(stuck, nil)
	j.Submit(numbered(1))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := j.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close = %v", err)
	}
}

func TestOneStreamDoesNotHoldUpOthers(t *testing.T) {
	p := &tape{bad: "ann"}
	j := NewJournal(p, nil)
	const n = 300
	for i := 1; i <= n; i++ {
		for _, who := range []annotate.Annotator{"ann", "bob", "cy"} {
			j.Submit(annotate.Act{Queue: "q", Annotator: who, N: uint32(i), Kind: annotate.Skipped})
		}
	}
	ctx := t.Context()
	if err := errors.Join(j.SyncStream(ctx, "q", "bob"), j.SyncStream(ctx, "q", "cy"), j.SyncStream(ctx, "q", "nobody")); err != nil {
		t.Fatal(err)
	}
	if err := j.SyncStream(ctx, "q", "ann"); !errors.Is(err, errTape) {
		t.Errorf("Sync = %v", err)
	}
	st := j.State()
	if got, ok := st.ParkedOf("q", "ann"); !ok || got.First.N != 1 || got.Pending != n || !errors.Is(got.Err, errTape) {
		t.Errorf("parked %+v, %v", got, ok)
	}
	if _, ok := st.ParkedOf("q", "bob"); ok || len(st.Parked) != 1 || st.Pending != n || st.Saved != 2*n || !errors.Is(st.Err, errTape) {
		t.Errorf("%+v", st)
	}
	if err := j.Flush(ctx); !errors.Is(err, errTape) {
		t.Errorf("Flush = %v", err)
	}
	p.mu.Lock()
	p.bad = ""
	p.mu.Unlock()
	if err := j.Close(ctx); err != nil || len(p.acts) != 3*n || j.LastSaved("q", "ann") != n {
		t.Errorf("%v, %d acts", err, len(p.acts))
	}
}

// group is how many acts the journal commits together at most.
const group = 64

// Whoever types much does not keep others waiting.
func TestStreamsTakeTurns(t *testing.T) {
	p := &tape{}
	j := NewJournal(p, nil)
	p.mu.Lock()
	for i := 1; i <= 50*group; i++ {
		j.Submit(numbered(i))
	}
	j.Submit(annotate.Act{Queue: "q", Annotator: "bob", N: 1})
	p.mu.Unlock()
	if err := j.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := slices.IndexFunc(p.acts, func(a annotate.Act) bool { return a.Annotator == "bob" }); n > group {
		t.Errorf("%d acts went before", n)
	}
}

type appendFunc func(context.Context, []annotate.Act) error

func (f appendFunc) Append(ctx context.Context, acts []annotate.Act) error { return f(ctx, acts) }
