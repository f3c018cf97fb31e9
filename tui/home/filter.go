package home

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// stay keeps a cursor at one row of a list, where it is still in it.
func stay[R any, K comparable](c *widget.Cursor, rows []R, was K, id func(R) K, height int) {
	at := slices.IndexFunc(rows, func(r R) bool { return id(r) == was })
	if at < 0 {
		at = c.At
	}
	c.Set(at, len(rows), height)
}

// filterKey is the key of the filter, which means nothing where there is
// nothing.
func filterKey(m *board) key.Binding {
	e := &m.every
	return widget.When(m.keys.filter, len(e.rows)+len(e.datasets)+len(e.jobs)+len(e.queues) > 0, "nothing is listed yet")
}

// sift finds what the filter leaves of the lists. Each cursor stays at
// what is under it, where that is left: neither news nor a filter that is
// typed moves it to something else.
func (m *board) sift() {
	run, _ := m.run()
	queue, _ := m.queue()
	at, _ := m.job()
	dataset, _ := m.set()
	m.rows = widget.Sift(&m.filter, m.every.rows, func(r *Row) []string { return cells(m, *r) })
	m.queues = widget.Sift(&m.filter, m.every.queues, func(q *Queue) []string { return queueCells(m, *q) })
	m.datasets = widget.Sift(&m.filter, m.every.datasets, func(d *eval.Dataset) []string { return datasetCells(m, d) })
	m.jobs = widget.Sift(&m.filter, m.every.jobs, func(j *job.Row) []string { return j.Cells(m.theme, m.barWidth()) })
	stay(&m.runAt, m.rows, runID(run), runID, m.shownRows(atRuns))
	stay(&m.queueAt, m.queues, queueName(queue), queueName, m.shownRows(atQueues))
	stay(&m.jobAt, m.jobs, jobID(at), jobID, m.shownRows(atJobs))
	stay(&m.datasetAt, m.datasets, dataset.Name, datasetName, m.shownRows(atDatasets))
	if !m.has(m.focus) && (m.focus != atRuns || !m.filter.On()) {
		if m.focus = atRuns; !m.has(atRuns) {
			m.focus = atDatasets
		}
	}
}

// pressFilter takes a key while the filter is typed: the lists follow.
func (m *board) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.Press(msg) {
		return nil
	}
	m.sift()
	if m.focus == atRuns && len(m.rows) == 0 && m.filter.On() { // to where something is left
		turnFocus(m, false)
	}
	return m.look()
}

// unfilter shows everything again, and reports whether there was a filter.
func (m *board) unfilter() bool {
	was := m.filter.Clear()
	m.sift()
	return was
}

// left is how many rows of a list are shown, of how many there are.
func (m *board) left(shown, all int) string {
	if m.filter.On() {
		return widget.Count(shown) + " of " + widget.Count(all)
	}
	return widget.Count(all)
}
