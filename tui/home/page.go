package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// runPage is one run on the whole screen: how it goes, its latest answers and
// its latest errors. Where there is room the first stands beside the others.
type runPage struct {
	open    bool
	answers bool // the focus is on the answers or errors
	top     int  // first line of the overview that is shown
}

// openPage shows the run under the cursor on the whole screen.
func (m *answerPane) openPage(answers, errors bool) tea.Cmd {
	if _, ok := m.runs.currentRow(); !ok {
		return nil
	}
	m.page = runPage{open: true, answers: answers || m.isWide()}
	m.answers.showNewest()
	return m.listAnswers(errors)
}

// nextPart goes on to the next part: overview, answers, errors.
func (m *answerPane) nextPart() tea.Cmd {
	switch {
	case !m.page.answers:
		m.page.answers = true
		return m.listAnswers(false)
	case !m.errors:
		return m.listAnswers(true)
	}
	m.page.answers = m.isWide()
	return m.listAnswers(false)
}

// openAnswer asks for the sample under the cursor, with the older ones after
// it.
func (m *answerPane) openAnswer() tea.Cmd {
	r, ok := m.runs.currentRow()
	a := &m.answers
	if !ok || !m.page.answers || a.at.At >= len(a.rows) {
		return nil
	}
	open := OpenAnswers{Run: r.Run.ID, Title: runTitle(r), Errors: a.errors}
	for _, row := range a.rows[a.at.At:] {
		open.Keys = append(open.Keys, row.Key)
	}
	a.held = true
	return widget.SendCmd(open)
}

// drawPage draws the page.
func (m *answerPane) drawPage() []string {
	r, ok := m.runs.currentRow()
	if !ok {
		return nil
	}
	head := drawHead(m.projectBoard, r, m.width)
	if m.isWide() {
		at := m.pageSpace.SizeLeft(m.width * 5 / 12)
		if at == 0 {
			return append([]string{head}, m.drawAnswers(m.width, m.height-1, true)...)
		}
		left := drawOverview(m.projectBoard, r, at, m.height-1)
		left = addProgressChart(m.projectBoard, left, r, at, m.height-2-len(left))
		right := m.drawAnswers(m.width-at-3, m.height-1, true)
		return append([]string{head}, m.theme.DrawBeside(left, right, at, m.width, m.height-1)...)
	}
	if m.page.answers {
		return append([]string{head, m.drawParts()}, m.drawAnswers(m.width, m.height-2, true)...)
	}
	lines := m.drawFullOverview(r)
	lines = lines[min(m.page.top, len(lines)):]
	parts := m.drawParts()
	if more := len(lines) - (m.height - 2); more > 0 {
		parts = widget.JoinEnds(parts, m.theme.Faint.Render(widget.FormatPlural(more, "line")+" more ↓"), m.width)
	}
	return append([]string{head, parts}, lines...)
}

// drawFullOverview draws the overview at length.
func (m *answerPane) drawFullOverview(r Row) []string {
	const lines = 8 // of the answers over time
	return addProgressChart(m.projectBoard, drawOverview(m.projectBoard, r, m.width, 1<<30), r, m.width, lines)
}

// drawParts names what the page can show.
func (m *answerPane) drawParts() string {
	t := m.theme
	part := func(name string, here bool) string {
		if here {
			return t.Title.Render("[" + name + "]")
		}
		return t.Faint.Render(" " + name + " ")
	}
	return part("Progress", !m.page.answers) + " " + part("Answers", m.page.answers && !m.errors) + " " +
		part("Errors", m.page.answers && m.errors)
}

// clampPage keeps the page within what there is.
func (m *answerPane) clampPage() {
	if r, ok := m.runs.currentRow(); ok && m.page.open && !m.isWide() {
		m.page.top = max(0, min(m.page.top, len(m.drawFullOverview(r))-(m.height-2)))
	}
	if m.isWide() {
		m.page.answers = true
	}
	m.answers.at.Set(m.answers.at.At, len(m.answers.rows), m.answersHeight())
}

// answerPane shows the answers of the run at the cursor, and its page.
type answerPane struct {
	*projectBoard
	pageSpace *widget.PaneSize // of the answers on a run's page
	answers   answerList
	page      runPage
}

// showAnswers takes the answers that were read, if they are still asked for.
func (m *answerPane) showAnswers(msg looked) tea.Cmd {
	if msg.err != nil && m.ctx.Err() == nil {
		return widget.NotifyCmd(widget.Problem, "read the runs: "+msg.err.Error())
	}
	if r, ok := m.runs.currentRow(); ok && msg.err == nil && r.Run.ID == msg.of && m.errors == msg.errors {
		m.answers.showRows(msg.of, msg.errors, msg.latest, m.answersHeight())
	}
	return nil
}

// drawAnswers draws the list with its title.
func (m *answerPane) drawAnswers(width, height int, focused bool) []string {
	t, a := m.theme, &m.answers
	r, _ := m.runs.currentRow()
	name, none, note := "Latest answers", "none yet", ""
	if m.errors {
		name, none, note = "Errors", "none", a.whyHidden(r)
	}
	if n, more := a.countNew(); n > 0 {
		note = widget.FormatCount(n) + " new"
		if more {
			note = widget.FormatCount(n) + " or more new"
		}
		note += m.SpellText(" · {refresh} shows them")
	}
	out := []string{t.DrawSection(name, note, focused, width)}
	if a.of != r.Run.ID || a.errors != m.errors {
		return append(out, t.Faint.Render("  loading…"))
	}
	if len(a.rows) == 0 {
		return append(out, "  "+t.Faint.Render(none))
	}
	for i := a.at.Top; i < len(a.rows) && len(out) < height; i++ {
		out = append(out, t.DrawRow(drawAnswer(m.projectBoard, r, a.rows[i], width-2), focused && i == a.at.At, focused, width))
	}
	return out
}

// nothingNew is why no answers are to be shown.
const nothingNew = "no answer has come that is not shown"
