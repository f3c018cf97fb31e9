package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"concord/store/page"
	"concord/store/record"
)

// writeJob is one change. Its apply may run more than once, each time in a fresh
// transaction, so it sets all that it reports from scratch.
//
// An error of apply takes back everything that shared the transaction, and the others are tried again
// one by one. A refusal that comes before the first write is given as Reject(err) and disturbs nobody.
type writeJob struct {
	size  int // about how many bytes apply writes
	apply func(*Tx) error
	err   error
	done  chan struct{}
}

// rejection is an error of a job that has written nothing.
type rejection struct{ error }

func (r rejection) Unwrap() error { return r.error }

// NewRejection makes a refusal of err, of an apply that has written nothing.
func NewRejection(err error) error {
	if err == nil {
		return nil
	}
	return rejection{err}
}

// A group commits at most so much together, so that nobody waits for long behind a bulk import.
const (
	maxGroupJobs  = 4096
	MaxGroupBytes = 16 << 20
)

// writer is the one goroutine that changes the file. It takes whatever waits
// and commits it together: while one commit syncs, the next group gathers,
// so it needs no delay, and a lone fact does not wait for company.
type writer struct {
	update func(func(*Tx) error) error
	wake   chan struct{} // one slot
	ended  chan struct{}

	mu     sync.Mutex
	queue  []*writeJob
	closed bool
}

func newWriter(update func(func(*Tx) error) error) *writer {
	w := &writer{update: update, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go w.runLoop()
	return w
}

// applyAndWait has j applied and returns once it is committed. When ctx ends while j
// waits, j is withdrawn and do returns the cause; once j is being committed,
// do waits for the outcome, so that there is none that nobody knows.
func (w *writer) applyAndWait(ctx context.Context, j *writeJob) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	j.done = make(chan struct{})
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.queue = append(w.queue, j)
	w.mu.Unlock()
	w.wakeUp()
	select {
	case <-j.done:
		return j.err
	case <-ctx.Done():
	}
	if w.withdrawJob(j) {
		return context.Cause(ctx)
	}
	<-j.done
	return j.err
}

// withdrawJob takes j out of the queue, if it still waits there.
func (w *writer) withdrawJob(j *writeJob) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.queue, j)
	if i < 0 {
		return false
	}
	w.queue = slices.Delete(w.queue, i, i+1)
	return true
}

func (w *writer) wakeUp() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// close takes no further job and returns when those that wait are committed.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.wakeUp()
	<-w.ended
}

func (w *writer) runLoop() {
	defer close(w.ended)
	for range w.wake {
		for {
			for range gathering {
				runtime.Gosched()
			}
			group, closed := w.takeNextGroup()
			if len(group) == 0 {
				if closed {
					return
				}
				break
			}
			w.commitGroup(group)
			for _, j := range group {
				close(j.done)
			}
		}
	}
}

// gathering is how often the writer lets others run before it takes a group, who are
// about to add to it: where answers come as fast as they can be stored, that doubles
// what a commit holds, and a lone fact still waits for nothing.
const gathering = 3

// takeNextGroup removes the next group from the queue.
func (w *writer) takeNextGroup() (group []*writeJob, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, size := 0, 0
	for n < len(w.queue) && n < maxGroupJobs {
		if size += w.queue[n].size; n > 0 && size > MaxGroupBytes {
			break
		}
		n++
	}
	group = w.queue[:n:n]
	if w.queue = w.queue[n:]; len(w.queue) == 0 {
		w.queue = nil
	}
	return group, w.closed
}

// commitGroup applies a group in one transaction, and one by one when a job of it
// went wrong, so that the fault of one is not the fault of all.
func (w *writer) commitGroup(group []*writeJob) {
	alone := false
	apply := func(tx *Tx) error {
		for _, j := range group {
			j.err = nil
			err := recoverPanic(func() error { return j.apply(tx) })
			var r rejection
			switch {
			case errors.As(err, &r):
				j.err = r.error
			case err != nil:
				alone = true
				return err
			}
		}
		err := recoverPanic(tx.writeHeld)
		alone = err != nil
		return err
	}
	err := explainError(recoverPanic(func() error { return w.update(apply) }))
	switch {
	case err == nil:
	case alone && len(group) > 1:
		for _, j := range group {
			w.commitGroup([]*writeJob{j})
		}
	default:
		for _, j := range group {
			j.err = err
		}
	}
}

// commitState is a commit of which a damaged file may still have all, or a part.
type commitState struct {
	meta                      page.Meta
	tables, records, findings int
}

// findLatestCommit finds the commit as of which a damaged file is salvaged: that of its newer
// meta page, or, where that one is lost, of all states that its pages still hold the one that
// knows of the most records. It tells src what that one says of its schema.
func findLatestCommit(in *os.File, src *File, note func(error)) (page.Meta, error) {
	info, err := in.Stat()
	if err != nil {
		return page.Meta{}, err
	}
	m, sure := page.ReadMendedMeta(in)
	if sure {
		src.takeSchemaOf(in, m)
		return m, nil
	}
	all := []commitState{}
	if m.PageSize > 0 {
		all = append(all, measureState(in, m))
	}
	for _, root := range page.FindCommittedStates(in, info.Size()) {
		if root.Root != m.Root || m.PageSize == 0 {
			all = append(all, measureState(in, root))
		}
	}
	if len(all) == 0 {
		return m, &record.DamageError{Where: "the file", Why: "no page of a project is in it"}
	}
	best := slices.MaxFunc(all, func(a, b commitState) int {
		return cmp.Or(cmp.Compare(a.tables, b.tables), cmp.Compare(a.records, b.records), cmp.Compare(b.findings, a.findings))
	})
	if best.meta.Root == m.Root && m.PageSize > 0 {
		src.takeSchemaOf(in, m)
		return m, nil
	}
	lost := &record.DamageError{
		Where:  fmt.Sprintf("page %d", best.meta.Root),
		Why:    "no meta page leads to it; of the states that are left in the file it knows of the most records, and is taken",
		Commit: true,
	}
	if best.meta.Root >= best.meta.Pages {
		lost.Where, lost.Why = "the file", "no meta page is left and no table of tables: records of earlier commits may be among those that are saved"
	}
	note(lost)
	src.takeSchemaOf(in, best.meta)
	return page.FindFreelist(in, best.meta), nil
}

// measureState measures a state, by its sums, or by its records where it has none.
func measureState(in *os.File, m page.Meta) commitState {
	s := page.NewReader(in, m, 1).AccountPages(1)
	out := commitState{meta: m, tables: len(s.Tables), findings: len(s.Findings)}
	summed := slices.ContainsFunc(s.Tables, func(t page.Table) bool { return record.Table(t.Name) == record.TableSums })
	for _, t := range s.Tables {
		if summed && record.Table(t.Name) != record.TableSums {
			continue
		}
		t.Ascend(nil, func(l page.Leaf, err *page.Error) bool {
			if err != nil {
				out.findings++
				return true
			}
			for i := range l.Len {
				out.countRecord(l.Key(i), l.Value(i), summed)
			}
			return true
		})
	}
	return out
}

func (s *commitState) countRecord(key, value []byte, isSum bool) {
	if !isSum {
		s.records++
		return
	}
	body, _, err := record.Unseal(record.TableSums, key, value, false)
	if err == nil {
		var sum record.Sum
		sum, err = record.ReadSum(key, body)
		s.records += sum.Records
	}
	if err != nil {
		s.findings++
	}
}

// takeSchemaOf takes from a state what schema it has, if that can be read.
func (f *File) takeSchemaOf(in *os.File, m page.Meta) {
	if f.db != nil {
		return // it was opened, and has said so
	}
	meta, ok, _ := page.NewReader(in, m, 1).Root().Table([]byte(record.TableMeta))
	if !ok {
		return
	}
	leaf, i, found, err := meta.Find([]byte(MetaSchema))
	if err != nil || !found {
		return
	}
	n, ok := record.DecodeNumber(leaf.Value(i))
	if !ok || n == 0 || n > f.schema {
		return
	}
	f.schema, f.bare = n, true
	if leaf, i, found, err = meta.Find([]byte(MetaEnvelope)); err == nil && found {
		body, _, err := record.Unseal(record.TableMeta, []byte(MetaEnvelope), leaf.Value(i), false)
		f.bare = err != nil || len(body) != 9 || body[8] != 0
	}
}
