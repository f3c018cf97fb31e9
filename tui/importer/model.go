package importer

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// importStep is how far somebody has come.
type importStep uint8

const (
	atMenu importStep = iota
	atFolder
	atPreview
	atWork
	atEnd
	atCheck
)

// Model is the screen. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	cancel context.CancelFunc
	deps   Deps
	theme  *widget.Theme
	keys   keys

	step importStep
	menu int

	reading bool

	form     importForm
	stop     context.CancelFunc // of the import
	come     *atomic.Int64      // how far it has come
	total    *atomic.Int64
	outcome  Outcome
	findings []Finding
	top      int   // first line shown of a long text
	err      error // why the last thing did not work
	size     *screenSize
	files    *fileChooser
	beside   glance
}

// glance is the beginning of the file under the cursor, beside the list of files.
type glance struct {
	path string // of that file; "": none is read
	stop context.CancelFunc
	form *importForm // nil until it is read
	err  error       // why it cannot be
}

// outcome takes what came of a command.
type outcome func()

// ticked asks for another look at the progress.
type ticked struct{ of *Model }

// New makes the screen. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, keys: newKeys(), size: &screenSize{}}
	m.files = &fileChooser{size: m.size}
	if d.Open {
		m.step = atFolder
	}
	return m
}

// Close ends what is under way.
func (m *Model) Close() { m.cancel() }

// Init reads the folder where a file is chosen first.
func (m *Model) Init() tea.Cmd {
	if m.step == atFolder {
		return m.readFolder("")
	}
	return nil
}

// Refresh has nothing to read again.
func (m *Model) Refresh() tea.Cmd { return nil }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.size.width, m.size.height = width, height }

// IsTyping reports whether keys are text, or answer a form: names, and what narrows a folder down.
func (m *Model) IsTyping() bool { return m.step == atFolder || m.step == atPreview }

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Begin }

// HasImported reports whether a file has been brought in and looked at: there is a project then.
func (m *Model) HasImported() bool { return m.step == atEnd }

// GoBack leaves one step.
func (m *Model) GoBack() bool {
	m.err = nil
	switch m.step {
	case atFolder:
		if m.files.filter != "" {
			m.files.applyFilter("")
			return true
		}
		m.step = atMenu
		return !m.deps.Open
	case atPreview:
		m.step = atFolder
	case atWork:
		m.stop() // the import tells how far it came
	case atCheck:
		m.step = atMenu
	case atEnd, atMenu:
		return false
	}
	return true
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return tea.Batch(m.handleKey(msg), m.readFileBeginning())
	case outcome:
		msg()
		return m.readFileBeginning()
	case ticked:
		if msg.of == m && m.step == atWork {
			return m.tickProgress()
		}
	}
	return nil
}

func (m *Model) readFolder(path string) tea.Cmd {
	m.reading = true
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		f, err := source.ListFolder(ctx, path)
		return outcome(func() { m.handleFolder(f, err) })
	}
}

// mostGlanced is how large a file is at most of which the beginning is read unasked.
const mostGlanced = 64 << 20

// readFileBeginning reads the beginning of the file under the cursor, given room beside the list.
func (m *Model) readFileBeginning() tea.Cmd {
	path := ""
	if e, ok := m.files.currentEntry(); ok && m.step == atFolder && m.size.isWide() && e.Likely && !e.Folder && e.Size <= mostGlanced {
		path = filepath.Join(m.files.folder.Path, e.Name)
	}
	if path == m.beside.path {
		return nil
	}
	if m.beside.stop != nil {
		m.beside.stop()
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.beside = glance{path: path, stop: stop}
	if path == "" {
		return nil
	}
	source := m.deps.Source
	return func() tea.Msg {
		p, err := source.PreviewFile(ctx, path)
		return outcome(func() {
			if m.beside.path != path {
				return // another one is under the cursor by now
			}
			f := newImportForm(m.theme, p)
			m.beside.form, m.beside.err = &f, err
		})
	}
}

func (m *Model) handleFolder(f Folder, err error) {
	m.reading, m.err = false, err
	if err == nil {
		m.files.folder = f
		m.files.applyFilter("")
	}
}

func (m *Model) previewFile(path string) tea.Cmd {
	m.reading, m.err = true, nil
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		p, err := source.PreviewFile(ctx, path)
		return outcome(func() { m.handlePreview(p, err) })
	}
}

func (m *Model) handlePreview(p Preview, err error) {
	m.reading, m.err = false, err
	if err != nil || m.step != atFolder {
		return
	}
	m.step = atPreview
	m.form = newImportForm(m.theme, p)
}

func (m *Model) importFile() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.step, m.stop, m.err = atWork, stop, nil
	m.come, m.total = new(atomic.Int64), new(atomic.Int64)
	source, order, come, total := m.deps.Source, m.form.orderOfForm(), m.come, m.total
	work := func() tea.Msg {
		defer stop()
		out, err := source.ImportFile(ctx, order, func(read, of int64) {
			come.Store(read)
			total.Store(of)
		})
		return outcome(func() { m.handleOutcome(out, err) })
	}
	return tea.Batch(work, m.tickProgress())
}

// tickProgress draws the progress anew, now and then.
func (m *Model) tickProgress() tea.Cmd {
	return tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg { return ticked{m} })
}

func (m *Model) handleOutcome(out Outcome, err error) {
	if m.err = err; err != nil {
		m.step = atPreview
		return
	}
	m.step, m.outcome, m.top = atEnd, out, 0
}

// diagnoseConnection looks after the connection.
func (m *Model) diagnoseConnection() tea.Cmd {
	m.step, m.reading, m.findings, m.err, m.top = atCheck, true, nil, nil, 0
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		f, err := source.DiagnoseConfig(ctx)
		return outcome(func() {
			if m.step == atCheck {
				m.reading, m.findings, m.err = false, f, err
			}
		})
	}
}

func sendDone(c Choice) tea.Cmd { return func() tea.Msg { return Done{c} } }

type keys struct {
	moves                                                             widget.Moves
	take, finish, again, connect, other, up, narrow, walk, open, stop key.Binding
	form                                                              form.Keys
}

func newKeys() keys {
	return keys{
		moves:   widget.NewMoves(),
		take:    keymap.Begin.BindJoined("choose", "open"),
		finish:  keymap.Begin.BindJoined("continue", "open"),
		other:   keymap.Begin.BindAction("import"),
		again:   keymap.Begin.BindAction("refresh"),
		connect: keymap.Begin.BindJoined("connect a model", "open"),
		up:      widget.NewBinding("←", "folder above", "left", "backspace"),
		narrow:  widget.NewBinding("a-z", "narrow down, or a path", "letters"),
		walk:    widget.NewBinding("↑↓", "choose", "up", "down"),
		open:    widget.NewBinding("enter", "open", "enter", "right"),
		form:    form.NewKeys().WithStartKey("import"),
		stop:    widget.NewBinding("esc", "stop", "esc"),
	}
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	k := &m.keys
	switch m.step {
	case atFolder:
		return []key.Binding{k.open, k.walk, k.up, k.narrow, k.form.Back}
	case atPreview:
		return k.form.KeysOfField(&m.form.formFields()[m.form.at])
	case atWork:
		return []key.Binding{k.stop}
	case atEnd:
		return []key.Binding{k.finish, k.other}
	case atCheck:
		return []key.Binding{k.connect, k.again, k.form.Back}
	case atMenu:
	}
	return []key.Binding{k.take, widget.NewBinding("↑↓", "choose", "up", "down")}
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	k := &m.keys
	return []widget.Group{
		{Title: "Begin", Keys: []key.Binding{k.take, k.connect, k.again, k.other}},
		{Title: "A folder", Keys: []key.Binding{k.open, k.up, k.narrow}},
		{Title: "What is imported", Keys: []key.Binding{k.form.Start, k.form.Fields, k.form.Change, k.stop}},
		{Title: "Move", Keys: k.moves.Bindings()},
	}
}
