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
		left = append(left, m.below(at, m.height-len(left))...)
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

// below is what stands under the lists where there is room: a run's answers over
// time and the latest of them, and the guideline of a queue.
func (m *Model) below(width, height int) []string {
	const least = 5
	if height < least {
		return nil
	}
	switch m.focus {
	case atRuns:
		r, ok := m.runs.front()
		if !ok {
			return nil
		}
		out := append([]string{""}, growthLines(m.board, r, width, height/2)...)
		if len(out) > 1 {
			out = append(out, "")
		}
		return append(out, m.side.answerLines(width, height-len(out), false)...)
	case atQueues:
		q, _ := m.queues.front()
		return GuidelineLines(m.theme, &q, width)
	case atDatasets, atJobs, lists:
	}
	return nil
}

// detail draws the pane of what is under the cursor.
func (m *Model) detail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	var out []string
	switch m.focus {
	case atQueues:
		if q, ok := m.queues.front(); ok {
			out = QueueDetail(m.theme, &m.Spelling, &q, width)
			if !m.wide() {
				out = append(out, GuidelineLines(m.theme, &q, width)...)
			}
		}
	case atDatasets:
		if d, ok := m.datasets.front(); ok {
			out = datasetDetail(m.board, &d, width)
		}
	case atJobs:
		if j, ok := m.jobs.front(); ok {
			out = jobDetail(m.board, &j, width)
		}
	case atRuns, lists:
	}
	if r, ok := m.runs.front(); ok && out == nil {
		out = append([]string{headOf(m.board, r, width)}, overviewLines(m.board, r, width, height-1)...)
		if room := height - len(out) - 1; room >= 3 && !m.wide() {
			out = append(append(out, ""), m.side.answerLines(width, room, false)...)
		}
	}
	if m.wide() {
		out = m.theme.KeysBelow(out, width, height, m.Spelled, m.Keys())
	}
	return widget.Block(out, width, height)
}
