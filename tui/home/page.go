package home

import (
	"github.com/charmbracelet/bubbles/key"
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
func (m *Model) openPage(answers, errors bool) tea.Cmd {
	if _, ok := m.run(); !ok {
		return nil
	}
	m.page = page{open: true, answers: answers || m.wide()}
	m.answers.follow()
	return m.list(errors)
}

// list shows the latest errors, or the latest answers.
func (m *Model) list(errors bool) tea.Cmd {
	if m.errors == errors {
		return nil
	}
	m.errors = errors
	return m.look()
}

// Deep reports whether one run takes the whole screen.
func (m *Model) Deep() bool { return m.page.open }

// pressPage takes a key on the page.
func (m *Model) pressPage(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.height-3), 1<<30); ok {
		if m.page.answers {
			m.answers.move(by, m.answersHeight())
		} else {
			m.page.top += by
			m.settlePage()
		}
		return nil
	}
	switch {
	case key.Matches(msg, k.other):
		return m.turn()
	case key.Matches(msg, k.errors):
		m.page.answers = true
		return m.list(!m.errors)
	case key.Matches(msg, k.open):
		return m.openAnswer()
	case key.Matches(msg, k.again):
		m.answers.follow()
		return m.look()
	case key.Matches(msg, k.room):
		if !m.wide() {
			return notify(widget.Info, "this part has the whole screen")
		}
		m.pageSpace.Press(msg.String())
		return nil
	case key.Matches(msg, k.details):
		m.Back()
		return nil
	}
	return m.act(msg)
}

// turn goes on to the next part: overview, answers, errors.
func (m *Model) turn() tea.Cmd {
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
func (m *Model) openAnswer() tea.Cmd {
	r, ok := m.run()
	a := &m.answers
	if !ok || !m.page.answers || a.at.At >= len(a.rows) {
		return nil
	}
	open := OpenAnswers{Run: r.Run.ID, Title: title(r), Errors: a.errors}
	for _, row := range a.rows[a.at.At:] {
		open.Keys = append(open.Keys, row.Key)
	}
	a.held = true
	return send(open)
}

// pageLines draws the page.
func (m *Model) pageLines() []string {
	r, ok := m.run()
	if !ok {
		return nil
	}
	head := m.head(r, m.width)
	if m.wide() {
		at := m.pageSpace.Leaves(m.width * 5 / 12)
		if at == 0 {
			return append([]string{head}, m.answerLines(m.width, m.height-1, true)...)
		}
		left := m.overview(r, at, m.height-1)
		left = m.withGrowth(left, r, at, m.height-2-len(left))
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
func (m *Model) fullOverview(r Row) []string {
	const lines = 8 // of the answers over time
	return m.withGrowth(m.overview(r, m.width, 1<<30), r, m.width, lines)
}

// parts names what the page can show.
func (m *Model) parts() string {
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

// answersHeight is how many answers the page shows.
func (m *Model) answersHeight() int {
	if m.wide() {
		return max(1, m.height-2)
	}
	return max(1, m.height-3)
}

// settlePage keeps the page within what there is.
func (m *Model) settlePage() {
	if r, ok := m.run(); ok && m.page.open && !m.wide() {
		m.page.top = max(0, min(m.page.top, len(m.fullOverview(r))-(m.height-2)))
	}
	if m.wide() {
		m.page.answers = true
	}
	m.answers.at.Set(m.answers.at.At, len(m.answers.rows), m.answersHeight())
}

// pageKeys are the bindings that matter on the page.
func (m *Model) pageKeys() []key.Binding {
	k := m.current()
	k.open.SetHelp("enter", "sample")
	k.open = widget.When(k.open, m.page.answers && len(m.answers.rows) > 0, "no answers are in front")
	k.other = widget.Able(m.keys.other, "")
	k.other.SetHelp("tab", "next part")
	k.errors.SetHelp("e", "errors")
	if m.errors {
		k.errors.SetHelp("e", "answers")
	}
	again := k.again
	return []key.Binding{
		k.open, m.formKeys.back, k.other, k.errors, again, k.pause, k.cancel, k.retry, k.judge, k.report, widget.Bind("↑↓", "move", "up"), k.room,
	}
}
