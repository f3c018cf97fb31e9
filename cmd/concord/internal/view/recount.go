package view

import (
	"context"
	"sync"

	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// Recounts counts runs anew whose totals are of another version of the rules, one after the other in
// the background: a million answers take seconds, and the list of runs does not wait for them.
type Recounts struct {
	Store *store.Store
	Start func(func(context.Context)) // runs work in the background
	Done  func()                      // is called when totals are new

	turn sync.Mutex // of counting
	mu   sync.Mutex
	runs map[eval.RunID]recount
}

// recount is a run whose totals are counted anew, or were.
type recount struct {
	kept, now eval.Counts
	counting  bool
}

// CountsOrKept gives the totals of a run by its own rules, and whether they are still to be counted: until
// then they are those that were kept. Without Recounts it counts while the caller waits.
func (r *Recounts) CountsOrKept(ctx context.Context, st *store.Store, run eval.Run) (c eval.Counts, counting bool, err error) {
	if r == nil {
		c, err = facts.RecountOrKeptCounts(ctx, st, run)
		return c, false, err
	}
	kept, err := st.Runs().Counts(run.ID)
	reader, unknown := facts.FindRulesOfRun(run)
	if err != nil || unknown != nil || kept.Predictions == 0 || kept.Reader == eval.ReaderID(reader) {
		return kept, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if have, ok := r.runs[run.ID]; ok && have.kept == kept {
		return have.now, have.counting, nil
	}
	eval.EnsureMap(&r.runs)[run.ID] = recount{kept, kept, true}
	r.Start(func(ctx context.Context) { r.recountAndNotify(ctx, run, kept) })
	return kept, true, nil
}

func (r *Recounts) recountAndNotify(ctx context.Context, run eval.Run, kept eval.Counts) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if ctx.Err() != nil {
		return
	}
	now, err := facts.RecountOrKeptCounts(ctx, r.Store, run)
	if err != nil {
		now = kept // what cannot be read is a report's to tell
	}
	r.mu.Lock()
	r.runs[run.ID] = recount{kept: kept, now: now}
	r.mu.Unlock()
	r.Done()
}
