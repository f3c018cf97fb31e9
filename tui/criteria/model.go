package criteria

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	deps   Deps
	theme  *widget.Theme
	viewer *widget.Viewer
	table  []action
	who    annotate.Annotator
	hidden hidden
	name   textinput.Model

	width, height int
	listening     bool

	datasets []eval.Dataset
	known    bool // the datasets were read
	shelf    widget.Cursor
	wanted   eval.DatasetName // to open as soon as it is known
	dataset  eval.DatasetName // open; "": one is to be chosen
	loading  bool
	err      error
	news     int // samples more than were read

	rows   []Row
	index  map[eval.Ordinal]int
	list   list
	sizes  map[eval.PictureHash]measured
	hays   map[eval.Ordinal]string // what the filter looks in
	stale  map[eval.Ordinal]bool   // being read again: nothing can be done on them
	done   [][]eval.Ordinal        // samples of the steps of this sitting, the last one last
	undone [][]eval.Ordinal
	saving criteria.WriterState

	page *page // nil: the list is shown
	form *form // open over both; nil for none
	kept map[string][]string
	lost map[eval.Ordinal][]criteria.Criterion // drafts that could not be saved
	mark map[eval.Ordinal]ticks                // of reviews that are not given yet
}

type (
	// shelved is the datasets that were read.
	shelved struct {
		of       *Model
		datasets []eval.Dataset
		err      error
	}
	// filled is a dataset's rows that were read.
	filled struct {
		of      *Model
		dataset eval.DatasetName
		rows    []Row
		err     error
	}
	// heard is the mark of the writer.
	heard struct{ of *Model }
	// reread is a set that was read again.
	reread struct {
		of  *Model
		set criteria.Set
		err error
	}
)

// New makes the screen. It reads nothing before Enter.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{
		ctx: ctx, deps: d, theme: d.Theme, viewer: widget.NewViewer(d.Theme), name: newName(d.Theme), table: actions(),
		index: make(map[eval.Ordinal]int), sizes: make(map[eval.PictureHash]measured),
		hays: make(map[eval.Ordinal]string), stale: make(map[eval.Ordinal]bool), kept: make(map[string][]string),
		lost: make(map[eval.Ordinal][]criteria.Criterion), mark: make(map[eval.Ordinal]ticks),
	}
	m.list = newList(d.Theme)
	return m
}

// SetAnnotator says who works.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != "" && who != m.who { // what was begun is the other one's
		m.done, m.undone = nil, nil
		m.kept, m.mark = make(map[string][]string), make(map[eval.Ordinal]ticks)
	}
	m.who = who
	if who == "" {
		m.name.Reset()
		m.name.Focus()
	} else {
		m.name.Blur()
	}
	m.count()
}

// Open has a dataset opened once the screen is seen.
func (m *Model) Open(d eval.DatasetName) { m.wanted = d }

// Init reads the datasets.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Enter comes in: the screen reads which datasets there are.
func (m *Model) Enter() tea.Cmd {
	if m.deps.Source == nil {
		return nil
	}
	cmds := []tea.Cmd{m.shelve(), m.veil()}
	if !m.listening {
		m.listening = true
		cmds = append(cmds, m.listen())
	}
	return tea.Batch(cmds...)
}

// Refresh looks whether the open dataset has grown; the list itself stays as
// it is until it is asked for.
func (m *Model) Refresh() tea.Cmd {
	if m.deps.Source == nil || !m.known {
		return nil
	}
	cmds := []tea.Cmd{m.shelve(), m.draw()}
	if h := &m.hidden; !h.known || h.who != m.who {
		cmds = append(cmds, m.veil())
	}
	return tea.Batch(cmds...)
}

func (m *Model) shelve() tea.Cmd {
	source := m.deps.Source
	return func() tea.Msg {
		all, err := source.Datasets()
		return shelved{m, all, err}
	}
}

func (m *Model) listen() tea.Cmd {
	mark, ctx := m.deps.Writer.Changed(), m.ctx
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
	case filled:
		if msg.of == m {
			return m.take(msg)
		}
	case veiled:
		if msg.of == m {
			return m.takeVeil(msg)
		}
	case heard:
		if msg.of == m {
			return tea.Batch(m.hear(), m.listen())
		}
	case reread:
		if msg.of == m {
			return m.correct(msg)
		}
	case sized:
		if msg.of == m {
			m.takeSizes(msg)
		}
	case paused:
		return m.rested(msg)
	case opened:
		return m.illustrate(msg)
	case widget.Drawn:
		if m.viewer.Took(msg) {
			return m.draw()
		}
	case added:
		if msg.of == m {
			return m.replaced(msg)
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
		if d.Name == m.dataset {
			m.news = max(0, d.Samples-len(m.rows))
		}
	}
	m.shelf.Set(m.shelf.At, len(m.datasets), m.shelfHeight())
	if m.dataset != "" || m.loading {
		return nil
	}
	want := m.wanted
	m.wanted = ""
	if want == "" && len(m.datasets) == 1 {
		want = m.datasets[0].Name
	}
	if want == "" {
		return nil
	}
	return m.read(want)
}

// read reads a dataset, once what waits is saved: a set that was read before
// would not know of it.
func (m *Model) read(d eval.DatasetName) tea.Cmd {
	m.loading, m.err = true, nil
	ctx, source, writer := m.ctx, m.deps.Source, m.deps.Writer
	return func() tea.Msg {
		if err := writer.Flush(ctx); err != nil {
			return filled{of: m, dataset: d, err: err}
		}
		rows, err := source.Rows(ctx, d)
		return filled{m, d, rows, err}
	}
}

func (m *Model) take(msg filled) tea.Cmd {
	m.loading, m.err = false, msg.err
	if msg.err != nil {
		return notify(widget.Problem, fmt.Sprintf("read dataset %s: %v", msg.dataset, msg.err))
	}
	if m.dataset != msg.dataset {
		m.list, m.page, m.form, m.done, m.undone = newList(m.theme), nil, nil, nil, nil
	}
	m.dataset, m.rows, m.news = msg.dataset, msg.rows, 0
	clear(m.index)
	clear(m.stale)
	clear(m.hays)
	for i := range m.rows {
		m.index[m.rows[i].Sample.Ordinal] = i
	}
	if m.page != nil && m.page.editor == nil {
		if i, ok := m.index[m.page.sample]; ok {
			m.page.at = i
		} else {
			m.page = nil
		}
	}
	m.survey()
	m.rebuild()
	return tea.Batch(m.measure(), m.veil())
}

// hear takes up where the writer stands, and reads again what it refused.
func (m *Model) hear() tea.Cmd {
	m.saving = m.deps.Writer.State()
	var cmds []tea.Cmd
	for _, r := range m.deps.Writer.Refused() {
		a := r.Acts[0]
		i, ok := m.index[a.Sample]
		if !ok || a.Dataset != m.dataset {
			cmds = append(cmds, notify(widget.Problem, fmt.Sprintf("NOT SAVED: %s on a sample of %s: %v", did(&a), a.Dataset, r.Err)))
			continue
		}
		m.stale[a.Sample] = true
		if p := m.page; p != nil && p.editor != nil && p.sample == a.Sample {
			p.editor.refused(r.Err)
		}
		cmds = append(cmds, m.readAgain(a.Sample),
			notify(widget.Problem, fmt.Sprintf("NOT SAVED: %s on sample %s: %v. What is shown is read again", did(&a), m.rows[i].Sample.ID, r.Err)))
	}
	if p := m.page; p != nil && p.editor != nil {
		m.catchUp()
	}
	return tea.Batch(cmds...)
}

func (m *Model) readAgain(o eval.Ordinal) tea.Cmd {
	source, d := m.deps.Source, m.dataset
	return func() tea.Msg {
		set, err := source.Set(d, o)
		return reread{m, set, err}
	}
}

// correct puts a set that was read again in its place.
func (m *Model) correct(msg reread) tea.Cmd {
	i, ok := m.index[msg.set.Sample]
	if !ok || msg.set.Dataset != m.dataset {
		return nil
	}
	if msg.err != nil {
		return notify(widget.Problem, "read the criteria again: "+msg.err.Error())
	}
	delete(m.stale, msg.set.Sample)
	m.rows[i].Set = msg.set
	m.survey()
	if p := m.page; p != nil && p.editor != nil && p.at == i {
		m.save(true)
	}
	return nil
}

// Keep hands what is being typed to the writer; the root asks for it before
// it ends.
func (m *Model) Keep() {
	if m.page != nil && m.page.editor != nil {
		m.save(true)
	}
}

func notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: l, Text: text} }
}
