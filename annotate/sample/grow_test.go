package sample

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/annotate"
	"concord/eval"
)

var errFull = errors.New("disk is full")

// shelf is a recorder and an enroller that remember.
type shelf struct {
	mu         sync.Mutex
	facts      []eval.Fact
	items      map[annotate.ItemKey]bool
	population int
	recordErr  error
	enrolErr   error
}

func (s *shelf) Record(_ context.Context, f eval.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recordErr != nil {
		return s.recordErr
	}
	s.facts = append(s.facts, f)
	return nil
}

func (s *shelf) AppendItems(_ context.Context, _ annotate.QueueName, items []annotate.QueueItem, population int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.enrolErr != nil {
		return 0, s.enrolErr
	}
	added := 0
	for _, it := range items {
		if !s.items[it.Key] {
			s.items[it.Key] = true
			added++
		}
	}
	s.population = max(s.population, population)
	return added, nil
}

func (s *shelf) all(yield func(eval.Fact, error) bool) {
	for _, f := range s.facts {
		if !yield(f, nil) {
			return
		}
	}
}

func growing(rate float64) annotate.Queue {
	return annotate.Queue{Name: "q", Growing: true, Rule: annotate.Rule{
		From: annotate.FromUnparsable, Rules: "r@1", Rate: rate, Seed: 7, Runs: []eval.RunID{1},
	}}
}

func factOf(i int, s eval.Status) eval.Fact {
	return eval.Fact{Prediction: eval.Prediction{Key: keyOf(i).Key}, Reading: eval.Extraction{Status: s}, Reader: "r@1"}
}

func TestGrowerEnrolsWhatNothingWasReadFrom(t *testing.T) {
	sh := &shelf{items: make(map[annotate.ItemKey]bool)}
	g, err := NewGrower(growing(1), sh, sh, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed, other, foreign := factOf(4, eval.Missing), factOf(5, eval.Missing), factOf(6, eval.Missing)
	failed.Prediction.Failure = &eval.Failure{Kind: eval.FailureSample}
	other.Reader = "r@2"
	foreign.Prediction.Run = 9
	for _, f := range []eval.Fact{
		factOf(0, eval.Found), factOf(1, eval.Missing), factOf(2, eval.Ambiguous), factOf(3, eval.Refused),
		failed, other, foreign,
	} {
		if err := g.Record(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	sh.mu.Lock()
	sh.recordErr = eval.ErrRecorded
	sh.mu.Unlock()
	if err := g.Record(t.Context(), factOf(8, eval.Missing)); !errors.Is(err, eval.ErrRecorded) {
		t.Errorf("Record = %v", err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if len(sh.facts) != 7 || len(sh.items) != 3 || sh.population != 3 {
		t.Errorf("%d facts, %d items, population %d; want 7, 3, 3", len(sh.facts), len(sh.items), sh.population)
	}
}

func TestGrowerDrawsTheSameAfterACrash(t *testing.T) {
	live := &shelf{items: make(map[annotate.ItemKey]bool)}
	g, err := NewGrower(growing(0.3), live, live, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < 1000; i += 4 {
				if err := g.Record(t.Context(), factOf(i, eval.Missing)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(live.items); n < 230 || n > 370 || live.population != 1000 {
		t.Errorf("%d of %d drawn at 30 %%", n, live.population)
	}
	late := &shelf{items: make(map[annotate.ItemKey]bool)}
	g, err = NewGrower(growing(0.3), late, late, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.RecountAndEnroll(t.Context(), live.all); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if len(late.items) != len(live.items) || late.population != 1000 {
		t.Errorf("caught up with %d of %d, want %d of 1000", len(late.items), late.population, len(live.items))
	}
}

func TestGrowerKeepsWhatItCouldNotEnrol(t *testing.T) {
	sh := &shelf{items: make(map[annotate.ItemKey]bool), enrolErr: errFull}
	g, err := NewGrower(growing(1), sh, sh, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Record(t.Context(), factOf(1, eval.Missing)); err != nil {
		t.Fatal("a queue's trouble must not stop a run:", err)
	}
	for g.Err() == nil {
	}
	sh.mu.Lock()
	sh.enrolErr = nil
	sh.mu.Unlock()
	if err := g.Close(); err != nil || len(sh.items) != 1 {
		t.Errorf("%v, %d items", err, len(sh.items))
	}
}

// Also when no further prediction comes, an enrolment that failed is tried
// again, and both are told.
func TestGrowerTriesAgainByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh := &shelf{items: make(map[annotate.ItemKey]bool), enrolErr: errFull}
		var told []error
		g, err := NewGrower(growing(1), sh, sh, func(err error) { told = append(told, err) })
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Record(t.Context(), factOf(1, eval.Missing)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(again + again/2)
		synctest.Wait()
		if len(told) != 2 || !errors.Is(told[0], errFull) || !errors.Is(g.Err(), errFull) {
			t.Errorf("told %v", told)
		}
		sh.mu.Lock()
		sh.enrolErr = nil
		sh.mu.Unlock()
		time.Sleep(10 * again)
		synctest.Wait()
		if len(told) != 3 || told[2] != nil || g.Err() != nil || len(sh.items) != 1 {
			t.Errorf("told %v, %d items", told, len(sh.items))
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestGrowerRefusesAFixedNumber(t *testing.T) {
	q := growing(0.5)
	q.Rule.Number = 10
	if _, err := NewGrower(q, nil, nil, nil); err == nil {
		t.Error("took a queue of a fixed number")
	}
}
