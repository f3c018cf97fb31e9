package secondlook

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	deps   Deps
	theme  *widget.Theme
	keys   keys
	closed bool

	width, height int
	reading       int // answers to earlier reads are late
	loaded        bool
	err           error
	all           List
	rows          []Row // that the filters leave
	kind          annotate.Matter
	resolved      bool // entries that are resolved are listed, too
	filter        widget.Filter
	at            widget.Cursor

	asking *question // a text is typed; nil: none
	busy   bool      // a decision is being stored
	past   [][]annotate.Act
}

// question asks for the text of a decision.
type question struct {
	name string
	area textinput.Model
	need bool // an empty text is none
	does func(text string) []annotate.Act
}

type (
	// listed is what was read.
	listed struct {
		of   *Model
		n    int
		list List
		err  error
	}
	// decided is that a decision is stored, or why it is not.
	decided struct {
		of   *Model
		did  []annotate.Act
		undo bool
		err  error
	}
)

// New makes the page. It reads nothing yet. ctx is that of the app: what is being
// stored when the page is left is stored.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
}

// Init reads the entries.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads them again.
func (m *Model) Refresh() tea.Cmd {
	m.reading++
	ctx, d, n := m.ctx, m.deps, m.reading
	return func() tea.Msg {
		list, err := d.Source.Entries(ctx, d.Who)
		return listed{m, n, list, err}
	}
}

// Close leaves the page.
func (m *Model) Close() { m.closed = true }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.Set(m.at.At, len(m.rows), m.listHeight())
	if m.asking != nil {
		m.asking.area.Width = max(8, width-24)
	}
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.asking != nil || m.filter.Typing() }

// Back leaves the text that is typed, the filter, or the kind.
func (m *Model) Back() bool {
	switch {
	case m.asking != nil:
		m.asking = nil
	case m.filter.Clear():
		m.sift()
	case m.kind != annotate.MatterUnset:
		m.kind = annotate.MatterUnset
		m.sift()
	default:
		return false
	}
	return true
}

// Copied is the text in front.
func (m *Model) Copied() (what, text string) {
	row := m.front()
	if row == nil {
		return "", ""
	}
	return "the entry", row.Matter.String() + " " + string(row.Sample) + " " + row.Text
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case listed:
		if msg.of == m && msg.n == m.reading {
			m.take(msg)
		}
	case decided:
		if msg.of == m {
			return m.decided(msg)
		}
	}
	return nil
}

func (m *Model) take(msg listed) {
	if m.err = msg.err; msg.err == nil {
		m.loaded, m.all = true, msg.list
		m.sift()
	}
}

// sift finds the rows that the filters leave. The row in front stays there.
func (m *Model) sift() {
	var was Row
	if row := m.front(); row != nil {
		was = *row
	}
	rows := slices.Collect(func(yield func(Row) bool) {
		for _, r := range m.all.Rows {
			if (m.kind == annotate.MatterUnset || r.Matter == m.kind) && (m.resolved || r.Closed == nil) && !yield(r) {
				return
			}
		}
	})
	m.rows = widget.Sift(&m.filter, rows, m.cells)
	at := slices.IndexFunc(m.rows, func(r Row) bool {
		return r.Matter == was.Matter && r.Of == was.Of && r.Item == was.Item && r.Queue == was.Queue
	})
	if at < 0 {
		at = m.at.At
	}
	m.at.Set(at, len(m.rows), m.listHeight())
}

// front is the row under the cursor; nil without one.
func (m *Model) front() *Row {
	if m.at.At < 0 || m.at.At >= len(m.rows) {
		return nil
	}
	return &m.rows[m.at.At]
}

// decided follows a decision that was stored.
func (m *Model) decided(msg decided) tea.Cmd {
	m.busy = false
	if msg.err != nil {
		return tea.Batch(notify(widget.Problem, "NOT SAVED: "+msg.err.Error()), m.Refresh())
	}
	said := "undone: " + widget.Plural(len(msg.did), "act")
	if !msg.undo {
		if len(msg.did) > 0 {
			m.past = append(m.past, msg.did)
		}
		said = "saved: " + widget.Plural(len(msg.did), "act") + "  " + m.deps.Now().Format("15:04:05") + "  " + m.Spelled("ctrl+z") + " undo"
	}
	return tea.Batch(notify(widget.Info, said), m.Refresh())
}

func notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: l, Text: text} }
}
