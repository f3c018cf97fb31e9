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
	clampCursors(m)
}

// clampCursors keeps the cursors within the lists.
func clampCursors(m *Model) {
	m.clampCursors()
	m.side.clampPage()
}

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := widget.FitBox(m.drawLines(), m.width, m.height)
	if m.height < m.whole {
		lines = append(lines, widget.FitWidth(m.theme.Accent.Render(" next ")+m.SpellText(m.next), m.width))
	}
	return strings.Join(lines, "\n")
}

func (m *Model) drawLines() []string {
	switch {
	case m.question != nil:
		return m.question.DrawLines(m.theme, m.width, m.height)
	case m.composer.form != nil:
		return m.composer.form.drawForm(m.width, m.height)
	case !m.loaded:
		return []string{"", m.theme.Faint.Render("  loading the project…")}
	case m.side.page.open && len(m.runs.rows) > 0 && m.jury != nil:
		return m.jury.drawLines(m.width, m.height)
	case m.side.page.open && len(m.runs.rows) > 0:
		return m.side.drawPage()
	case m.isWide() && m.paneSize() != widget.FullPane:
		at := m.listWidth()
		left := listLines(m.projectBoard, at)
		left = append(left, m.drawBelow(at, m.height-len(left))...)
		return m.theme.DrawBeside(left, m.drawPane(m.width-at-3, m.height), at, m.width, m.height)
	}
	out := listLines(m.projectBoard, m.width)
	return append(out, m.drawPane(m.width, max(0, m.height-len(out)))...)
}

// drawPane draws what stands beside or below the lists.
func (m *Model) drawPane(width, height int) []string {
	if m.jury != nil {
		return widget.FitBox(m.jury.drawLines(width, height), width, height)
	}
	return m.drawDetail(width, height)
}

// drawBelow draws what stands under the lists where there is room: a run's answers over
// time and the latest of them, and the guideline of a queue.
func (m *Model) drawBelow(width, height int) []string {
	const least = 5
	if height < least {
		return nil
	}
	switch m.focus {
	case atRuns:
		r, ok := m.runs.currentRow()
		if !ok {
			return nil
		}
		out := append([]string{""}, drawProgressChart(m.projectBoard, r, width, height/2)...)
		if len(out) > 1 {
			out = append(out, "")
		}
		return append(out, m.side.drawAnswers(width, height-len(out), false)...)
	case atQueues:
		q, _ := m.queues.currentRow()
		return DrawGuideline(m.theme, &q, width)
	case atDatasets, atJobs, lists:
	}
	return nil
}

// drawDetail draws the pane of what is under the cursor.
func (m *Model) drawDetail(width, height int) []string {
	if height <= 0 {
		return nil
	}
	var out []string
	switch m.focus {
	case atQueues:
		if q, ok := m.queues.currentRow(); ok {
			out = DrawQueueDetail(m.theme, &m.Spelling, &q, width)
			if !m.isWide() {
				out = append(out, DrawGuideline(m.theme, &q, width)...)
			}
		}
	case atDatasets:
		if d, ok := m.datasets.currentRow(); ok {
			out = drawDatasetDetail(m.projectBoard, &d, width)
		}
	case atJobs:
		if j, ok := m.jobs.currentRow(); ok {
			out = drawJobDetail(m.projectBoard, &j, width)
		}
	case atRuns, lists:
	}
	if r, ok := m.runs.currentRow(); ok && out == nil {
		out = append([]string{drawHead(m.projectBoard, r, width)}, drawOverview(m.projectBoard, r, width, height-1)...)
		if room := height - len(out) - 1; room >= 3 && !m.isWide() {
			out = append(append(out, ""), m.side.drawAnswers(width, room, false)...)
		}
	}
	if m.isWide() {
		out = m.theme.AddKeysBelow(out, width, height, m.SpellKey, m.Bindings())
	}
	return widget.FitBox(out, width, height)
}
