package journal

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

// entry is an act of the smallest kind: whose, its number, and which one it
// takes back.
type entry struct {
	who       string
	n, target uint32
}

func trade(appends func(context.Context, []entry) error) ActTraits[string, entry] {
	return ActTraits[string, entry]{
		Stream: func(e *entry) string { return e.who }, Number: func(e *entry) uint32 { return e.n }, Append: appends,
	}
}

// Close keeps its deadline also where a commit does not end when told to.
func TestCloseLeavesAStuckCommitBehind(t *testing.T) {
	free, began := make(chan struct{}), make(chan struct{}, 1)
	j := New(trade(func(context.Context, []entry) error {
		began <- struct{}{}
		<-free
		return nil
	}), nil)
	j.Submit(entry{who: "ann", n: 1})
	j.Submit(entry{who: "bob", n: 1})
	<-began
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := j.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
		t.Errorf("Close = %v after %v", err, time.Since(start))
	}
	close(free)
	<-j.gone
	if st := j.State(); st.Pending != 1 || j.LastSaved("ann") != 1 || !errors.Is(st.Err, ErrClosed) {
		t.Errorf("%+v", st)
	}
}

// Each stream is told how it stands itself, whatever becomes of others.
func TestStanding(t *testing.T) {
	full := errors.New("disk is full")
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	j := New(trade(func(_ context.Context, acts []entry) error {
		if acts[0].who == "ann" {
			return full
		}
		return nil
	}), func() time.Time { return noon })
	for n := range uint32(2) {
		j.Submit(entry{who: "ann", n: n + 1})
		j.Submit(entry{who: "bob", n: n + 1})
	}
	_ = j.Flush(t.Context())
	want := State[entry]{Pending: 2, Err: full, Parked: []Parked[entry]{{First: entry{who: "ann", n: 1}, Pending: 2, Err: full}}}
	if got := j.StreamState("ann"); !reflect.DeepEqual(got, want) {
		t.Errorf("ann: %+v", got)
	}
	if got := j.StreamState("bob"); !reflect.DeepEqual(got, State[entry]{Saved: 2, At: noon}) {
		t.Errorf("bob: %+v", got)
	}
	if got := j.StreamState("cy"); !reflect.DeepEqual(got, State[entry]{}) {
		t.Errorf("cy: %+v", got)
	}
	if err := j.Close(t.Context()); !errors.Is(err, full) {
		t.Errorf("Close = %v", err)
	}
}

func TestTakenBack(t *testing.T) {
	check := func(targets []uint32, want ...uint32) {
		t.Helper()
		acts := make([]entry, len(targets))
		for i, target := range targets {
			acts[i] = entry{n: uint32(i + 1), target: target}
		}
		gone := FindTakenBack(acts, func(e *entry) uint32 { return e.n }, func(e *entry) uint32 { return e.target })
		if len(gone) != len(want) {
			t.Errorf("%v: %v, want %v", targets, gone, want)
		}
		for _, n := range want {
			if !gone[n] {
				t.Errorf("%v: %v, want %v", targets, gone, want)
			}
		}
	}
	check(nil)
	check([]uint32{0, 0})
	check([]uint32{0, 1}, 1)
	check([]uint32{0, 1, 2}, 2)
	check([]uint32{0, 1, 2, 3}, 3, 1)
	check([]uint32{0, 0, 2, 1}, 2, 1)
}

func TestHistory(t *testing.T) {
	var h History
	check := func(undo, redo uint32) {
		t.Helper()
		u, _ := h.NextUndo()
		r, _ := h.NextRedo()
		if u != undo || r != redo {
			t.Errorf("next to undo %d, to redo %d, want %d and %d", u, r, undo, redo)
		}
	}
	check(0, 0)
	h.AddDone(1)
	h.AddDone(2)
	check(2, 0)
	h.AddUndone(3, 2)
	check(1, 3)
	h.AddUndone(4, 1)
	check(0, 4)
	h.AddRedone(4, 1)
	check(1, 3)
	h.AddDone(6)
	check(6, 0)
}

// What cannot be committed as it is stays with the journal, counted as unsaved,
// with what comes behind it, until it is redone in one step; others never stop.
func TestRefused(t *testing.T) {
	var stored []entry
	taken := errors.New("somebody else's")
	appends := trade(func(_ context.Context, acts []entry) error {
		if acts[0].who == "ann" && acts[0].n < 3 {
			return taken
		}
		stored = append(stored, acts...)
		return nil
	})
	appends.Final = func(err error) bool { return errors.Is(err, taken) }
	j := New(appends, nil)
	j.Submit(entry{who: "ann", n: 1})
	if err := j.SyncStream(t.Context(), "ann"); !errors.Is(err, taken) {
		t.Errorf("Sync = %v", err)
	}
	j.Submit(entry{who: "ann", n: 4}) // made before it is known
	j.Submit(entry{who: "bob", n: 1})
	if err := j.SyncStream(t.Context(), "bob"); err != nil {
		t.Error(err)
	}
	want := []entry{{who: "ann", n: 1}, {who: "ann", n: 4}}
	for range 2 { // asking takes nothing away
		if err := j.Flush(t.Context()); !errors.Is(err, taken) {
			t.Errorf("Flush = %v", err)
		}
		if st := j.StreamState("ann"); st.Pending != 2 || !errors.Is(st.Err, taken) {
			t.Errorf("ann: %+v", st)
		}
		if st := j.State(); st.Pending != 2 || st.Saved != 1 || !errors.Is(st.Err, taken) {
			t.Errorf("%+v", st)
		}
		if acts, err := j.RefusedActs("ann"); !reflect.DeepEqual(acts, want) || !errors.Is(err, taken) {
			t.Errorf("refused %v: %v", acts, err)
		}
	}
	redone := j.RedoRefused("ann", func(refused []entry) []entry {
		if !reflect.DeepEqual(refused, want) {
			t.Errorf("to redo: %v", refused)
		}
		return []entry{{who: "ann", n: 3}}
	})
	if !redone || j.RedoRefused("ann", nil) || j.RedoRefused("cy", nil) {
		t.Error("what is refused is redone once")
	}
	if err := j.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if want := []entry{{who: "bob", n: 1}, {who: "ann", n: 3}}; !reflect.DeepEqual(stored, want) || j.State().Pending != 0 {
		t.Errorf("stored %v, %+v", stored, j.State())
	}
}

// What is refused and never redone is told at the end.
func TestCloseTellsWhatIsRefused(t *testing.T) {
	appends := trade(func(context.Context, []entry) error { return context.Canceled })
	appends.Final = func(error) bool { return true }
	j := New(appends, nil)
	j.Submit(entry{who: "ann", n: 1})
	if err := j.Close(t.Context()); err == nil || j.State().Pending != 1 {
		t.Errorf("Close = %v, %+v", err, j.State())
	}
}
