package home

import (
	"strings"

	"concord/tui/widget"
)

// tallFrom is the height from which the next step has a line.
const tallFrom = 14

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height, m.whole = width, height, height
	if m.next != "" && height >= tallFrom {
		m.height--
	}
	settle(m)
}

// settle keeps the cursors within the lists.
func settle(m *Model) {
	for f := range lists {
		m.cursor(f).Set(m.cursor(f).At, count(m.board, f), m.shownRows(f))
	}
	m.side.settlePage()
}

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := widget.Block(m.lines(), m.width, m.height)
	if m.height < m.whole {
		lines = append(lines, widget.Fit(m.theme.Accent.Render(" next ")+m.Keyed(m.next), m.width))
	}
	return strings.Join(lines, "\n")
}

func (m *Model) lines() []string {
	switch {
	case m.asking != 0:
		return question(m.board)
	case m.ending != "":
		return endQuestion(m.board)
	case m.composer.form != nil:
		return m.composer.form.lines(m.width, m.height)
	case !m.loaded:
		return []string{"", m.theme.Faint.Render("  loading the project…")}
	case m.side.page.open && len(m.rows) > 0 && m.jury != nil:
		return m.jury.lines(m.width, m.height)
	case m.side.page.open && len(m.rows) > 0:
		return m.side.pageLines()
	case m.wide() && m.room() != widget.FullPane:
		at := m.listWidth()
		left := listLines(m.board, at)
		if r, ok := m.run(); ok && m.focus == atRuns {
			left = withGrowth(m.board, left, r, at, m.height-1-len(left))
		}
		return m.theme.Beside(left, m.pane(m.width-at-3, m.height), at, m.width, m.height)
	}
	out := listLines(m.board, m.width)
	return append(out, m.pane(m.width, max(0, m.height-len(out)))...)
}

// pane is what stands beside or below the lists.
func (m *Model) pane(width, height int) []string {
	if m.jury != nil {
		return widget.Block(m.jury.lines(width, height), width, height)
	}
	return m.detail(width, height)
}

func question(m *board) []string {
	text, yes := "Cancel this run?", "cancel the run"
	for _, r := range m.every.rows {
		switch {
		case r.Run.ID != m.asking:
		case judging(r):
			text = "Cancel the judge run of " + title(r) + "? Calls in flight finish, everything read stays stored, and " + m.Spelled("J") + " continues from there."
			yes = "cancel the judge run"
		default:
			text = "Cancel " + title(r) + "? Calls in flight finish, everything answered stays stored, and resuming continues from there."
		}
	}
	t := m.theme
	lines := widget.Wrap(text, min(56, m.width-6))
	lines = append(lines, "", t.Key.Render("n/enter")+" keep it running   "+t.Key.Render("y")+" "+yes)
	return t.Dialog("Cancel", lines, m.width, m.height)
}

// detail draws the pane of what is under the cursor.
func (m *Model) detail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return widget.Block(queueDetail(m.board, q, width), width, height)
		}
	}
	if d, ok := m.set(); ok && m.focus == atDatasets {
		return widget.Block(datasetDetail(m.board, &d, width), width, height)
	}
	if j, ok := m.job(); ok && m.focus == atJobs {
		return widget.Block(jobDetail(m.board, &j, width), width, height)
	}
	r, ok := m.run()
	if !ok {
		return nil
	}
	out := append([]string{headOf(m.board, r, width)}, overviewLines(m.board, r, width, height-1)...)
	if room := height - len(out) - 1; room >= 3 {
		out = append(out, "")
		out = append(out, m.side.answerLines(width, room, false)...)
	}
	return widget.Block(out, width, height)
}
