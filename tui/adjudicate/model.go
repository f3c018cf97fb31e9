package adjudicate

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/report/alignment"
	"concord/tui/action"
	"concord/tui/annotation"
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
	moves  widget.Moves
	table  action.Table

	reading int // which reading of the queue is under way; answers to others are late
	err     error

	listing bool // the list is shown, not the matrix

	experts bool // candidates are shown, not the queue

	desk     *itemView     // an item is open; nil: none is
	left     chan struct{} // one-slot mark that the desk was left
	size     *size
	diffs    *differences
	curation *experts
}

// New makes the screen of one person before one queue. It reads nothing before
// Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{
		ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, moves: widget.NewMoves(), left: make(chan struct{}, 1), experts: d.Queue == "",
		size: &size{},
	}
	m.diffs = &differences{Spelling: &m.Spelling, theme: d.Theme, size: m.size, extractor: -1}
	m.curation = &experts{Spelling: &m.Spelling, ctx: ctx, deps: d, theme: d.Theme, size: m.size}
	m.table = keyed{m}.actions()
	return m
}

// Close ends what is under way. Acts are with the journal already.
func (m *Model) Close() {
	if m.desk != nil {
		m.desk.Close()
	}
	m.cancel()
}

// InFront is what the item that is open has in front; nil: none is open.
func (m *Model) InFront() any {
	if m.desk == nil {
		return nil
	}
	return m.desk.InFront()
}

// Records reports whether a key records something now.
func (m *Model) Records(key string) bool { return m.desk != nil && m.desk.Records(key) }

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
func (m *Model) Init() tea.Cmd { return tea.Batch(m.read(), m.curation.recount(), m.wait()) }

// wait waits until the item view is left.
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
		if out.all, out.err = alignment.Compare(ctx, d.Source, d.Annotator, legible, alignment.Options{Queue: d.Queue}); out.err == nil {
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
		return m.curation.recount() // what was settled on the other tab
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
		if msg.of == m.curation {
			return m.curation.takeCurated(msg)
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
	m.diffs.all = msg.all
	if m.diffs.extractor < 0 || m.diffs.extractor >= len(m.diffs.all.Extractors) {
		m.diffs.extractor = m.diffs.first()
	}
	m.diffs.rebuild()
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.size.width, m.size.height = width, height
	m.diffs.at.Set(m.diffs.at.At, len(m.diffs.places), m.size.listHeight()-1)
	m.curation.shelf.Set(m.curation.shelf.At, len(m.curation.curated), m.size.listHeight()-1)
	if m.desk != nil {
		m.desk.Resize(width, height)
	}
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.diffs.words.Typing() || m.desk != nil && m.desk.Typing() }

// Back leaves one level: a mode of the desk, the item view, the list, its cell.
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
	case m.diffs.words.Clear():
		m.diffs.rebuild()
		return true
	case m.listing && m.diffs.filter.cell:
		m.diffs.filter, m.listing = filter{}, false
		m.diffs.rebuild()
		return true
	case m.listing && m.diffs.filter != (filter{}):
		m.diffs.filter = filter{}
		m.diffs.rebuild()
		return true
	}
	return false
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.diffs.words.Typing() {
		m.diffs.pressWords(msg)
		return nil
	}
	page := m.size.listHeight()
	if m.mode() == onMatrix {
		page = m.size.matrixHeight()
	}
	if by, ok := m.moves.By(msg, page, 1<<30); ok {
		m.move(by)
		return nil
	}
	return m.table.Tell(m.mode(), msg.String())
}

// move goes through the rows of what is shown.
func (m *Model) move(by int) {
	height := m.size.listHeight() - 1
	switch m.mode() {
	case onExperts:
		m.curation.shelf.Move(by, len(m.curation.curated), height)
	case onList:
		m.diffs.at.Move(by, len(m.diffs.places), height)
	case onMatrix:
		m.diffs.cell[0] = max(0, min(m.diffs.cell[0]+by, len(m.diffs.matrix.People)-1))
	}
}

// noQueue is why nothing can be done about the queue.
func (m keyed) noQueue() string {
	if m.diffs.all == nil {
		return "the queue is being read"
	}
	return ""
}

// noMatrix is why no cell is opened, or gone to.
func (m keyed) noMatrix() string {
	if why := m.noQueue(); why != "" || len(m.diffs.matrix.People) > 0 {
		return why
	}
	return "no item is compared"
}

// noExperts is why one does not go between the queue and what experts differ on.
func (m keyed) noExperts() string {
	if m.deps.Queue == "" || m.deps.Curated == nil {
		return "there is no other list here"
	}
	return ""
}

func (m keyed) turnExperts(string) tea.Cmd {
	m.experts = !m.experts
	return nil
}

func (m keyed) turnView(string) tea.Cmd {
	m.listing, m.diffs.filter.cell = !m.listing, false
	m.diffs.rebuild()
	return nil
}

func (m keyed) turnRulings(string) tea.Cmd {
	m.diffs.after = !m.diffs.after
	m.diffs.rebuild()
	return nil
}

// turn looks at another extractor.
func (m keyed) turn(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if n := len(m.diffs.all.Extractors); n > 0 {
			m.diffs.extractor, m.diffs.filter.cell = (m.diffs.extractor+by+n)%n, false
			m.diffs.rebuild()
		}
		return nil
	}
}

// narrow turns one of the filters on by its key.
func (m keyed) narrow(key string) tea.Cmd {
	m.diffs.narrow(key)
	m.diffs.at.Set(0, len(m.diffs.places), m.size.listHeight()-1)
	return nil
}

// open puts the items of the list on the item view, the one under the cursor in
// front.
func (m *Model) open() tea.Cmd {
	if m.diffs.at.At >= len(m.diffs.places) {
		return nil
	}
	m.begin()
	m.desk.Begin(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Key)
	return m.desk.Init()
}

// begin makes the item view of the items of the list.
func (m *Model) begin() {
	m.desk = newItemView(m)
	m.desk.Spell(m.Spelled)
	m.desk.Resize(m.size.width, m.size.height)
}

// settleNext goes to the item view with what is to be adjudicated of what the
// filter leaves: disagreements, and some items on which nobody differs, which
// nothing tells apart.
func (m keyed) settleNext(string) tea.Cmd {
	was := m.diffs.filter
	m.diffs.filter.unsettled, m.diffs.filter.adjudicating = true, true
	if m.diffs.rebuild(); len(m.diffs.places) > 0 {
		m.listing, m.diffs.at = true, widget.Cursor{}
		m.begin()
		return m.desk.Init()
	}
	m.diffs.filter = was
	m.diffs.rebuild()
	return widget.Tell(widget.Info, "nothing is left to adjudicate by this filter")
}

// leave goes from the item view back to the list, which is read again.
func (m *Model) leave() {
	m.desk.Close()
	m.desk = nil
	select {
	case m.left <- struct{}{}:
	default:
	}
}

// Click chooses the item that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.desk == nil && m.listing && !m.experts && m.diffs.all != nil {
		m.diffs.at.Click(y-headLines-1, len(m.diffs.places), m.size.listHeight()-1)
	}
	return nil
}

// Copied is the answer on the item view; on the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	switch {
	case m.desk != nil:
		return m.desk.Copied()
	case m.listing && !m.experts && m.diffs.at.At < len(m.diffs.places):
		return "the sample's id", string(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Sample)
	}
	return "", ""
}

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == annotation.Zooming {
		return keymap.AdjudicatePicture
	}
	if m.desk != nil {
		return keymap.Adjudicate
	}
	return keymap.Compare
}
