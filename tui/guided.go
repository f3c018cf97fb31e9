package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/guideline"
	"concord/tui/widget"
)

// guides takes the messages by which guidelines are opened and written.
func (m *Model) guides(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case annotation.OpenGuideline:
		return m.guideline(msg.Queue), true
	case guideline.Written:
		return m.guided(msg), true
	}
	return m.teams(msg)
}

// guideline opens the page of a queue's guideline upon the open tab.
func (m *Model) guideline(q annotate.QueueName) tea.Cmd {
	if m.deps.Guidelines == nil {
		return send(widget.Notify{Level: widget.Info, Text: "guidelines cannot be looked at here beside their items"})
	}
	barred := ""
	if !m.may().May(annotate.MayGuide) {
		barred = "guidelines are written by curators and owners of the project"
	}
	return m.push(guideline.New(m.ctx, guideline.Deps{
		Queue: q, Who: m.who, Barred: barred, Theme: m.theme, Source: m.deps.Guidelines, Drafts: &m.drafts, Now: m.deps.Now,
	}))
}

// guided tells every screen of a version that came into force.
func (m *Model) guided(msg guideline.Written) tea.Cmd {
	cmd := m.broadcast(msg)
	if msg.Err != nil {
		return tea.Batch(cmd, m.notify(widget.Notify{Level: widget.Problem, Text: "NOT SAVED, the guideline of " + string(msg.Queue) + ": " + msg.Err.Error()}))
	}
	if !msg.Elsewhere {
		m.drafts.Stored(msg.Queue, msg.Guideline.Text)
	}
	for _, stack := range m.stacks {
		for _, s := range stack {
			if g, ok := s.(guide); ok {
				g.Guided(msg.Queue, msg.Guideline)
			}
		}
	}
	said := fmt.Sprintf("version %d of the guideline of %s is in force", msg.Guideline.Version, msg.Queue)
	return tea.Batch(cmd, m.notify(widget.Notify{Level: widget.Info, Text: said}), m.lobby.reload(), m.runs.Refresh())
}

// draftsLeft is what has been written of guidelines and is no version yet; "" when
// nothing is.
func (m *Model) draftsLeft() string {
	names := m.drafts.Names()
	if len(names) == 0 {
		return ""
	}
	text := "NOT SAVED: the next version of the guideline of " + widget.Cut(widget.Line(string(names[0])), 24)
	if n := len(names) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text + " has been begun. ctrl+s saves it where it is written; ctrl+c once more leaves without"
}
