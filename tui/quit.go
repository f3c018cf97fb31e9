package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// flushed tells that saving has ended.
type flushed struct{ err error }

// Leave is a message that has the app save and end. Then is called first.
type Leave struct{ Then func() }

// quitting is the way out: save first, then leave.
type quitting struct {
	ctx   context.Context
	saver Saver // nil: nothing is ever unsaved
	nav   *navigation

	saving bool
	failed bool // saving failed: the next time leaves without
	told   bool // to leave, by somebody else: nothing keeps the person in
}

// start saves what is unsaved and then quits. Asked again while it saves, or
// after saving has failed, it quits at once.
func (q *quitting) start() tea.Cmd {
	q.nav.keep()
	saver := q.saver
	if saver == nil || q.saving || q.failed || saver.State().Pending == 0 {
		return q.end()
	}
	q.saving = true
	ctx := q.ctx
	return func() tea.Msg { return flushed{saver.Flush(ctx)} }
}

// Update takes the messages by which the app ends, and reports whether it was
// one. Drafts go along in Where, and what cannot be saved here is for whoever
// closes the journal.
func (q *quitting) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case flushed:
		return q.left(msg), true
	case Leave:
		q.nav.keep()
		q.told = true
		if msg.Then != nil {
			msg.Then()
		}
		return q.start(), true
	}
	return nil, false
}

func (q *quitting) left(msg flushed) tea.Cmd {
	q.saving = false
	if msg.err == nil || q.told {
		return q.end()
	}
	q.failed = true
	return send(widget.Notify{
		Level: widget.Problem,
		Text:  "NOT SAVED, ctrl+c once more leaves and keeps it in a file beside the project: " + msg.err.Error(),
	})
}

// end puts the screens away and quits.
func (q *quitting) end() tea.Cmd {
	q.nav.close()
	return tea.Quit
}

// unsaved is what the way out says while it saves.
func (q *quitting) unsaved() string {
	if !q.saving {
		return ""
	}
	return "saving " + widget.Plural(q.saver.State().Pending, "act") + "…"
}
