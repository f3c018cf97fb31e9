package samples

import (
	"context"
	"iter"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/pager"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	cancel context.CancelFunc
	theme  *widget.Theme
	source Source
	who    annotate.Annotator
	query  Query
	shown  int // of the query's lists
	keys   keys

	width, height int
	pull          *pager.Puller[Row]
	read          []Row
	rows          []Row // of those, what the filter leaves
	filter        widget.Filter
	hidden        int // rows left out because being in this list would tell
	ended         bool
	loading       bool
	err           error
	at            widget.Cursor
	detail        *detail // nil: the list is shown
	viewer        *widget.Viewer
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, theme: t, source: s, who: who, query: q, keys: newKeys(), viewer: widget.NewViewer(t)}
	m.start()
	return m
}

// start begins the list anew.
func (m *Model) start() {
	if m.pull != nil {
		go m.pull.Close()
	}
	ctx, who, list := m.ctx, m.who, m.query.Lists[m.shown]
	m.pull = pager.New(
		func() iter.Seq2[Row, error] { return list.Rows(ctx, who) },
		func(r *Row) bool { return r.LeftOut })
	m.read, m.rows, m.hidden, m.ended, m.err, m.loading = nil, nil, 0, false, nil, false
	m.at = widget.Cursor{}
}

// Close ends what is under way.
func (m *Model) Close() {
	m.cancel()
	go m.pull.Close()
}

// Init reads the first page.
func (m *Model) Init() tea.Cmd { return m.more() }

// Refresh leaves the list as it is: a row must not move under the reader, and
// R reads it again. Only the picture is drawn for the room it has now.
func (m *Model) Refresh() tea.Cmd {
	if m.detail == nil {
		return nil
	}
	return m.detail.draw()
}

// more reads a page, unless one is being read or there are no more.
func (m *Model) more() tea.Cmd {
	if m.loading || m.ended {
		return nil
	}
	m.loading = true
	from := m.pull
	return func() tea.Msg { return from.Page() }
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case pager.Page[Row]:
		if msg.Of == m.pull {
			m.loading = false
			m.read = append(m.read, msg.Rows...)
			m.sift()
			m.hidden += msg.Hid
			m.ended, m.err = msg.Ended, msg.Err
			return m.move(0)
		}
	case opened:
		if m.detail != nil {
			return m.detail.update(msg)
		}
	case widget.Drawn:
		if m.viewer.Took(msg) && m.detail != nil {
			return m.detail.draw()
		}
	}
	return nil
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.detail != nil {
		return m.pressDetail(msg)
	}
	if m.filter.Typing() {
		return m.pressFilter(msg)
	}
	k := m.keys
	if by, ok := k.moves.By(msg, m.listHeight(), len(m.rows)); ok {
		return m.move(by)
	}
	switch {
	case key.Matches(msg, k.show):
		return m.narrow(1)
	case key.Matches(msg, k.showBack):
		return m.narrow(-1)
	case key.Matches(msg, k.again):
		m.start()
		return m.more()
	case key.Matches(msg, k.open):
		return m.open()
	case key.Matches(msg, k.filter):
		m.filter.Start()
	case key.Matches(msg, k.room):
		return tell("the list has the whole screen")
	}
	return nil
}

// pressFilter takes a key while the filter is typed: the list follows.
func (m *Model) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.Press(msg) {
		return nil
	}
	m.at = widget.Cursor{}
	m.sift()
	return m.move(0) // what it leaves may not fill the screen
}

// sift finds the rows that the filter leaves, of those that were read.
func (m *Model) sift() { m.rows = widget.Sift(&m.filter, m.read, m.cells) }

// unfilter shows all rows again, and reports whether there was a filter.
func (m *Model) unfilter() bool {
	was := m.filter.Clear()
	m.sift()
	m.at.Set(m.at.At, len(m.rows), m.listHeight()-1)
	return was
}

// move moves the cursor and reads ahead.
func (m *Model) move(by int) tea.Cmd {
	m.at.Move(by, len(m.rows), m.listHeight()-1)
	if m.at.At+m.listHeight() >= len(m.rows) {
		return m.more()
	}
	return nil
}

// narrow shows another list.
func (m *Model) narrow(by int) tea.Cmd {
	n := len(m.query.Lists)
	m.shown = (m.shown + by + n) % n
	m.start()
	return m.more()
}
