package home

import (
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// focus is the list that keys move in. Lists stand below each other in this
// order.
type focus uint8

const (
	atRuns focus = iota
	atDatasets
	atJobs
	atQueues
	lists
)

// titles are what the lists are called, and shortTitles what tab calls them.
var (
	titles      = [lists]string{"Runs", "Datasets without a run", "Judge runs", "Queues"}
	shortTitles = [lists]string{"runs", "datasets", "judgings", "queues"}
)

// list is rows of a kind: all of them, and those that the filter leaves.
type list[R any, K comparable] struct {
	all, rows []R
	at        widget.Cursor
	id        func(R) K
	made      func(R) bool              // it is synthetic
	table     func(*board) widget.Table // its columns, and what to do without rows
	cells     func(*board, *R) []string // of a row, as it is drawn
}

// lister is a list, whatever its rows are.
type lister interface {
	cursor() *widget.Cursor
	count() (shown, all int)
	synthetic() bool
	sift(m *board)
	drawn(m *board) widget.Table
}

// front is the row under the cursor.
func (l *list[R, K]) front() (R, bool) { return widget.Under(&l.at, l.rows) }

func (l *list[R, K]) cursor() *widget.Cursor  { return &l.at }
func (l *list[R, K]) count() (shown, all int) { return len(l.rows), len(l.all) }
func (l *list[R, K]) synthetic() bool         { return slices.ContainsFunc(l.rows, l.made) }

// find is the place of a row among those that are shown; -1: it is not.
func (l *list[R, K]) find(id K) int {
	return slices.IndexFunc(l.rows, func(r R) bool { return l.id(r) == id })
}

// sift finds what the filter leaves. The cursor stays at what is under it, where
// that is left: neither news nor a filter that is typed moves it to something
// else.
func (l *list[R, K]) sift(m *board) {
	was, ok := l.front()
	l.rows = widget.Sift(&m.filter, l.all, func(r *R) []string { return l.cells(m, r) })
	if at := l.find(l.id(was)); ok && at >= 0 {
		l.at.At = at
	}
}

// drawn is the table with its rows.
func (l *list[R, K]) drawn(m *board) widget.Table {
	table := l.table(m)
	table.Rows, table.Cursor = len(l.rows), l.at
	table.Row = func(i int) []string { return l.cells(m, &l.rows[i]) }
	return table
}

// shelf is the rows of the lists.
type shelf struct {
	runs     list[Row, eval.RunID]
	datasets list[eval.Dataset, eval.DatasetName] // without a run
	jobs     list[job.Row, job.ID]
	queues   list[Queue, annotate.QueueName]
}

// listOf is one of the lists.
func (s *shelf) listOf(f focus) lister {
	return [...]lister{&s.runs, &s.datasets, &s.jobs, &s.queues}[f]
}

// count is how many rows of a list are shown.
func (s *shelf) count(f focus) int {
	n, _ := s.listOf(f).count()
	return n
}

// any reports whether anything is listed, whatever the filter leaves.
func (s *shelf) any() bool {
	for f := range lists {
		if _, all := s.listOf(f).count(); all > 0 {
			return true
		}
	}
	return false
}

// merge brings rows up to date: those known stay in their places, new ones
// come at the end.
func merge[T any, K comparable](old, fresh []T, id func(T) K) []T {
	byID := make(map[K]T, len(fresh))
	for _, r := range fresh {
		byID[id(r)] = r
	}
	out := make([]T, 0, len(fresh))
	for _, r := range append(slices.Clone(old), fresh...) {
		if now, ok := byID[id(r)]; ok {
			out = append(out, now)
			delete(byID, id(r))
		}
	}
	return out
}
