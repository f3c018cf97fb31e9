package judging

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	open, other, errors, pause, cancel, retry, votes, room, back key.Binding
}

func newKeys() keys {
	return keys{
		moves:  widget.NewMoves(),
		open:   keymap.Judging.Join("the reply", "open"),
		other:  widget.Bind("tab", "next part", "tab", "shift+tab"),
		errors: keymap.Judging.Bind("errors"),
		pause:  keymap.Judging.Join("pause", "pause"),
		cancel: keymap.Judging.Bind("cancel"),
		retry:  keymap.Judging.Bind("retry"),
		votes:  keymap.Judging.Bind("judge_votes"),
		room:   widget.PaneKeys(),
		back:   widget.Bind("esc", "back", "esc"),
	}
}

// current is the bindings as they read for the job.
func (m *Model) current() keys {
	k := m.keys
	off := ""
	switch {
	case !m.shown.known:
		off = "the judge run is still being loaded"
	case m.Control == nil:
		off = "this project is open read-only"
	}
	if m.shown.known && m.shown.row.Resumes() {
		k.pause.SetHelp("p", "resume")
	}
	k.pause = widget.Able(k.pause, cmp.Or(off, m.shown.row.NoPause))
	k.cancel = widget.Able(k.cancel, cmp.Or(off, m.shown.row.NoCancel))
	k.retry = widget.Able(k.retry, cmp.Or(off, m.shown.row.NoRetry))
	k.room = widget.Able(k.room, m.shown.noRoom())
	k.votes = widget.When(k.votes, m.Scheduler != nil, noStarter)
	k.open = widget.When(k.open, m.shown.list() != nil && len(m.shown.list().rows) > 0 && m.shown.opened == nil, m.Keyed("no list of replies is selected: {tab}"))
	return k
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.ending != nil:
		return m.ending.Keys()
	case m.form != nil:
		return m.form.Keys()
	}
	k := m.current()
	if m.shown.opened != nil {
		return []key.Binding{widget.Bind("↑↓", "scroll", "up"), widget.Bind("←→", "other replies", "left"), k.back}
	}
	return []key.Binding{k.open, k.other, k.errors, k.pause, k.cancel, k.retry, k.votes, k.room}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.current()
	return []widget.Group{
		{Title: "Votes of a judge", Keys: []key.Binding{k.open, k.other, k.errors, k.pause, k.cancel, k.retry, k.votes, k.room}},
		{Title: "Move", Keys: k.moves.Keys()},
		{Title: "New judge run", Keys: m.formKeys.Help()},
	}
}

// Asking reports whether cancelling waits for an answer.
func (m *Model) Asking() bool { return m.ending != nil }

// Typing reports whether keys are text now: in the form they are.
func (m *Model) Typing() bool { return m.form != nil }

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.Judging }

// Copied is the reply under the cursor as the judge gave it, or why there is
// none.
func (m *Model) Copied() (what, text string) {
	l := m.shown.list()
	if l == nil || l.at.At >= len(l.rows) {
		return "", ""
	}
	switch r := &l.rows[l.at.At]; {
	case !r.Visibility.ShowsText():
		return "", ""
	case r.Failure != "":
		return "the error", r.Failure
	default:
		return "the reply", r.Raw
	}
}
