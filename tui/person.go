package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

func (m *Model) setAnnotator(who annotate.Annotator) {
	m.who, m.was = who, ""
	m.runs.SetAnnotator(who)
	m.lobby.setAnnotator(who)
	m.report.SetAnnotator(who)
	m.duels.SetAnnotator(who)
	m.criteria.SetAnnotator(who)
	m.curate.SetAnnotator(who)
}

func (m *Model) remember(who annotate.Annotator) tea.Cmd {
	remember := m.deps.Remember
	if remember == nil {
		return m.lobby.reload()
	}
	return tea.Batch(m.lobby.reload(), func() tea.Msg {
		if err := remember(who); err != nil {
			return widget.Notify{Level: widget.Problem, Text: "remember the name: " + err.Error()}
		}
		return nil
	})
}

// handOver asks who works from now on. What is open was opened for the one who
// worked so far, who may see what the next one may not: all of it is left.
func (m *Model) handOver() tea.Cmd {
	if m.guest() {
		return send(widget.Notify{Level: widget.Info, Text: "you came in as " + widget.Line(string(m.who)) + ": somebody else comes in with a key of their own"})
	}
	m.closePalette()
	m.Keep()
	for i, stack := range m.stacks {
		for len(stack) > 1 {
			putAway(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
		m.stacks[i] = stack[:len(stack):len(stack)]
	}
	was := m.who
	m.setAnnotator("")
	m.was = was
	if m.tab == TabCriteria || m.tab == TabCurate {
		return m.top().Refresh()
	}
	m.tab = TabReview
	return m.lobby.reload()
}

// keepOn goes on as the one who worked before somebody else was asked for, and
// reports whether there was one.
func (m *Model) keepOn() bool {
	if m.who != "" || m.was == "" {
		return false
	}
	m.setAnnotator(m.was)
	return true
}

// askedWho are the keys while somebody else is asked for.
func (m *Model) askedWho() []key.Binding {
	if m.who != "" || m.was == "" {
		return nil
	}
	return []key.Binding{
		widget.Bind("enter", "go on", "enter"),
		widget.Bind("esc", "stay "+widget.Cut(widget.Line(string(m.was)), 20), "esc"),
	}
}
