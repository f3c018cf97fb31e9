package review

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// mode is what keys mean now. The zero value is reading: one key labels.
type mode uint8

const (
	reading  mode = iota
	picking       // several options, for an ambiguous answer
	noting        // typing a note: keys are text
	guiding       // the guideline is open
	zooming       // the picture fills the screen
	revealed      // the machine's readings are open
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	ctx    context.Context
	cancel context.CancelFunc
	deps   Deps
	theme  *widget.Theme
	table  []action

	width, height int
	sized         chan struct{} // one-slot mark that the size has changed

	session *annotate.Session // nil until the queue is open
	growing bool
	known   int // items of the queue that the session was told of
	asking  bool
	again   bool // the queue changed while it was being read
	err     error

	pages   pages
	shots   shots
	typed   []tea.KeyMsg // pressed before the item in front was there
	saving  annotate.JournalState
	refusal string // why the last key did nothing
	timer   timer

	mode    mode
	focus   pane
	top     [panes]int // first line shown of each pane
	picture int        // which of the item's pictures
	picked  map[eval.Choice]bool
	note    textinput.Model
	reveal  reveal
	summary summary
}

// pane is a part of the screen that scrolls.
type pane uint8

const (
	answerPane   pane = iota // the prediction
	questionPane             // question and options, when they do not fit
	panelPane                // guideline or readings
	panes
)

// New makes the screen of one annotator in one queue. It reads nothing before
// Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{
		ctx: ctx, cancel: cancel, deps: d, theme: d.Theme,
		pages: newPages(), shots: newShots(), note: newNote(d.Theme),
		sized: make(chan struct{}, 1),
	}
	m.table = actions()
	return m
}

func newNote(t *widget.Theme) textinput.Model {
	n := textinput.New()
	n.Prompt = ""
	n.CharLimit = 2000
	// bubbles style from the default renderer unless told otherwise (bubbles #403).
	n.TextStyle, n.PromptStyle, n.PlaceholderStyle = t.Text, t.Accent, t.Faint
	n.Cursor.SetMode(cursor.CursorStatic)
	n.Cursor.Style, n.Cursor.TextStyle = t.Strong, t.Text
	return n
}

// Init opens the queue and listens to the journal.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.open(), m.listen(), m.resized()) }

// Close ends what is under way. Acts are with the journal already.
func (m *Model) Close() { m.cancel() }

// Resize sets the size in cells. What takes time to fit to it follows by a
// command, which waits for the mark that is set here.
func (m *Model) Resize(width, height int) {
	if m.width == width && m.height == height {
		return
	}
	m.width, m.height = width, height
	m.note.Width = max(1, width-12)
	select {
	case m.sized <- struct{}{}:
	default:
	}
}

// Refresh reads what was enrolled since, while the queue grows.
func (m *Model) Refresh() tea.Cmd {
	if m.session == nil || !m.growing {
		return m.prepare()
	}
	if m.asking {
		m.again = true
		return nil
	}
	return tea.Batch(m.since(), m.prepare())
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.mode == noting }

// Back leaves one level: a panel or a mode. A note that was being typed is
// kept as it stands.
func (m *Model) Back() bool {
	switch m.mode {
	case reading:
		if m.focus == questionPane {
			m.focus = answerPane
			return true
		}
		return false
	case noting:
		m.keepNote()
	case picking, guiding, zooming, revealed:
	}
	m.mode = reading
	return true
}

// Update takes a message, and then the keys that waited for their item:
// whatever came may have brought it to the front.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	if len(m.typed) == 0 {
		return cmd
	}
	return tea.Batch(cmd, m.replay())
}

// update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m.press(msg)
	case opened:
		if msg.of == m {
			return m.begin(msg)
		}
	case grown:
		if msg.of == m {
			return m.grow(msg)
		}
	case loaded:
		if msg.of == m {
			return m.take(msg)
		}
	case refit:
		if msg.of == m {
			return tea.Batch(m.prepare(), m.resized())
		}
	case drawn:
		if msg.of == m {
			m.shots.put(msg.key, msg.lines)
		}
	case indexed:
		if msg.of == m {
			m.pages.index(msg)
		}
	case heard:
		if msg.of == m {
			return tea.Batch(m.hear(msg), m.listen())
		}
	case shown:
		if msg.of == m {
			return m.unveil(msg)
		}
	case compared:
		if msg.of == m {
			m.summary.take(msg)
		}
	}
	return nil
}

// begin starts to work in the queue that was opened.
func (m *Model) begin(msg opened) tea.Cmd {
	m.err = msg.err
	if msg.err != nil {
		return nil
	}
	m.session, m.known, m.growing = msg.session, msg.known, msg.session.Queue().Growing
	m.saving = m.deps.Journal.State()
	return m.moved()
}

// grow takes new items up. The item in front stays there.
func (m *Model) grow(msg grown) tea.Cmd {
	m.asking = false
	if msg.err != nil {
		return notify(widget.Problem, "read queue: "+msg.err.Error())
	}
	before := m.front()
	m.growing = msg.queue.Growing
	m.session.SetQueue(msg.queue)
	m.known += len(msg.items)
	m.session.Grow(msg.items)
	var cmds []tea.Cmd
	if m.again && m.growing {
		m.again = false
		cmds = append(cmds, m.since())
	}
	if m.front() != before {
		return tea.Batch(append(cmds, m.moved())...)
	}
	return tea.Batch(append(cmds, m.prepare())...)
}

// hear takes up where the journal stands.
func (m *Model) hear(msg heard) tea.Cmd {
	m.saving = msg.state
	if m.session == nil {
		return nil
	}
	before := m.front()
	if _, k, ok := m.session.Current(); ok && m.mode == noting &&
		slices.ContainsFunc(msg.late, func(a annotate.Act) bool { return a.Item == k }) {
		m.keepNote() // the item goes from under it
		m.mode = reading
	}
	late := m.session.Taken(msg.late)
	m.session.Saved(msg.saved)
	parked, failed := msg.state.Of(m.deps.Queue, m.deps.Annotator)
	if failed && m.session.Failure() == nil {
		if m.mode == noting { // the item goes from under it
			m.keepNote()
			m.mode = reading
		}
		m.session.Failed(parked.First, parked.Err)
	}
	var cmds []tea.Cmd
	if len(late) > 0 {
		cmds = append(cmds, notify(widget.Info, tooLate(len(late))))
	}
	if m.front() != before {
		cmds = append(cmds, m.moved())
	}
	return tea.Batch(cmds...)
}

// tooLate says kindly that somebody was quicker.
func tooLate(n int) string {
	return "somebody was quicker: " + widget.Plural(n, "item") + " had all labels already and left your list; nothing else is lost"
}

// front is the index of the item in front; -1 when there is none.
func (m *Model) front() int {
	if m.session != nil {
		if i, _, ok := m.session.Current(); ok {
			return i
		}
	}
	return -1
}

// moved follows a change of the item in front: panes start at their top, the
// clock starts anew, and what comes next is fetched.
func (m *Model) moved() tea.Cmd {
	m.mode, m.focus, m.picture = reading, answerPane, 0
	m.top, m.picked = [panes]int{}, nil
	m.reveal = reveal{}
	m.timer.start(m.deps.Now())
	m.pages.retry(m.front())
	return tea.Batch(m.prepare(), m.compare())
}

func notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: l, Text: text} }
}
