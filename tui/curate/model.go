package curate

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// The modes of this screen, behind those that screens share.
const (
	naming    = annotation.More + iota // saying who one is: keys are text
	choosing                           // a dataset is to be chosen
	filtering                          // words are typed: keys are text
	placing                            // an axis is chosen: keys are text
	weighing                           // all axes fill the screen
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx   context.Context
	deps  Deps
	theme *widget.Theme
	table annotation.Table[*Model]
	who   annotate.Annotator
	mode  annotation.Mode

	width, height int
	listening     bool

	datasets []eval.Dataset
	known    bool // the datasets were read
	shelf    widget.Cursor
	wanted   eval.DatasetName // to open as soon as it is known
	loading  eval.DatasetName // being opened; "": none
	err      error            // why it cannot be

	board  *curation.Board // nil: none is open
	open   Opening
	places map[eval.Ordinal]int // in open.Cards
	filter filter
	shown  []int // cards that the filter leaves
	at     int   // in shown; len(shown): nothing is in front
	settle bool  // verdicts are rulings on what experts differ on
	look   Look
	looked eval.DatasetName // whose look that is
	others *others          // of the card in front; nil: not shown

	pictures gallery
	picture  int             // which of those of the card in front
	text     textinput.Model // the name, the words of the filter, a note, an axis
	choice   choice          // of axes
	top      int             // first line shown of the text
	space    *widget.Room    // of the text
	timer    annotation.Timer
	saving   curation.JournalState
	stuck    bool   // what the journal refuses waits, since the dataset cannot be read again
	refusal  string // why the last key did nothing
}

// others is what other experts say of a sample.
type others struct {
	sample         eval.Ordinal
	words, rulings []curation.Word
}

type (
	// shelved is the datasets that were read.
	shelved struct {
		of       *Model
		datasets []eval.Dataset
		err      error
	}
	// opened is a dataset that was read.
	opened struct {
		of   *Model
		who  annotate.Annotator
		name eval.DatasetName
		open Opening
		err  error
	}
	// heard is the mark of the journal.
	heard struct{ of *Model }
	// revealed is what others say, once it is stored that it is shown.
	revealed struct {
		of     *Model
		others others
		err    error
	}
)

// New makes the screen. It reads nothing before Enter.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{
		ctx: ctx, deps: d, theme: d.Theme, table: actions(), mode: choosing,
		settle: d.Only || d.Settle && !d.Apart, text: annotation.NewNote(d.Theme), pictures: newGallery(d.Theme), space: d.Theme.Room("curate"),
	}
	m.filter.state = firstState(m.settle)
	return m
}

// SetAnnotator says who works. What is open was opened for the one who worked
// so far: another one opens it anew.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if who == m.who && who != "" {
		return
	}
	if m.board != nil {
		m.wanted = m.board.Dataset()
	}
	m.who, m.board, m.others, m.loading, m.stuck = who, nil, nil, "", false
	m.mode = choosing
	if who == "" {
		m.mode = naming
		m.ask("")
	}
}

// Open has a dataset opened once the screen is seen.
func (m *Model) Open(d eval.DatasetName) { m.wanted = d }

// Settle has a dataset opened for what experts differ on, read anew, once the
// screen is seen.
func (m *Model) Settle(d eval.DatasetName) {
	m.settle, m.filter = true, filter{state: firstState(true)}
	m.board, m.others, m.err, m.loading, m.wanted = nil, nil, nil, "", d
	if m.mode != naming {
		m.mode = choosing
	}
}

// Init reads the datasets.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Enter comes in: the screen reads which datasets there are.
func (m *Model) Enter() tea.Cmd {
	cmds := []tea.Cmd{m.shelve()}
	if !m.listening {
		m.listening = true
		cmds = append(cmds, m.listen())
	}
	return tea.Batch(cmds...)
}

// Refresh draws the picture anew; candidates stay as they are until they are
// read again.
func (m *Model) Refresh() tea.Cmd {
	if m.board == nil && m.listening {
		return m.shelve()
	}
	return m.draw()
}

func (m *Model) shelve() tea.Cmd {
	source := m.deps.Source
	return func() tea.Msg {
		all, err := source.Datasets()
		return shelved{m, all, err}
	}
}

func (m *Model) listen() tea.Cmd {
	mark, ctx := m.deps.Journal.Changed(), m.ctx
	return func() tea.Msg {
		select {
		case <-mark:
			return heard{m}
		case <-ctx.Done():
			return nil
		}
	}
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case shelved:
		if msg.of == m {
			return m.takeShelf(msg)
		}
	case opened:
		if msg.of == m && msg.who == m.who && msg.name == m.loading {
			return m.take(msg)
		}
	case heard:
		if msg.of == m {
			return tea.Batch(m.hear(), m.listen())
		}
	case revealed:
		if msg.of == m {
			return m.reveal(msg)
		}
	case loaded:
		if msg.of == m {
			return m.hang(msg)
		}
	case widget.Drawn:
		if m.pictures.viewer.Took(msg) {
			return m.draw()
		}
	}
	return nil
}

func (m *Model) takeShelf(msg shelved) tea.Cmd {
	if msg.err != nil {
		return notify(widget.Problem, "read the datasets: "+msg.err.Error())
	}
	m.known, m.datasets = true, nil
	for _, d := range msg.datasets {
		if d.Complete {
			m.datasets = append(m.datasets, d)
		}
	}
	m.shelf.Set(m.shelf.At, len(m.datasets), m.shelfHeight())
	want := m.wanted
	if want == "" && len(m.datasets) == 1 {
		want = m.datasets[0].Name
	}
	if m.board != nil || m.loading != "" || m.err != nil || m.who == "" || want == "" {
		return nil
	}
	return m.read(want)
}

// card is the candidate in front; nil when there is none.
func (m *Model) card() *Card {
	if m.board == nil || m.at >= len(m.shown) {
		return nil
	}
	return &m.open.Cards[m.shown[m.at]]
}

// goTo shows a card of those that are shown; one behind the last shows none.
func (m *Model) goTo(at int) tea.Cmd {
	m.at, m.top, m.picture, m.others = max(0, min(at, len(m.shown))), 0, 0, nil
	m.timer.Start(m.deps.Now())
	return m.draw()
}

// Back leaves one level: a mode, the filter, the dataset.
func (m *Model) Back() bool {
	switch {
	case m.mode == naming || m.board == nil:
		return false
	case m.mode == annotation.Noting:
		m.endNote("")
	case m.mode != annotation.Reading:
		m.mode = annotation.Reading
	case m.filter.on(m.settle):
		m.widen()
	default:
		return false
	}
	return true
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool {
	switch m.mode {
	case naming, filtering, placing, annotation.Noting:
		return true
	default:
		return false
	}
}

// Keep hands a note that is being typed to the journal; the root asks for it
// before it ends.
func (m *Model) Keep() {
	if m.mode == annotation.Noting {
		m.endNote("")
	}
}

func notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: l, Text: text} }
}
