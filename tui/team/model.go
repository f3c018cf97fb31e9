package team

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context // of the app: what is being stored when the page is left is stored
	deps   Deps
	theme  *widget.Theme
	keys   keys
	closed bool

	form    *changeForm
	drafts  [DropKey + 1]*changeForm // forms that were left, by what they do
	ending  *Session                 // that it is asked of whether to end it; nil: none
	people  *people
	history *history
}

// New makes the page. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
	m.people = &people{Spelling: &m.Spelling, theme: d.Theme, keys: m.keys}
	m.history = &history{ctx: ctx, source: d.Source, who: d.Who}
	return m
}

// Init reads the team.
func (m *Model) Init() tea.Cmd { return m.read() }

// Close leaves the page: it is read no more.
func (m *Model) Close() { m.closed = true }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.people.width, m.people.height = width, height
	if m.form != nil {
		m.form.fit(width)
	}
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.form != nil || m.people.filter.Typing() }

// Asking reports whether ending a session waits for an answer.
func (m *Model) Asking() bool { return m.ending != nil }

// Back leaves the question, the form, the detail or the filter. What was put
// into a form is there when it is opened again.
func (m *Model) Back() bool {
	switch {
	case m.ending != nil:
		m.ending = nil
	case m.form != nil:
		m.drafts[m.form.does] = m.form
		m.form = nil
	case m.people.detail:
		m.people.detail = false
	default:
		was := m.people.filter.Clear()
		m.people.sift()
		return was
	}
	return true
}

// Copied is what is under the cursor: a name, or a key's fingerprint.
func (m *Model) Copied() (what, text string) {
	one := m.people.one()
	if one == nil {
		return "", ""
	}
	if p := m.people.under(); p != nil && p.key != "" {
		return "the key's fingerprint", p.key
	}
	return "the name", string(one.Name)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case team:
		if msg.of == m {
			return m.take(msg)
		}
	case due:
		if msg.of == m && msg.n == m.people.reading.n {
			return m.read()
		}
	case changed:
		if msg.of == m.history {
			return m.changed(msg)
		}
	case ended:
		if msg.of == m {
			return m.ended(msg)
		}
	}
	return nil
}

func tell(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Info, Text: text} }
}

func trouble(err error) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Problem, Text: err.Error()} }
}
