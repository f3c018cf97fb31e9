package criteria

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// shelf stores acts as a project does, or fails.
type shelf struct {
	mu   sync.Mutex
	sets map[place]Set
	fail error
	log  []string
}

func (s *shelf) Append(_ context.Context, acts ...Act) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	set, ok := s.sets[newPlace(&acts[0])]
	if !ok {
		set = NewSet(acts[0].Dataset, acts[0].Sample)
	}
	for _, a := range acts {
		next, err := set.WithAct(a)
		if err != nil {
			return fmt.Errorf("append: %w", err)
		}
		set = next
	}
	s.sets[newPlace(&acts[0])] = set
	for _, a := range acts {
		s.log = append(s.log, fmt.Sprint(a.Sample, a.Kind))
	}
	return nil
}

func (s *shelf) breaks(err error) {
	s.mu.Lock()
	s.fail = err
	s.mu.Unlock()
}

func drafted(set *Set, text string) Act {
	a := set.NewAct(Drafted, "ann", time.Unix(int64(len(set.History.Acts)), 0))
	a.Criteria = []Criterion{{Type: Range, Text: text}}
	return a
}

func TestWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &shelf{sets: make(map[place]Set)}
		w := NewWriter(disk.Append, nil)
		one, two := NewSet("d", 1), NewSet("d", 2)
		a := drafted(&one, "x")
		w.Submit(a)
		w.Submit(drafted(&two, "y"))
		synctest.Wait()
		if st := w.State(); st.Saved != 2 || st.Pending != 0 || st.Err != nil || fmt.Sprint(disk.log) != "[1 draft 2 draft]" {
			t.Errorf("%+v %v", st, disk.log)
		}
		if waits, at := w.SampleState("d", 1); waits || at.IsZero() {
			t.Errorf("waits %v, saved %v", waits, at)
		}

		// The storage fails: everything waits in its order, and says why.
		full := errors.New("disk full")
		disk.breaks(full)
		one, _ = one.WithAct(a)
		b := drafted(&one, "xx")
		w.Submit(b)
		synctest.Wait()
		if st := w.State(); st.Pending != 1 || !errors.Is(st.Err, full) {
			t.Errorf("%+v", st)
		}
		if waits, _ := w.SampleState("d", 1); !waits {
			t.Error("the draft does not wait")
		}
		if err := w.Flush(t.Context()); !errors.Is(err, full) {
			t.Errorf("flush gives %v", err)
		}
		disk.breaks(nil)
		one, _ = one.WithAct(b)
		w.Submit(one.NewAct(Submitted, "ann", time.Now()))
		if err := w.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if st := w.State(); st.Saved != 4 || st.Err != nil {
			t.Errorf("%+v", st)
		}

		// Somebody else was there first: the step goes, with what was built
		// on it, and other samples go on.
		late := drafted(&two, "mine") // act 1, taken by y
		after := late
		after.N = 2
		w.Submit(late)
		w.Submit(after)
		other := NewSet("d", 3)
		w.Submit(drafted(&other, "z"))
		if err := w.Flush(t.Context()); err != nil && !errors.Is(err, ErrConflict) { // nil where it was refused before
			t.Error(err)
		}
		refused := w.TakeRefused()
		if len(refused) == 0 || !errors.Is(refused[0].Err, ErrConflict) || w.TakeRefused() != nil {
			t.Errorf("%+v", refused)
		}
		if st := w.State(); st.Pending != 0 || st.Saved != 5 {
			t.Errorf("%+v after %+v", st, refused)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
		w.Submit(late)
		if len(w.TakeRefused()) != 1 {
			t.Error("a closed writer takes acts")
		}
	})
}

func TestCloseSaysWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &shelf{sets: make(map[place]Set), fail: errors.New("disk full")}
		w := NewWriter(disk.Append, nil)
		one := NewSet("d", 1)
		w.Submit(drafted(&one, "x"))
		if err := w.Close(t.Context()); !errors.Is(err, disk.fail) {
			t.Errorf("closed with %v", err)
		}
	})
}
