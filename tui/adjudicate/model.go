package adjudicate

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/report/alignment"
	"concord/eval"
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
	diffs    *disagreements
	curation *expertDisputes
}

// New makes the screen of one person before one queue. It reads nothing before Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{
		ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, moves: widget.NewMoves(), left: make(chan struct{}, 1), experts: d.Queue == "",
		size: &size{},
	}
	m.diffs = &disagreements{Spelling: &m.Spelling, theme: d.Theme, size: m.size, extractor: -1}
	m.curation = &expertDisputes{Spelling: &m.Spelling, ctx: ctx, deps: d, theme: d.Theme, size: m.size}
	m.table = keyActions{m}.actionTable()
	return m
}

// Close ends what is under way. Acts are with the journal already.
func (m *Model) Close() {
	if m.desk != nil {
		m.desk.Close()
	}
	m.cancel()
}

// ItemInFront is what the item that is open has in front; nil: none is open.
func (m *Model) ItemInFront() any {
	if m.desk == nil {
		return nil
	}
	return m.desk.ItemInFront()
}

// RecordsOnKey reports whether a key records something now.
func (m *Model) RecordsOnKey(key string) bool { return m.desk != nil && m.desk.RecordsOnKey(key) }

// compared is a queue that was read.
type compared struct {
	of  *Model
	n   int
	all *alignment.QueueComparison
	err error
}

// again asks for the queue to be read again, because items were settled.
type again struct{ of *Model }

// Init reads the queue, and what experts differ on.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.compareQueue(), m.curation.readExpertDisputes(), m.waitForLeave())
}

// waitForLeave waits until the item view is left.
func (m *Model) waitForLeave() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-m.left:
			return again{m}
		case <-m.ctx.Done():
			return nil
		}
	}
}

func (m *Model) compareQueue() tea.Cmd {
	if m.deps.Queue == "" {
		return nil
	}
	m.reading++
	ctx, d, n := m.ctx, m.deps, m.reading
	return func() tea.Msg {
		out := compared{of: m, n: n}
		if out.err = d.Journal.SyncStream(ctx, d.Queue, d.Annotator); out.err != nil {
			return out
		}
		legible, err := d.Source.LegiblePredictions(ctx, d.Annotator, d.Queue)
		if err != nil {
			out.err = err
			return out
		}
		if out.all, out.err = alignment.CompareQueue(ctx, d.Source, d.Annotator, legible, alignment.Options{Queue: d.Queue}); out.err == nil {
			out.err = d.Source.RecordCompared(ctx, d.Annotator, out.all)
		}
		return out
	}
}

// Refresh leaves the figures as they are: they must not change under the reader, and R reads them again.
func (m *Model) Refresh() tea.Cmd {
	if m.desk != nil {
		return m.desk.Refresh()
	}
	if m.experts {
		return m.curation.readExpertDisputes() // what was settled on the other tab
	}
	return nil
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case compared:
		if msg.of == m && msg.n == m.reading && m.ctx.Err() == nil {
			m.handleCompared(msg)
		}
		return nil
	case recounted:
		if msg.of == m.curation {
			return m.curation.handleCurated(msg)
		}
		return nil
	case again:
		if msg.of == m {
			return tea.Batch(m.compareQueue(), m.waitForLeave())
		}
		return nil
	}
	if m.desk != nil {
		return m.desk.Update(msg)
	}
	if msg, ok := msg.(tea.KeyMsg); ok {
		return m.handleKey(msg)
	}
	return nil
}

func (m *Model) handleCompared(msg compared) {
	m.err = msg.err
	if msg.err != nil {
		return
	}
	m.diffs.all = msg.all
	if m.diffs.extractor < 0 || m.diffs.extractor >= len(m.diffs.all.Extractors) {
		m.diffs.extractor = m.diffs.preferredExtractor()
	}
	m.diffs.rebuildMatrixAndList()
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.size.width, m.size.height = width, height
	m.diffs.at.MoveTo(m.diffs.at.At, len(m.diffs.places), m.size.listHeight()-1)
	m.curation.shelf.MoveTo(m.curation.shelf.At, len(m.curation.curated), m.size.listHeight()-1)
	if m.desk != nil {
		m.desk.Resize(width, height)
	}
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool {
	return m.diffs.words.IsTyping() || m.desk != nil && m.desk.IsTyping()
}

// GoBack leaves one level: a mode of the desk, the item view, the list, its cell.
func (m *Model) GoBack() bool {
	switch {
	case m.desk != nil && m.desk.GoBack():
		return true
	case m.desk != nil:
		m.closeItemView()
		return true
	case m.experts && m.deps.Queue != "":
		m.experts = false
		return true
	case m.diffs.words.ClearText():
		m.diffs.rebuildMatrixAndList()
		return true
	case m.listing && m.diffs.filter.cell:
		m.diffs.filter, m.listing = filter{}, false
		m.diffs.rebuildMatrixAndList()
		return true
	case m.listing && m.diffs.filter != (filter{}):
		m.diffs.filter = filter{}
		m.diffs.rebuildMatrixAndList()
		return true
	}
	return false
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if m.diffs.words.IsTyping() {
		if m.diffs.words.HandleKey(msg) {
			m.diffs.at = widget.Cursor{}
			m.diffs.rebuildMatrixAndList()
		}
		return nil
	}
	page := eval.Either(m.keyMode() == onMatrix, max(1, m.size.height-headLines-6), m.size.listHeight())
	if by, ok := m.moves.MoveBy(msg, page, 1<<30); ok {
		m.moveCursor(by)
		return nil
	}
	return m.table.PressAndNotify(m.keyMode(), msg.String())
}

// moveCursor goes through the rows of what is shown.
func (m *Model) moveCursor(by int) {
	height := m.size.listHeight() - 1
	switch m.keyMode() {
	case onExperts:
		m.curation.shelf.MoveBy(by, len(m.curation.curated), height)
	case onList:
		m.diffs.at.MoveBy(by, len(m.diffs.places), height)
	case onMatrix:
		m.diffs.cell[0] = max(0, min(m.diffs.cell[0]+by, len(m.diffs.matrix.People)-1))
	}
}

// whyNoQueue is why nothing can be done about the queue.
func (m keyActions) whyNoQueue() string {
	return action.WhyIf(m.diffs.all == nil, "the queue is being read")
}

// whyNoMatrix is why no cell is opened, or gone to.
func (m keyActions) whyNoMatrix() string {
	if why := m.whyNoQueue(); why != "" || len(m.diffs.matrix.People) > 0 {
		return why
	}
	return "no item is compared"
}

// whyNoExperts is why one does not go between the queue and what experts differ on.
func (m keyActions) whyNoExperts() string {
	return action.WhyIf(m.deps.Queue == "" || m.deps.Curated == nil, "there is no other list here")
}

func (m keyActions) toggleExperts(string) tea.Cmd {
	m.experts = !m.experts
	return nil
}

func (m keyActions) toggleMatrixAndList(string) tea.Cmd {
	m.listing, m.diffs.filter.cell = !m.listing, false
	m.diffs.rebuildMatrixAndList()
	return nil
}

func (m keyActions) toggleWithRulings(string) tea.Cmd {
	m.diffs.after = !m.diffs.after
	m.diffs.rebuildMatrixAndList()
	return nil
}

// stepExtractor looks at another extractor.
func (m keyActions) stepExtractor(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if n := len(m.diffs.all.Extractors); n > 0 {
			m.diffs.extractor, m.diffs.filter.cell = (m.diffs.extractor+by+n)%n, false
			m.diffs.rebuildMatrixAndList()
		}
		return nil
	}
}

func (m keyActions) cycleFilter(key string) tea.Cmd {
	m.diffs.cycleFilter(key)
	m.diffs.at.MoveTo(0, len(m.diffs.places), m.size.listHeight()-1)
	return nil
}

// openItemView puts the items of the list on the item view, the one under the cursor in front.
func (m *Model) openItemView() tea.Cmd {
	if m.diffs.at.At >= len(m.diffs.places) {
		return nil
	}
	m.newItemView()
	m.desk.SetFirstItem(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Key)
	return m.desk.Init()
}

func (m *Model) newItemView() {
	m.desk = newItemView(m)
	m.desk.SetKeySpeller(m.SpellKey)
	m.desk.Resize(m.size.width, m.size.height)
}

// adjudicateNext goes to the item view with what is to be adjudicated of what the filter leaves:
// disagreements, and some items on which nobody differs, which nothing tells apart.
func (m keyActions) adjudicateNext(string) tea.Cmd {
	was := m.diffs.filter
	m.diffs.filter.unsettled, m.diffs.filter.adjudicating = true, true
	if m.diffs.rebuildMatrixAndList(); len(m.diffs.places) > 0 {
		m.listing, m.diffs.at = true, widget.Cursor{}
		m.newItemView()
		return m.desk.Init()
	}
	m.diffs.filter = was
	m.diffs.rebuildMatrixAndList()
	return widget.NotifyCmd(widget.Info, "nothing is left to adjudicate by this filter")
}

// closeItemView goes from the item view back to the list, which is read again.
func (m *Model) closeItemView() {
	m.desk.Close()
	m.desk = nil
	select {
	case m.left <- struct{}{}:
	default:
	}
}

// HandleClick chooses the item that is drawn at a line of the list.
func (m *Model) HandleClick(_, y int) tea.Cmd {
	if m.desk == nil && m.listing && !m.experts && m.diffs.all != nil {
		m.diffs.at.SelectAt(y-headLines-1, len(m.diffs.places), m.size.listHeight()-1)
	}
	return nil
}

// CopyText gives the answer on the item view; on the list, the sample's id.
func (m *Model) CopyText() (what, text string) {
	switch {
	case m.desk != nil:
		return m.desk.CopyText()
	case m.listing && !m.experts && m.diffs.at.At < len(m.diffs.places):
		return "the sample's id", string(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Sample)
	}
	return "", ""
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == annotation.Zooming {
		return keymap.AdjudicatePicture
	}
	return eval.Either(m.desk != nil, keymap.Adjudicate, keymap.Compare)
}
