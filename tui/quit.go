package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// flushed tells that saving has ended.
type flushed struct{ err error }

// startQuit saves what is unsaved and then quits. Asked again while it saves,
// or after saving has failed, it quits at once.
func (m *Model) startQuit() tea.Cmd {
	m.Keep()
	if left := m.draftsLeft(); left != "" && !m.quit.warned {
		m.quit.warned = true
		return m.notify(widget.Notify{Level: widget.Problem, Text: left})
	}
	saver := m.deps.Saver
	if saver == nil || m.quit.saving || m.quit.failed || saver.State().Pending == 0 {
		return m.end()
	}
	m.quit.saving = true
	ctx := m.ctx
	return func() tea.Msg { return flushed{saver.Flush(ctx)} }
}

// Leave is a message that has the app save and end. Then is called first.
type Leave struct{ Then func() }

// leaveNow takes it. Drafts go along in Where, and what cannot be saved here is
// for whoever closes the journal.
func (m *Model) leaveNow(msg Leave) tea.Cmd {
	m.Keep()
	m.quit.warned, m.quit.told = true, true
	if msg.Then != nil {
		msg.Then()
	}
	return m.startQuit()
}

// Where is where the app stands, for it to be opened there again.
func (m *Model) Where() Start {
	s := Start{Tab: m.tab}
	if len(m.drafts.Names()) > 0 {
		drafts := m.drafts
		s.Drafts = &drafts
	}
	if m.tab == TabReview && len(m.stack()) > 1 {
		s.Queue = m.lobby.queue
	}
	return s
}

func (m *Model) left(msg flushed) tea.Cmd {
	m.quit.saving = false
	if msg.err == nil || m.quit.told {
		return m.end()
	}
	m.quit.failed = true
	return m.notify(widget.Notify{
		Level: widget.Problem,
		Text:  "NOT SAVED, ctrl+c once more leaves without: " + msg.err.Error(),
	})
}

// end puts the screens away and quits.
func (m *Model) end() tea.Cmd {
	m.Close()
	return tea.Quit
}

// unsaved is what the way out says while it saves.
func (m *Model) unsaved() string {
	if !m.quit.saving {
		return ""
	}
	return "saving " + widget.Plural(m.deps.Saver.State().Pending, "act") + "…"
}
