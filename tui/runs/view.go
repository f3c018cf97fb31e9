package runs

import (
	"slices"
	"strings"

	"concord/tui/widget"
)

// beside is the width from which on the detail stands right of the lists.
const beside = 140

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.settle()
}

// settle keeps the cursors within the lists.
func (m *Model) settle() {
	m.runAt.Set(m.runAt.At, len(m.rows), m.listHeight()-2)
	m.queueAt.Set(m.queueAt.At, len(m.queues), m.queueHeight()-2)
	m.jobAt.Set(m.jobAt.At, len(m.jobs), m.jobHeight()-2)
	m.settlePage()
}

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := widget.Block(m.lines(), m.width, m.height)
	return strings.Join(lines, "\n")
}

func (m *Model) lines() []string {
	switch {
	case m.asking != 0:
		return m.question()
	case m.ending != "":
		return m.endQuestion()
	case m.form != nil:
		return m.form.lines(m.width, m.height)
	case !m.loaded:
		return []string{"", m.theme.Faint.Render("  reading the project…")}
	case m.page.open && len(m.rows) > 0 && m.jury != nil:
		return m.jury.lines(m.width, m.height)
	case m.page.open && len(m.rows) > 0:
		return m.pageLines()
	case m.wide():
		at := m.listWidth()
		lists := m.lists(at)
		if r, ok := m.run(); ok && m.focus == atRuns {
			lists = m.withGrowth(lists, r, at, m.height-1-len(lists))
		}
		return m.theme.Beside(lists, m.pane(m.width-at-3, m.height), at, m.width, m.height)
	}
	lists := m.lists(m.width)
	return append(lists, m.pane(m.width, m.height-len(lists))...)
}

// pane is what stands beside or below the lists.
func (m *Model) pane(width, height int) []string {
	if m.jury != nil {
		return widget.Block(m.jury.lines(width, height), width, height)
	}
	return m.detail(width, height)
}

func (m *Model) wide() bool { return m.width >= beside }

func (m *Model) listWidth() int {
	if !m.wide() {
		return m.width
	}
	return m.width * 62 / 100
}

// listHeight is the height of the list of runs, title and headings included.
func (m *Model) listHeight() int {
	if m.wide() {
		return max(3, min(listNeeds(len(m.rows)), m.height-m.queueHeight()-m.jobRoom()-1))
	}
	return min(max(3, listNeeds(len(m.rows))), max(3, m.height/3))
}

// queueHeight is the same of the list of queues.
func (m *Model) queueHeight() int {
	if m.wide() {
		return max(4, min(listNeeds(len(m.queues)), m.height/3))
	}
	return min(max(3, listNeeds(len(m.queues))), max(3, m.height/4))
}

// listNeeds is the height of a list with all its rows; without any, of what
// says how to get some.
func listNeeds(rows int) int {
	if rows == 0 {
		return 6
	}
	return rows + 2
}

func (m *Model) lists(width int) []string {
	t := m.theme
	var out []string
	out = append(out, t.Section("Runs", m.counted(len(m.rows), len(m.every.rows), slices.ContainsFunc(m.rows, isSynthetic), m.focus == atRuns), m.focus == atRuns, width))
	out = append(out, t.Table(m.runTable(), width, m.listHeight()-1)...)
	if m.wide() {
		out = append(out, "")
	}
	out = append(out, m.jobLines(width)...)
	out = append(out, t.Section("Queues", m.counted(len(m.queues), len(m.every.queues), slices.ContainsFunc(m.queues, madeUp), m.focus == atQueues), m.focus == atQueues, width))
	return append(out, t.Table(m.queueTable(), width, m.queueHeight()-1)...)
}

func isSynthetic(r Row) bool { return r.Run.Config.Synthetic }
func madeUp(q Queue) bool    { return q.Synthetic }

func (m *Model) question() []string {
	text, yes := "Cancel this run?", "cancel the run"
	for _, r := range m.every.rows {
		switch {
		case r.Run.ID != m.asking:
		case judging(r):
			text = "Cancel the judging of " + title(r) + "? Calls in flight finish, everything read stays stored, and " + m.Spelled("J") + " goes on from there."
			yes = "cancel the judging"
		default:
			text = "Cancel " + title(r) + "? Calls in flight finish, everything answered stays stored, and resuming goes on from there."
		}
	}
	t := m.theme
	lines := widget.Wrap(text, min(56, m.width-6))
	lines = append(lines, "", t.Key.Render("n/enter")+" keep it running   "+t.Key.Render("y")+" "+yes)
	return t.Dialog("Cancel", lines, m.width, m.height)
}
