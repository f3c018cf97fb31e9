package judging

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/action"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// pageKeys are the actions of the page, the most important first.
var pageKeys = []string{"open", "other", "errors", "pause", "cancel", "retry", "judge_votes", "more_room"}

// newBounds gives all that keys do on the page now.
func (m *Model) newBounds() *action.Bounds {
	p, row, off, pause := m.shown, &m.shown.row, "", "pause"
	switch {
	case !p.known:
		off = "the judge run is still being loaded"
	case m.Control == nil:
		off = "this project is open read-only"
	case row.CanResume():
		pause = "resume"
	}
	replies := p.shownReplies()
	steer := func(s job.Steering) func(string) tea.Cmd {
		return func(string) tea.Cmd { return job.SteerJob(m.ctx, m.Control, row, s, &m.Spelling) }
	}
	return &action.Bounds{Place: keymap.Judging, Own: action.PartKeys, Spell: &m.Spelling, All: map[string]action.Bound{
		"open": {
			Says: "the reply", Why: action.WhyUnless(replies != nil && len(replies.rows) > 0 && p.opened == nil, "no list of replies is selected: {tab}"),
			Do: func(string) tea.Cmd { return p.openReply() },
		},
		"other":       {Do: func(key string) tea.Cmd { p.nextPart(key == "shift+tab"); return nil }},
		"errors":      {Do: func(string) tea.Cmd { p.toggleFailed(); return nil }},
		"pause":       {Says: pause, Why: cmp.Or(off, row.NoPause), Do: steer(job.PauseOrResume)},
		"retry":       {Why: cmp.Or(off, row.NoRetry), Do: steer(job.Retry)},
		"cancel":      {Why: cmp.Or(off, row.NoCancel), Do: func(string) tea.Cmd { m.ending = row.NewCancelQuestion(m.ctx, m.Control, &m.Spelling); return nil }},
		"more_room":   {Why: p.whyNoRoom(), Do: func(key string) tea.Cmd { p.space.Press(key); p.clampCursors(); return nil }},
		"judge_votes": {Why: action.WhyUnless(m.Scheduler != nil, noStarter), Do: func(string) tea.Cmd { m.showForm(p.id); return m.form.readChoices() }},
	}}
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.ending != nil:
		return m.ending.Bindings()
	case m.form != nil:
		return m.form.Bindings()
	}
	if m.shown.opened != nil {
		return []key.Binding{widget.NewBinding("↑↓", "scroll", "up"), widget.NewBinding("←→", "other replies", "left"), m.formKeys.Back}
	}
	return m.newBounds().Bindings(pageKeys...)
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	return []widget.Group{
		{Title: "Votes of a judge", Keys: m.newBounds().Bindings(pageKeys...)},
		{Title: "Move", Keys: widget.NewMoves().Bindings()},
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
