package curate

import (
	"cmp"
	"context"
	_ "embed" // of the guideline
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/datasetlist"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	annotation.Canvas

	ctx   context.Context
	deps  Deps
	table action.Table
	who   annotate.Annotator

	listening bool

	looked eval.DatasetName // whose look that is

	pictures *cardPictures
	gallery  *annotation.Gallery
	name     widget.NamePrompt
	text     *textinput.Model // the words of the filter, a note, an axis
	top      int              // first line shown of the text
	timer    annotation.Timer
	cards    *candidateSet
	size     *layout
	balance  axisBalance
	sample   sampleText
	axisForm axisForm
	standing cardStanding
	journal  actJournal
	list     datasetList
}

// New makes the screen. It reads nothing before Enter.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	text := annotation.NewNoteField(d.Theme)
	m := &Model{ctx: ctx, deps: d, Canvas: annotation.Canvas{Theme: d.Theme, Mode: choosing}, text: &text}
	m.name = d.Theme.NewNamePrompt("each of your verdicts, and nobody sees what others say before their own.")
	m.size = &layout{space: d.Theme.PaneSizeOf("curate")}
	m.cards = &candidateSet{Spelling: &m.Spelling, settle: d.Only || d.Disagreements && !d.Apart}
	m.pictures = &cardPictures{theme: d.Theme, source: d.Source, cards: m.cards, redraw: m.readAndDrawPictures, seen: make(map[eval.PictureHash]annotation.Picture), coming: make(map[eval.PictureHash]bool)}
	m.gallery = annotation.NewGallery(&m.Canvas, m.pictures.pageOfFrontCard, func() (cols, rows int, ok bool) {
		return max(0, m.size.pictureColumns()-1), m.size.mainHeight() - 1, m.cards.board != nil
	}, m.cards.whyNoCard)
	m.balance = axisBalance{theme: d.Theme, cards: m.cards, size: m.size}
	m.sample = sampleText{Spelling: &m.Spelling, theme: d.Theme, cards: m.cards}
	m.journal = actJournal{theme: d.Theme, cards: m.cards, size: m.size, to: d.Journal}
	m.axisForm = axisForm{journal: &m.journal, theme: d.Theme, text: m.text, cards: m.cards, size: m.size, balance: &m.balance}
	m.standing = cardStanding{apart: d.Apart, Spelling: &m.Spelling, theme: d.Theme, cards: m.cards, size: m.size}
	m.list = datasetList{List: datasetlist.List{Theme: d.Theme, Title: "Curate which dataset?", Empty: "No dataset to curate yet. h, then i imports the pool of samples:\n  concord import dataset FILE --name NAME"}}
	m.cards.filter.state = initialFilter(m.cards.settle)
	m.table = keyActions{m}.actionTable()
	return m
}

// SetAnnotator says who works. What is open was opened for who worked so far: another one opens it anew.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if who == m.who && who != "" {
		return
	}
	if m.cards.board != nil {
		m.list.wanted = m.cards.board.Dataset()
	}
	m.who, m.cards.board, m.sample.others, m.list.loading, m.journal.stuck = who, nil, nil, "", false
	m.Mode = eval.Either(who == "", naming, choosing)
	m.name.OpenPrompt(who == "")
}

// OpenDataset has a dataset opened once the screen is seen.
func (m *Model) OpenDataset(d eval.DatasetName) { m.list.wanted = d }

// OpenOnDisagreements has a dataset opened for what experts differ on, read anew, once the screen is seen.
func (m *Model) OpenOnDisagreements(d eval.DatasetName) {
	m.cards.settle, m.cards.filter = true, candidateFilter{state: initialFilter(true)}
	m.cards.board, m.sample.others, m.list.err, m.list.loading, m.list.wanted = nil, nil, nil, "", d
	if m.Mode != naming {
		m.Mode = choosing
	}
}

// Init reads the datasets.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Enter comes in: the screen reads which datasets there are.
func (m *Model) Enter() tea.Cmd {
	cmds := []tea.Cmd{m.readDatasets()}
	if !m.listening {
		m.listening = true
		cmds = append(cmds, awaitJournalNews(m))
	}
	return tea.Batch(cmds...)
}

// Refresh draws the picture anew; candidates stay as they are until they are read again.
func (m *Model) Refresh() tea.Cmd {
	if m.cards.board == nil && m.listening {
		return m.readDatasets()
	}
	return m.readAndDrawPictures()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		return msg()
	case widget.Drawn:
		return m.gallery.HandleDrawn(msg)
	case widget.Left:
		return m.readAndDrawPictures()
	}
	return nil
}

// outcome is what came of a command of this screen, which takes it.
type outcome func() tea.Cmd

func (m *Model) readDatasets() tea.Cmd {
	source := m.deps.Source
	return func() tea.Msg {
		all, err := source.Datasets()
		return outcome(func() tea.Cmd { return m.handleDatasets(all, err) })
	}
}

func (m *Model) handleDatasets(all []eval.Dataset, err error) tea.Cmd {
	if err != nil {
		return widget.NotifyCmd(widget.Problem, "read the datasets: "+err.Error())
	}
	want := m.list.SetDatasets(all)
	want = cmp.Or(m.list.wanted, want)
	if m.cards.board != nil || m.list.loading != "" || m.list.err != nil || m.who == "" || want == "" {
		return readOverview(m)
	}
	return m.openDataset(want)
}

// openDataset reads a dataset, once what waits is saved: a board that was opened before
// would not know of it. What is refused waits for that very board.
func (m *Model) openDataset(d eval.DatasetName) tea.Cmd {
	m.list.loading, m.list.wanted, m.list.err = d, "", nil
	ctx, source, journal, who := m.ctx, m.deps.Source, m.deps.Journal, m.who
	return func() tea.Msg {
		var open Opening
		err := journal.SyncStream(ctx, curation.Stream{Dataset: d, Expert: who})
		if err == nil || errors.Is(err, annotate.ErrConflict) {
			open, err = source.Open(ctx, d, who)
		}
		return outcome(func() tea.Cmd {
			if who != m.who || d != m.list.loading {
				return nil
			}
			return m.handleOpened(d, open, err)
		})
	}
}

func awaitJournalNews(m *Model) tea.Cmd {
	mark, ctx := m.deps.Journal.Changed(), m.ctx
	return func() tea.Msg {
		select {
		case <-mark:
			return outcome(func() tea.Cmd { return tea.Batch(m.takeJournalState(), awaitJournalNews(m)) })
		case <-ctx.Done():
			return nil
		}
	}
}

// goToCard shows a card of those that are shown; one behind the last shows none.
func (m *Model) goToCard(at int) tea.Cmd {
	m.cards.at, m.top, m.Picture, m.sample.others = max(0, min(at, len(m.cards.shown))), 0, 0, nil
	m.timer.StartItem(m.deps.Now())
	return m.readAndDrawPictures()
}

// GoBack leaves one level: a mode, the filter, the dataset.
func (m *Model) GoBack() bool {
	switch {
	case m.Mode == naming || m.cards.board == nil:
		return false
	case m.Mode == annotation.Noting:
		m.submitNote("")
	case m.Mode != annotation.Reading:
		m.Mode = annotation.Reading
	case m.cards.filter.isFiltering(m.cards.settle):
		m.cards.filter = candidateFilter{state: initialFilter(m.cards.settle)}
		m.goToCard(m.cards.reapplyFilter())
	default:
		return false
	}
	return true
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool {
	switch m.Mode {
	case naming, filtering, placing, annotation.Noting:
		return true
	default:
		return false
	}
}

// KeepDraft hands a note that is being typed to the journal; the root asks for it before it ends.
func (m *Model) KeepDraft() {
	if m.Mode == annotation.Noting {
		m.submitNote("")
	}
}

// CopyText gives the id of the candidate in front.
func (m *Model) CopyText() (what, text string) {
	if c := m.cards.currentCard(); c != nil {
		return "the sample's id", string(c.Sample.ID)
	}
	return "", ""
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	if m.cards.board == nil {
		return keymap.CurateDatasets
	}
	return eval.Either(m.Mode == annotation.Zooming, keymap.CuratePicture, keymap.Curate)
}

// guideline names keys in braces.
//
//go:embed guideline.md
var guideline string

// frontState is what the frame has in front. It changes with everything that a key may be meant for.
type frontState struct {
	of                  *Model
	who                 annotate.Annotator
	dataset             eval.DatasetName
	at                  int
	sample              eval.Ordinal
	mode                action.Mode
	acts, width, height int
}

// ItemInFront is the candidate in front with what keys mean, to be compared; nil: no dataset is open.
func (m *Model) ItemInFront() any {
	if m.cards.board == nil || m.list.loading != "" || m.size.height < headLines+footLines+verdictLines(m.size.width)+1 {
		return nil
	}
	f := frontState{
		of: m, who: m.who, dataset: m.cards.board.Dataset(), at: m.cards.at, mode: m.Mode,
		acts: m.journal.submitted, width: m.size.width, height: m.size.height,
	}
	if m.cards.whyNoCard() == "" {
		f.sample = m.cards.currentCard().Sample.Ordinal
	}
	return f
}

// RecordsOnKey reports whether a key records something now.
func (m *Model) RecordsOnKey(key string) bool {
	return m.Mode == placing && key == "enter" || m.table.RecordsOnKey(m.Mode, key)
}

// readAndDrawPictures has the pictures of the next cards read, and that in front drawn for the room that it has.
func (m *Model) readAndDrawPictures() tea.Cmd {
	if m.cards.board == nil || m.size.width == 0 {
		return nil
	}
	return tea.Batch(m.pictures.readNextPictures(m.Picture), m.gallery.DrawFrontPicture())
}
