package importer

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// step is how far somebody has come.
type step uint8

const (
	atMenu step = iota
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

	step step
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
	size     *layout
	files    *chooser
}

// The messages by which commands answer. of is the screen that asked.
type (
	listed struct {
		of     *Model
		folder Folder
		err    error
	}
	previewed struct {
		of      *Model
		preview Preview
		err     error
	}
	imported struct {
		of      *Model
		outcome Outcome
		err     error
	}
	checked struct {
		of       *Model
		findings []Finding
		err      error
	}
	ticked struct{ of *Model }
)

// New makes the screen. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, keys: newKeys(), size: &layout{}}
	m.files = &chooser{size: m.size}
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
		return m.list("")
	}
	return nil
}

// Refresh has nothing to read again.
func (m *Model) Refresh() tea.Cmd { return nil }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.size.width, m.size.height = width, height
}

// Typing reports whether keys are text, or answer a form: names, and what
// narrows a folder down.
func (m *Model) Typing() bool { return m.step == atFolder || m.step == atPreview }

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.Begin }

// Ended reports whether a file has been brought in and looked at: there is a
// project then.
func (m *Model) Ended() bool { return m.step == atEnd }

// Back leaves one step.
func (m *Model) Back() bool {
	m.err = nil
	switch m.step {
	case atFolder:
		if m.files.filter != "" {
			m.files.narrow("")
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

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case listed:
		if msg.of == m {
			m.takeFolder(msg)
		}
	case previewed:
		if msg.of == m {
			m.takePreview(msg)
		}
	case imported:
		if msg.of == m {
			m.takeOutcome(msg)
		}
	case checked:
		if msg.of == m && m.step == atCheck {
			m.reading, m.findings, m.err = false, msg.findings, msg.err
		}
	case ticked:
		if msg.of == m && m.step == atWork {
			return m.tick()
		}
	}
	return nil
}

// list reads a folder.
func (m *Model) list(path string) tea.Cmd {
	m.reading = true
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		f, err := source.Folder(ctx, path)
		return listed{m, f, err}
	}
}

func (m *Model) takeFolder(msg listed) {
	m.reading, m.err = false, msg.err
	if msg.err == nil {
		m.files.folder = msg.folder
		m.files.narrow("")
	}
}

// look reads the beginning of a file.
func (m *Model) look(path string) tea.Cmd {
	m.reading, m.err = true, nil
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		p, err := source.Preview(ctx, path)
		return previewed{m, p, err}
	}
}

func (m *Model) takePreview(msg previewed) {
	m.reading, m.err = false, msg.err
	if msg.err != nil || m.step != atFolder {
		return
	}
	m.step = atPreview
	m.form = newForm(m.theme, msg.preview)
}

// run imports what the form says.
func (m *Model) run() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.step, m.stop, m.err = atWork, stop, nil
	m.come, m.total = new(atomic.Int64), new(atomic.Int64)
	source, order, come, total := m.deps.Source, m.form.order(), m.come, m.total
	work := func() tea.Msg {
		defer stop()
		out, err := source.Import(ctx, order, func(read, of int64) {
			come.Store(read)
			total.Store(of)
		})
		return imported{m, out, err}
	}
	return tea.Batch(work, m.tick())
}

// tick draws the progress anew, now and then.
func (m *Model) tick() tea.Cmd {
	return tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg { return ticked{m} })
}

func (m *Model) takeOutcome(msg imported) {
	m.err = msg.err
	if msg.err != nil {
		m.step = atPreview
		return
	}
	m.step, m.outcome, m.top = atEnd, msg.outcome, 0
}

// check looks after the connection.
func (m *Model) check() tea.Cmd {
	m.step, m.reading, m.findings, m.err, m.top = atCheck, true, nil, nil, 0
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		f, err := source.Check(ctx)
		return checked{m, f, err}
	}
}

func done(c Choice) tea.Cmd { return func() tea.Msg { return Done{c} } }

type keys struct {
	moves                        widget.Moves
	take, finish, again, connect key.Binding
	other                        key.Binding
	up, narrow, walk, open, stop key.Binding
	form                         form.Keys
}

func newKeys() keys {
	return keys{
		moves:   widget.NewMoves(),
		take:    keymap.Begin.Join("take it", "open"),
		finish:  keymap.Begin.Join("continue", "open"),
		other:   keymap.Begin.Bind("import"),
		again:   keymap.Begin.Bind("refresh"),
		connect: keymap.Begin.Join("connect a model", "open"),
		up:      widget.Bind("←", "folder above", "left", "backspace"),
		narrow:  widget.Bind("a-z", "narrow down, or a path", "letters"),
		walk:    widget.Bind("↑↓", "choose", "up", "down"),
		open:    widget.Bind("enter", "open", "enter", "right"),
		form:    form.NewKeys().Starting("import"),
		stop:    widget.Bind("esc", "stop", "esc"),
	}
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := &m.keys
	switch m.step {
	case atFolder:
		return []key.Binding{k.open, k.walk, k.up, k.narrow, k.form.Back}
	case atPreview:
		return k.form.Of(&m.form.fields()[m.form.at])
	case atWork:
		return []key.Binding{k.stop}
	case atEnd:
		return []key.Binding{k.finish, k.other}
	case atCheck:
		return []key.Binding{k.connect, k.again, k.form.Back}
	case atMenu:
	}
	return []key.Binding{k.take, widget.Bind("↑↓", "choose", "up", "down")}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := &m.keys
	return []widget.Group{
		{Title: "Begin", Keys: []key.Binding{k.take, k.connect, k.again, k.other}},
		{Title: "A folder", Keys: []key.Binding{k.open, k.up, k.narrow}},
		{Title: "What is imported", Keys: []key.Binding{k.form.Start, k.form.Fields, k.form.Change, k.stop}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
