package home

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

func runID(r Row) eval.RunID               { return r.Run.ID }
func queueName(q Queue) annotate.QueueName { return q.Name }
func jobID(j job.Row) job.ID               { return j.ID }

func datasetName(d eval.Dataset) eval.DatasetName { return d.Name }

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
