package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// page is one run on the whole screen: how it goes, its latest answers and
// its latest errors. Where there is room the first stands beside the others.
type page struct {
	open    bool
	answers bool // the focus is on the answers or errors
	top     int  // first line of the overview that is shown
}

// openPage shows the run under the cursor on the whole screen.
func (m *answerPane) openPage(answers, errors bool) tea.Cmd {
	if _, ok := m.runs.front(); !ok {
		return nil
	}
	m.page = page{open: true, answers: answers || m.wide()}
	m.answers.follow()
	return m.list(errors)
}

// turn goes on to the next part: overview, answers, errors.
func (m *answerPane) turn() tea.Cmd {
	switch {
	case !m.page.answers:
		m.page.answers = true
		return m.list(false)
	case !m.errors:
		return m.list(true)
	}
	m.page.answers = m.wide()
	return m.list(false)
}

// openAnswer asks for the sample under the cursor, with the older ones after
// it.
func (m *answerPane) openAnswer() tea.Cmd {
	r, ok := m.runs.front()
	a := &m.answers
	if !ok || !m.page.answers || a.at.At >= len(a.rows) {
		return nil
	}
	open := OpenAnswers{Run: r.Run.ID, Title: title(r), Errors: a.errors}
	for _, row := range a.rows[a.at.At:] {
		open.Keys = append(open.Keys, row.Key)
	}
	a.held = true
	return widget.Send(open)
}

// pageLines draws the page.
func (m *answerPane) pageLines() []string {
	r, ok := m.runs.front()
	if !ok {
		return nil
	}
	head := headOf(m.board, r, m.width)
	if m.wide() {
		at := m.pageSpace.Leaves(m.width * 5 / 12)
		if at == 0 {
			return append([]string{head}, m.answerLines(m.width, m.height-1, true)...)
		}
		left := overviewLines(m.board, r, at, m.height-1)
		left = withGrowth(m.board, left, r, at, m.height-2-len(left))
		right := m.answerLines(m.width-at-3, m.height-1, true)
		return append([]string{head}, m.theme.Beside(left, right, at, m.width, m.height-1)...)
	}
	if m.page.answers {
		return append([]string{head, m.parts()}, m.answerLines(m.width, m.height-2, true)...)
	}
	lines := m.fullOverview(r)
	lines = lines[min(m.page.top, len(lines)):]
	parts := m.parts()
	if more := len(lines) - (m.height - 2); more > 0 {
		parts = widget.Ends(parts, m.theme.Faint.Render(widget.Plural(more, "line")+" more ↓"), m.width)
	}
	return append([]string{head, parts}, lines...)
}

// fullOverview is the overview at length.
func (m *answerPane) fullOverview(r Row) []string {
	const lines = 8 // of the answers over time
	return withGrowth(m.board, overviewLines(m.board, r, m.width, 1<<30), r, m.width, lines)
}

// parts names what the page can show.
func (m *answerPane) parts() string {
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

// settlePage keeps the page within what there is.
func (m *answerPane) settlePage() {
	if r, ok := m.runs.front(); ok && m.page.open && !m.wide() {
		m.page.top = max(0, min(m.page.top, len(m.fullOverview(r))-(m.height-2)))
	}
	if m.wide() {
		m.page.answers = true
	}
	m.answers.at.Set(m.answers.at.At, len(m.answers.rows), m.answersHeight())
}

// answerPane shows the answers of the run at the cursor, and its page.
type answerPane struct {
	*board
	pageSpace *widget.PaneSize // of the answers on a run's page
	answers   answers
	page      page
}

// show takes the answers that were read, if they are still asked for.
func (m *answerPane) show(msg looked) tea.Cmd {
	if msg.err != nil && m.ctx.Err() == nil {
		return widget.Tell(widget.Problem, "read the runs: "+msg.err.Error())
	}
	if r, ok := m.runs.front(); ok && msg.err == nil && r.Run.ID == msg.of && m.errors == msg.errors {
		m.answers.show(msg.of, msg.errors, msg.latest, m.answersHeight())
	}
	return nil
}

// answerLines draws the list with its title.
func (m *answerPane) answerLines(width, height int, focused bool) []string {
	t, a := m.theme, &m.answers
	r, _ := m.runs.front()
	name, none, note := "Latest answers", "none yet", ""
	if m.errors {
		name, none, note = "Errors", "none", a.hidden(r)
	}
	if n, more := a.fresh(); n > 0 {
		note = widget.Count(n) + " new"
		if more {
			note = widget.Count(n) + " or more new"
		}
		note += m.Keyed(" · {refresh} shows them")
	}
	out := []string{t.Section(name, note, focused, width)}
	if a.of != r.Run.ID || a.errors != m.errors {
		return append(out, t.Faint.Render("  loading…"))
	}
	if len(a.rows) == 0 {
		return append(out, "  "+t.Faint.Render(none))
	}
	for i := a.at.Top; i < len(a.rows) && len(out) < height; i++ {
		out = append(out, t.Row(answerLine(m.board, r, a.rows[i], width-2), focused && i == a.at.At, focused, width))
	}
	return out
}

// nothingNew is why no answers are to be shown.
const nothingNew = "no answer has come that is not shown"
