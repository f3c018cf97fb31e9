package team

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
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

	width, height int
	reading       reading
	all, rows     []Member // all, and those that the filter leaves
	filter        widget.Filter
	at            widget.Cursor
	detail        bool // keys move in the detail
	part          widget.Cursor

	form   *form
	drafts [DropKey + 1]*form // forms that were left, by what they do
	ending *Session           // that it is asked of whether to end it; nil: none
	busy   bool               // a change is being stored
	past   []Change           // each takes one of this page's changes back, the last one's first
	undone []Change           // each does one again that was taken back
	wanted annotate.Annotator // whom the cursor goes to when they are read; "": nobody
}

// New makes the page. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
}

// Init reads the team.
func (m *Model) Init() tea.Cmd { return m.read() }

// Close leaves the page: it is read no more.
func (m *Model) Close() { m.closed = true }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	if m.form != nil {
		m.form.fit(width)
	}
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.form != nil || m.filter.Typing() }

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
	case m.detail:
		m.detail = false
	default:
		was := m.filter.Clear()
		m.sift()
		return was
	}
	return true
}

// Copied is what is under the cursor: a name, or a key's fingerprint.
func (m *Model) Copied() (what, text string) {
	one := m.one()
	if one == nil {
		return "", ""
	}
	if p := m.under(); p != nil && p.key != "" {
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
		if msg.of == m && msg.n == m.reading.n {
			return m.read()
		}
	case changed:
		if msg.of == m {
			return m.changed(msg)
		}
	case ended:
		if msg.of == m {
			return m.ended(msg)
		}
	}
	return nil
}

// one is who is under the cursor; nil when nobody is.
func (m *Model) one() *Member {
	if m.at.At < len(m.rows) {
		return &m.rows[m.at.At]
	}
	return nil
}

// sift finds whom the filter leaves. Whoever was under the cursor stays there,
// on the line where they were.
func (m *Model) sift() {
	who, was, held := annotate.Annotator(""), m.at, ""
	if one := m.one(); one != nil {
		who = one.Name
	}
	if p := m.under(); p != nil {
		held = p.id
	}
	m.rows = widget.Sift(&m.filter, m.all, m.cells)
	at := slices.IndexFunc(m.rows, func(o Member) bool { return o.Name == who })
	if at < 0 {
		at = was.At
	}
	if i := slices.IndexFunc(m.rows, func(o Member) bool { return m.wanted != "" && o.Name == m.wanted }); i >= 0 {
		at, m.wanted = i, ""
	}
	m.at.Top += at - was.At
	m.at.Set(at, len(m.rows), m.listHeight())
	m.hold(held)
	m.detail = m.detail && (m.one() != nil && m.one().Name == who)
}

func tell(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Info, Text: text} }
}

func trouble(err error) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Problem, Text: err.Error()} }
}
