package home

import (
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// listFocus is the list that keys move in. Lists stand below each other in this
// order.
type listFocus uint8

const (
	atRuns listFocus = iota
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

// filteredList is rows of a kind: all of them, and those that the filter leaves.
type filteredList[R any, K comparable] struct {
	all, rows []R
	at        widget.Cursor
	id        func(R) K
	made      func(R) bool                     // it is synthetic
	table     func(*projectBoard) widget.Table // its columns, and what to do without rows
	cells     func(*projectBoard, *R) []string // of a row, as it is drawn
}

// lister is a list, whatever its rows are.
type lister interface {
	cursor() *widget.Cursor
	countRows() (shown, all int)
	hasSynthetic() bool
	applyFilter(m *projectBoard)
	makeTable(m *projectBoard) widget.Table
}

// currentRow is the row under the cursor.
func (l *filteredList[R, K]) currentRow() (R, bool) { return widget.RowUnder(&l.at, l.rows) }

func (l *filteredList[R, K]) cursor() *widget.Cursor      { return &l.at }
func (l *filteredList[R, K]) countRows() (shown, all int) { return len(l.rows), len(l.all) }
func (l *filteredList[R, K]) hasSynthetic() bool          { return slices.ContainsFunc(l.rows, l.made) }

// indexOf is the place of a row among those that are shown; -1: it is not.
func (l *filteredList[R, K]) indexOf(id K) int {
	return slices.IndexFunc(l.rows, func(r R) bool { return l.id(r) == id })
}

// applyFilter finds what the filter leaves. The cursor stays at what is under it, where
// that is left: neither news nor a filter that is typed moves it to something
// else.
func (l *filteredList[R, K]) applyFilter(m *projectBoard) {
	was, ok := l.currentRow()
	l.rows = widget.FilterRows(&m.filter, l.all, func(r *R) []string { return l.cells(m, r) })
	if at := l.indexOf(l.id(was)); ok && at >= 0 {
		l.at.At = at
	}
}

// makeTable makes the table with its rows.
func (l *filteredList[R, K]) makeTable(m *projectBoard) widget.Table {
	table := l.table(m)
	table.Rows, table.Cursor = len(l.rows), l.at
	table.Row = func(i int) []string { return l.cells(m, &l.rows[i]) }
	return table
}

// projectLists is the rows of the lists.
type projectLists struct {
	runs     filteredList[Row, eval.RunID]
	datasets filteredList[eval.Dataset, eval.DatasetName] // without a run
	jobs     filteredList[job.Row, job.ID]
	queues   filteredList[Queue, annotate.QueueName]
}

// listOf lists one of the lists.
func (s *projectLists) listOf(f listFocus) lister {
	return [...]lister{&s.runs, &s.datasets, &s.jobs, &s.queues}[f]
}

// countShown counts how many rows of a list are shown.
func (s *projectLists) countShown(f listFocus) int {
	n, _ := s.listOf(f).countRows()
	return n
}

// hasAny reports whether anything is listed, whatever the filter leaves.
func (s *projectLists) hasAny() bool {
	for f := range lists {
		if _, all := s.listOf(f).countRows(); all > 0 {
			return true
		}
	}
	return false
}
