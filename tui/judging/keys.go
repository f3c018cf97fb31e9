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
		open:   keymap.Judging.BindJoined("the reply", "open"),
		other:  widget.NewBinding("tab", "next part", "tab", "shift+tab"),
		errors: keymap.Judging.BindAction("errors"),
		pause:  keymap.Judging.BindJoined("pause", "pause"),
		cancel: keymap.Judging.BindAction("cancel"),
		retry:  keymap.Judging.BindAction("retry"),
		votes:  keymap.Judging.BindAction("judge_votes"),
		room:   widget.NewPaneKeys(),
		back:   widget.NewBinding("esc", "back", "esc"),
	}
}

// currentKeys is the bindings as they read for the job.
func (m *Model) currentKeys() keys {
	k := m.keys
	off := ""
	switch {
	case !m.shown.known:
		off = "the judge run is still being loaded"
	case m.Control == nil:
		off = "this project is open read-only"
	}
	if m.shown.known && m.shown.row.CanResume() {
		k.pause.SetHelp("p", "resume")
	}
	k.pause = widget.EnableBinding(k.pause, cmp.Or(off, m.shown.row.NoPause))
	k.cancel = widget.EnableBinding(k.cancel, cmp.Or(off, m.shown.row.NoCancel))
	k.retry = widget.EnableBinding(k.retry, cmp.Or(off, m.shown.row.NoRetry))
	k.room = widget.EnableBinding(k.room, m.shown.whyNoRoom())
	k.votes = widget.BindingWhen(k.votes, m.Scheduler != nil, noStarter)
	k.open = widget.BindingWhen(k.open, m.shown.shownReplies() != nil && len(m.shown.shownReplies().rows) > 0 && m.shown.opened == nil, m.SpellText("no list of replies is selected: {tab}"))
	return k
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.ending != nil:
		return m.ending.Bindings()
	case m.form != nil:
		return m.form.Bindings()
	}
	k := m.currentKeys()
	if m.shown.opened != nil {
		return []key.Binding{widget.NewBinding("↑↓", "scroll", "up"), widget.NewBinding("←→", "other replies", "left"), k.back}
	}
	return []key.Binding{k.open, k.other, k.errors, k.pause, k.cancel, k.retry, k.votes, k.room}
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	k := m.currentKeys()
	return []widget.Group{
		{Title: "Votes of a judge", Keys: []key.Binding{k.open, k.other, k.errors, k.pause, k.cancel, k.retry, k.votes, k.room}},
		{Title: "Move", Keys: k.moves.Bindings()},
		{Title: "New judge run", Keys: m.formKeys.HelpKeys()},
	}
}

// IsAsking reports whether cancelling waits for an answer.
func (m *Model) IsAsking() bool { return m.ending != nil }

// IsTyping reports whether keys are text now: in the form they are.
func (m *Model) IsTyping() bool { return m.form != nil }

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Judging }

// CopyText gives the reply under the cursor as the judge gave it, or why there is
// none.
func (m *Model) CopyText() (what, text string) {
	l := m.shown.shownReplies()
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
