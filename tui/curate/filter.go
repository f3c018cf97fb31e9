package curate

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
	"concord/tui/widget"
)

// widen takes the filter away.
func (m *Model) widen() tea.Cmd {
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	return m.goTo(m.cards.renew())
}

func nextState(m *Model, _ string) tea.Cmd {
	m.cards.filter.state = (m.cards.filter.state + 1) % states
	return m.goTo(m.cards.renew())
}

func lastState(m *Model, _ string) tea.Cmd {
	m.cards.filter.state = (m.cards.filter.state + states - 1) % states
	return m.goTo(m.cards.renew())
}

// nextSource goes through the sources, and all of them.
func nextSource(m *Model, _ string) tea.Cmd {
	m.cards.filter.source = after(append([]string{""}, m.cards.sources()...), m.cards.filter.source)
	return m.goTo(m.cards.renew())
}

func after(list []string, one string) string {
	return list[(slices.Index(list, one)+1)%len(list)]
}

// onlyAxis narrows down to the axis of the card in front, and back.
func onlyAxis(m *Model, _ string) tea.Cmd {
	if m.cards.filter.axis != nil {
		m.cards.filter.axis = nil
		return m.goTo(m.cards.renew())
	}
	c := m.cards.card()
	if c == nil || m.cards.board.Axis(c.Sample.Ordinal) == nil {
		return notify(widget.Info, m.Keyed("nobody has said which axis this sample belongs to: {axis} does"))
	}
	m.cards.filter.axis = m.cards.board.Axis(c.Sample.Ordinal)
	return m.goTo(m.cards.renew())
}

// toSettle goes between giving verdicts and settling what experts differ on.
func toSettle(m *Model, _ string) tea.Cmd {
	m.cards.settle = !m.cards.settle
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	m.cards.narrow()
	m.cards.at = len(m.cards.shown)
	said := "you give verdicts of your own"
	if m.cards.settle {
		said = "you adjudicate expert disagreements: verdicts are adjudications now"
	}
	return tea.Batch(m.goTo(m.cards.next()), notify(widget.Info, said))
}

// startFilter opens the words of the filter.
func startFilter(m *Model, _ string) tea.Cmd {
	m.mode = filtering
	return m.ask(m.cards.filter.words)
}

func endFilter(m *Model, _ string) tea.Cmd {
	m.mode = annotation.Reading
	return nil
}

// ask has a text typed.
func (m *Model) ask(text string) tea.Cmd {
	m.text.Width = m.size.textWidth(m.mode)
	m.text.SetValue(text)
	m.text.CursorEnd()
	return m.text.Focus()
}
