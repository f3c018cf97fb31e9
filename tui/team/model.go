package team

import (
	"cmp"
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context // of the app: what is being stored when the page is left is stored
	deps   Deps
	theme  *widget.Theme
	closed bool

	form    *changeForm
	drafts  [DropKey + 1]*changeForm // forms that were left, by what they do
	ending  *widget.Question         // whether to end a session waits for an answer; nil: nothing does
	people  *peopleList
	history *changeHistory
}

// New makes the page. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{ctx: ctx, deps: d, theme: d.Theme}
	m.people = &peopleList{Spelling: &m.Spelling, theme: d.Theme}
	m.history = &changeHistory{}
	return m
}

// Init reads the team.
func (m *Model) Init() tea.Cmd { return m.readTeam() }

// Close leaves the page: it is read no more.
func (m *Model) Close() { m.closed = true }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.people.width, m.people.height = width, height }

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.form != nil || m.people.filter.IsTyping() }

// IsAsking reports whether ending a session waits for an answer.
func (m *Model) IsAsking() bool { return m.ending != nil }

// GoBack leaves the question, the form, the detail or the filter. What was put
// into a form is there when it is opened again.
func (m *Model) GoBack() bool {
	switch {
	case m.ending != nil:
		m.ending = nil
	case m.form != nil:
		m.drafts[m.form.does] = m.form
		m.form = nil
	case m.people.detail:
		m.people.detail = false
	default:
		was := m.people.filter.ClearText()
		m.people.applyFilter()
		return was
	}
	return true
}

// CopyText gives what is under the cursor: a name, or a key's fingerprint.
func (m *Model) CopyText() (what, text string) {
	one := m.people.currentMember()
	if one == nil {
		return "", ""
	}
	if p := m.people.currentDetailPart(); p != nil && p.key != "" {
		return "the key's fingerprint", p.key
	}
	return "the name", string(one.Name)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return action.HandleMsg[outcome](msg, m.handleKey) }

// outcome takes what came of a command.
type outcome func() tea.Cmd

// How often the team is read: news comes as often as somebody labels, and times go on without any.
const (
	soonest = time.Second
	latest  = 5 * time.Second
)

// readState is where the page stands with reading the team.
type readState struct {
	n      int  // of readings begun
	under  bool // one is under way
	again  bool // news came meanwhile
	loaded bool
	at     time.Time // of the last one
	err    error
}

func (m *Model) readTeam() tea.Cmd {
	if m.closed {
		return nil
	}
	if m.people.reading.under {
		m.people.reading.again = true
		return nil
	}
	m.people.reading.n++
	m.people.reading.under, m.people.reading.again = true, false
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		all, err := source.ListMembers(ctx)
		return outcome(func() tea.Cmd { return m.handleTeam(all, err) })
	}
}

// Refresh reads the team again, soon: there may be news ten times a second.
func (m *Model) Refresh() tea.Cmd {
	left := soonest - m.deps.Now().Sub(m.people.reading.at)
	if m.people.reading.under || !m.people.reading.loaded || left <= 0 {
		return m.readTeam()
	}
	if m.people.reading.again {
		return nil // it is due already
	}
	m.people.reading.again = true
	return m.readTeamLater(left)
}

// readTeamLater reads the team again after a while, unless it was read meanwhile.
func (m *Model) readTeamLater(after time.Duration) tea.Cmd {
	n := m.people.reading.n
	return tea.Tick(after, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd {
			if n != m.people.reading.n {
				return nil
			}
			return m.readTeam()
		})
	})
}

func (m *Model) handleTeam(all []Member, err error) tea.Cmd {
	again := m.people.reading.again
	m.people.reading.under, m.people.reading.again = false, false
	if m.ctx.Err() != nil || m.closed {
		return nil
	}
	if m.people.reading.at, m.people.reading.err = m.deps.Now(), err; err == nil {
		m.people.all, m.people.reading.loaded = all, true
		m.people.applyFilter()
	}
	if again {
		m.people.reading.again = true
		return m.readTeamLater(soonest)
	}
	return m.readTeamLater(latest)
}

// wide is the width from which the detail stands beside the list.
const wide = 150

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	return widget.DrawScreen(m.people.width, m.people.height, func() []string { return drawLines(m) })
}

func drawLines(m *Model) []string {
	switch {
	case m.ending != nil:
		return m.ending.DrawLines(m.theme, m.people.width, m.people.height)
	case m.form != nil:
		return m.form.drawForm(m.theme, m.people.width, m.history.busy)
	case m.people.isWide():
		at := m.people.listWidth()
		detail := m.theme.AddKeysBelow(m.people.drawDetails(m.people.width-at-3), m.people.width-at-3, m.people.height, m.SpellKey, m.Bindings())
		list := m.theme.AddLegendBelow(m.people.drawList(at), at, m.people.height)
		return m.theme.DrawBeside(list, detail, at, m.people.width, m.people.height)
	}
	return append(m.people.drawList(m.people.width), m.people.drawDetails(m.people.width)...)
}

func listColumns() []widget.Column {
	return []widget.Column{
		{Title: "name", Width: 10, Grow: 2, Name: true},
		{Title: "role", Width: 11},
		{Title: "here", Width: 10},
		{Title: "queue", Width: 8, Grow: 1},
		{Title: "labels", Width: 6, Right: true, Least: 70},
		{Title: "votes", Width: 6, Right: true, Least: 86},
		{Title: "/min", Width: 5, Right: true},
		{Title: "s/item", Width: 6, Right: true, Least: 86},
		{Title: "idle", Width: 9, Right: true, Least: 78},
	}
}

func roleText(r annotate.Role) string {
	return cmp.Or(map[annotate.Role]string{annotate.RoleUnset: "–", annotate.RoleNone: "removed"}[r], r.String())
}

// formatAgo gives when something was, as coarse as people say it.
func formatAgo(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return "–"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return at.In(now.Location()).Format(time.DateOnly)
}

// newEndQuestion asks whether a session of somebody is to be ended.
func (m *Model) newEndQuestion(who annotate.Annotator, s *Session) *widget.Question {
	text := "The session of " + widget.CutWidth(widget.CleanLine(string(who)), 30) + " from " + widget.CutWidth(formatOrigin(s), 40) + ".\n" +
		"What was done in it is saved. They keep access, and find their item again."
	ctx, source, id := m.ctx, m.deps.Source, s.ID
	return &widget.Question{Title: "End a session?", Text: text, Yes: "end it", No: "leave it", Do: func() tea.Cmd {
		return func() tea.Msg {
			err := source.EndSession(ctx, id)
			return outcome(func() tea.Cmd { return m.handleEnded(err) })
		}
	}}
}

func formatOrigin(s *Session) string {
	return eval.Either(s.From == "", "this machine", widget.CleanLine(s.From))
}
