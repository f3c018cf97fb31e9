package samples

import (
	"context"
	"iter"
	"sync"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	ctx    context.Context
	cancel context.CancelFunc
	theme  *widget.Theme
	source Source
	who    annotate.Annotator
	query  Query
	shown  int // of the query's lists
	keys   keys

	width, height int
	pull          *puller
	rows          []Row
	hidden        int // rows left out because being in this list would tell
	ended         bool
	loading       bool
	err           error
	at            widget.Cursor
	detail        *detail // nil: the list is shown
}

// page is how many rows are read at a time, and pageHid how many that are
// left out.
const (
	page    = 200
	pageHid = 10 * page
)

// paged is a page that was read; of is the puller it came from, so that a page
// of a list that was left is told apart.
type paged struct {
	of    *puller
	rows  []Row
	hid   int
	ended bool
	err   error
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, theme: t, source: s, who: who, query: q, keys: newKeys()}
	m.start()
	return m
}

// start begins the list anew.
func (m *Model) start() {
	if m.pull != nil {
		go m.pull.close()
	}
	m.pull = &puller{ctx: m.ctx, who: m.who, list: m.query.Lists[m.shown]}
	m.rows, m.hidden, m.ended, m.err, m.loading = nil, 0, false, nil, false
	m.at = widget.Cursor{}
}

// Close ends what is under way.
func (m *Model) Close() {
	m.cancel()
	go m.pull.close()
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
	pull := m.pull
	return func() tea.Msg { return pull.page() }
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case paged:
		if msg.of == m.pull {
			m.loading = false
			m.rows = append(m.rows, msg.rows...)
			m.hidden += msg.hid
			m.ended, m.err = msg.ended, msg.err
			return m.move(0)
		}
	case opened, drawn:
		if m.detail != nil {
			return m.detail.update(msg)
		}
	}
	return nil
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.detail != nil {
		return m.pressDetail(msg)
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
	}
	return nil
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

// puller pulls rows out of the source, one page after the other.
type puller struct {
	ctx  context.Context
	who  annotate.Annotator
	list List

	mu   sync.Mutex
	next func() (Row, error, bool)
	stop func()
	gone bool
}

func (p *puller) page() paged {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := paged{of: p}
	if p.gone {
		out.ended = true
		return out
	}
	if p.next == nil {
		p.next, p.stop = iter.Pull2(p.list.Rows(p.ctx, p.who))
	}
	for len(out.rows) < page && out.hid < pageHid {
		r, err, ok := p.next()
		if !ok || err != nil {
			out.ended, out.err = true, err
			return out
		}
		if r.LeftOut {
			out.hid++
			continue
		}
		out.rows = append(out.rows, r)
	}
	return out
}

// close ends the iteration; it waits for a page under way.
func (p *puller) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	if p.stop != nil {
		p.stop()
	}
}
