package home

import (
	"slices"

	"concord/tui/widget"
)

// listLines draw the lists below each other.
func listLines(m *board, width int) []string {
	t := m.theme
	var out []string
	for f := range lists {
		high := m.high(f)
		if high == 0 {
			continue
		}
		if len(out) > 0 && m.wide() {
			out = append(out, "")
		}
		name, note, table := m.inside(f)
		out = append(out, t.Section(name, note, m.focus == f, width))
		table.Cursor, table.Rows, table.Focused = *m.cursor(f), count(m, f), m.focus == f
		out = append(out, t.Table(table, width, high-1)...)
	}
	return out
}

// inside is what a list is called, what stands beside that, and its table.
func (m *board) inside(f focus) (name, note string, table widget.Table) {
	e, here := &m.every, m.focus == f
	switch f {
	case atDatasets:
		return "Datasets without a run", counted(m, len(m.datasets), len(e.datasets), slices.ContainsFunc(m.datasets, invented), here), datasetTable(m)
	case atJobs:
		return "Judge runs", counted(m, len(m.jobs), len(e.jobs), false, here), jobTable(m)
	case atQueues:
		return "Queues", counted(m, len(m.queues), len(e.queues), slices.ContainsFunc(m.queues, madeUp), here), queueTable(m)
	case atRuns, lists:
	}
	return "Runs", counted(m, len(m.rows), len(e.rows), slices.ContainsFunc(m.rows, isSynthetic), here), runTable(m)
}

// counted stands beside the title of a list: how many, what the mark means, and
// at the list with the focus what all of them are narrowed down to.
func counted(m *board, shown, all int, marked, focused bool) string {
	out := m.left(shown, all)
	if marked {
		out += "  " + mark + " synthetic"
	}
	if f := m.theme.Filter(&m.filter, max(24, m.listWidth()/2)); f != "" && focused {
		out += "  " + f
	}
	return out
}

func isSynthetic(r Row) bool { return r.Run.Config.Synthetic }

func madeUp(q Queue) bool { return q.Synthetic }
