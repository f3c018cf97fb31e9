package adjudicate

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/report/alignment"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	cancel context.CancelFunc
	deps   Deps
	theme  *widget.Theme
	keys   keys

	width, height int
	reading       int // which reading of the queue is under way; answers to others are late
	all           *alignment.Comparison
	err           error

	extractor int
	after     bool // the matrix counts rulings
	listing   bool // the list is shown, not the matrix
	cell      [2]int
	matrix    alignment.Matrix
	filter    filter
	words     widget.Filter // on what the list shows
	places    []int         // of the list
	kept      int           // items that are kept back from it
	at        widget.Cursor

	experts bool // candidates are shown, not the queue
	counted bool // they were read
	curated []Curated
	shelf   widget.Cursor

	desk *desk         // an item is open; nil: none is
	left chan struct{} // one-slot mark that the desk was left
}

// New makes the screen of one person before one queue. It reads nothing before
// Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	return &Model{
		ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, keys: newKeys(), extractor: -1, left: make(chan struct{}, 1), experts: d.Queue == "",
	}
}

// Close ends what is under way. Acts are with the journal already.
func (m *Model) Close() {
	if m.desk != nil {
		m.desk.Close()
	}
	m.cancel()
}

// compared is a queue that was read.
type compared struct {
	of  *Model
	n   int
	all *alignment.Comparison
	err error
}

// again asks for the queue to be read again, because items were settled.
type again struct{ of *Model }

// Init reads the queue, and what experts differ on.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.read(), m.recount(), m.wait()) }

// wait waits until the desk is left.
func (m *Model) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-m.left:
			return again{m}
		case <-m.ctx.Done():
			return nil
		}
	}
}

func (m *Model) read() tea.Cmd {
	if m.deps.Queue == "" {
		return nil
	}
	m.reading++
	ctx, d, n := m.ctx, m.deps, m.reading
	return func() tea.Msg {
		out := compared{of: m, n: n}
		if out.err = d.Journal.Sync(ctx, d.Queue, d.Annotator); out.err != nil {
			return out
		}
		legible, err := d.Source.Legible(ctx, d.Annotator, d.Queue)
		if err != nil {
			out.err = err
			return out
		}
		if out.all, out.err = alignment.Compare(ctx, d.Source, d.Annotator, legible, alignment.AlignmentOptions{Queue: d.Queue}); out.err == nil {
			out.err = d.Source.Compared(ctx, d.Annotator, out.all)
		}
		return out
	}
}

// Refresh leaves the figures as they are: they must not change under the
// reader, and R reads them again.
func (m *Model) Refresh() tea.Cmd {
	if m.desk != nil {
		return m.desk.Refresh()
	}
	if m.experts {
		return m.recount() // what was settled on the other tab
	}
	return nil
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case compared:
		if msg.of == m && msg.n == m.reading && m.ctx.Err() == nil {
			m.take(msg)
		}
		return nil
	case recounted:
		if msg.of == m {
			return m.takeCurated(msg)
		}
		return nil
	case again:
		if msg.of == m {
			return tea.Batch(m.read(), m.wait())
		}
		return nil
	}
	if m.desk != nil {
		return m.desk.Update(msg)
	}
	if msg, ok := msg.(tea.KeyMsg); ok {
		return m.press(msg)
	}
	return nil
}

func (m *Model) take(msg compared) {
	m.err = msg.err
	if msg.err != nil {
		return
	}
	m.all = msg.all
	if m.extractor < 0 || m.extractor >= len(m.all.Extractors) {
		m.extractor = m.first()
	}
	m.rebuild()
}

// first is the extractor to look at first: a judge, else one with figures.
func (m *Model) first() int {
	for _, judge := range []bool{true, false} {
		for i, x := range m.all.Extractors {
			if x.LeftOut == "" && x.Judge == judge {
				return i
			}
		}
	}
	return 0
}

// rebuild makes matrix and list anew.
func (m *Model) rebuild() {
	if m.all == nil {
		return
	}
	m.matrix = m.all.Matrix(m.extractor, m.after)
	m.cell[0] = max(0, min(m.cell[0], len(m.matrix.People)-1))
	m.cell[1] = max(0, min(m.cell[1], len(m.matrix.Machine)-1))
	m.places, m.kept = m.all.List(m.wanted())
	m.places = widget.Sift(&m.words, m.places, func(at *int) []string { return m.cells(&m.all.Items[*at]) })
	m.at.Set(m.at.At, len(m.places), m.listHeight()-1)
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.Set(m.at.At, len(m.places), m.listHeight()-1)
	m.shelf.Set(m.shelf.At, len(m.curated), m.listHeight()-1)
	if m.desk != nil {
		m.desk.Resize(width, height)
	}
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.words.Typing() || m.desk != nil && m.desk.Typing() }

// Back leaves one level: a mode of the desk, the desk, the list, its cell.
func (m *Model) Back() bool {
	switch {
	case m.desk != nil && m.desk.Back():
		return true
	case m.desk != nil:
		m.leave()
		return true
	case m.experts && m.deps.Queue != "":
		m.experts = false
		return true
	case m.words.Clear():
		m.rebuild()
		return true
	case m.listing && m.filter.cell:
		m.filter, m.listing = filter{}, false
		m.rebuild()
		return true
	case m.listing && m.filter != (filter{}):
		m.filter = filter{}
		m.rebuild()
		return true
	}
	return false
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	k := &m.keys
	switch {
	case m.words.Typing():
		m.pressWords(msg)
	case key.Matches(msg, k.again):
		return tea.Batch(m.read(), m.recount())
	case key.Matches(msg, k.experts) && m.deps.Queue != "" && m.deps.Curated != nil:
		m.experts = !m.experts
	case m.experts:
		return m.pressCurated(msg)
	case m.all == nil:
		return nil
	case key.Matches(msg, k.settle):
		return m.settleNext()
	case key.Matches(msg, k.view):
		m.listing = !m.listing
		m.filter.cell = false
		m.rebuild()
	case key.Matches(msg, k.next):
		m.turn(1)
	case key.Matches(msg, k.prev):
		m.turn(-1)
	case key.Matches(msg, k.after):
		m.after = !m.after
		m.rebuild()
	case m.listing:
		return m.pressList(msg)
	default:
		m.pressMatrix(msg)
	}
	return nil
}

// turn looks at another extractor.
func (m *Model) turn(by int) {
	if n := len(m.all.Extractors); n > 0 {
		m.extractor = (m.extractor + by + n) % n
		m.filter.cell = false
		m.rebuild()
	}
}

// open puts the items of the list on the desk, the one under the cursor in
// front.
func (m *Model) open() tea.Cmd {
	if m.at.At >= len(m.places) {
		return nil
	}
	m.desk = newDesk(m)
	m.desk.Spell(m.Spelled)
	m.desk.Resize(m.width, m.height)
	return m.desk.Init()
}

// settleNext goes to the desk with what is contested and not settled yet; when
// nothing is, with what the person has not answered.
func (m *Model) settleNext() tea.Cmd {
	for _, f := range []filter{{unsettled: true}, {mine: true}} {
		m.filter, m.words = f, widget.Filter{}
		if m.rebuild(); len(m.places) > 0 {
			m.listing, m.at = true, widget.Cursor{}
			return m.open()
		}
	}
	m.filter = filter{}
	m.rebuild()
	return func() tea.Msg {
		return widget.Notify{Level: widget.Info, Text: "nothing is left to settle, and you have answered all"}
	}
}

// leave goes from the desk back to the list, which is read again.
func (m *Model) leave() {
	m.desk.Close()
	m.desk = nil
	select {
	case m.left <- struct{}{}:
	default:
	}
}
