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
	m.hold()
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
	case m.question != nil:
		return m.question.Lines(m.theme, m.width, m.height)
	case m.composer.form != nil:
		return m.composer.form.lines(m.width, m.height)
	case !m.loaded:
		return []string{"", m.theme.Faint.Render("  loading the project…")}
	case m.side.page.open && len(m.runs.rows) > 0 && m.jury != nil:
		return m.jury.lines(m.width, m.height)
	case m.side.page.open && len(m.runs.rows) > 0:
		return m.side.pageLines()
	case m.wide() && m.room() != widget.FullPane:
		at := m.listWidth()
		left := listLines(m.board, at)
		if r, ok := m.runs.front(); ok && m.focus == atRuns {
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

// detail draws the pane of what is under the cursor.
func (m *Model) detail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	if m.focus == atQueues {
		if q, ok := m.queues.front(); ok {
			return widget.Block(queueDetail(m.board, q, width), width, height)
		}
	}
	if d, ok := m.datasets.front(); ok && m.focus == atDatasets {
		return widget.Block(datasetDetail(m.board, &d, width), width, height)
	}
	if j, ok := m.jobs.front(); ok && m.focus == atJobs {
		return widget.Block(jobDetail(m.board, &j, width), width, height)
	}
	r, ok := m.runs.front()
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
