package guideline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx   context.Context
	deps  Deps
	theme *widget.Theme
	keys  keys

	width, height int
	loaded        bool
	err           error // why the guideline cannot be read
	history       History
	at            int // the version in view
	top           int // the first line of it that is seen
	editor        *editor
	saved         time.Time // when the last version of this page was stored; zero: none was
}

// editor is the next version while it is written.
type editor struct {
	area  textarea.Model
	trail trail
	began string // what it began with
	why   string // why it was not saved
	busy  bool
}

// read is the message that the guideline was read.
type read struct {
	of      *Model
	history History
	err     error
}

// New makes the page. It reads nothing yet. ctx is that of the app: a version
// that is being stored when the page is left is stored.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
}

// Init reads the guideline.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads it again: somebody else may have written.
func (m *Model) Refresh() tea.Cmd {
	ctx, source, q := m.ctx, m.deps.Source, m.deps.Queue
	return func() tea.Msg {
		h, err := source.History(ctx, q)
		return read{m, h, err}
	}
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.fit()
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.editor != nil }

// Back leaves the editor. What was written in it is there when it is opened
// again.
func (m *Model) Back() bool {
	if m.editor == nil {
		return false
	}
	m.Keep()
	m.editor = nil
	return true
}

// Keep puts what is being written among the drafts.
func (m *Model) Keep() {
	if m.editor == nil {
		return
	}
	text := m.editor.area.Value()
	m.deps.Drafts.keep(m.deps.Queue, text)
	if text == m.editor.began {
		m.deps.Drafts.Stored(m.deps.Queue, strings.TrimSpace(text))
	}
}

// Close leaves the page.
func (m *Model) Close() { m.Keep() }

// Copied is the version in view.
func (m *Model) Copied() (what, text string) { return "the guideline", m.text() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case read:
		if msg.of == m {
			m.take(msg)
		}
	case Written:
		if msg.Queue == m.deps.Queue {
			return m.written(msg)
		}
	}
	return nil
}

// take takes the versions up. The one in view stays, unless it is the one that
// was in force.
func (m *Model) take(msg read) {
	if m.err = msg.err; msg.err != nil {
		return
	}
	newest := m.at == len(m.history.Versions)-1
	if m.history = msg.history; !m.loaded || newest {
		m.at = len(m.history.Versions) - 1
	}
	m.loaded = true
}

// inForce is the version that labels are made under now.
func (m *Model) inForce() annotate.Guideline {
	if n := len(m.history.Versions); n > 0 {
		return m.history.Versions[n-1]
	}
	return annotate.Guideline{}
}

// text is the version in view; without any, the standard guideline.
func (m *Model) text() string {
	switch {
	case m.at >= 0 && m.at < len(m.history.Versions):
		return m.history.Versions[m.at].Text
	case m.history.Pairs:
		return labeloption.VoteGuideline(func(key string) string { return m.Spelled(key + "@" + string(keymap.Votes)) })
	case m.history.Scores:
		return labeloption.ScoreGuideline
	}
	return labeloption.LabelGuideline
}

// write opens the editor: on what was begun, else on the version in view.
func (m *Model) write() tea.Cmd {
	if why := m.noWrite(); why != "" {
		return tell(m.Keyed("{e}: " + why))
	}
	e := &editor{began: m.text()}
	text, begun := m.deps.Drafts.Of(m.deps.Queue)
	if !begun {
		text = e.began
	}
	e.area = widget.Multiline(text)
	if !begun {
		e.began = e.area.Value() // tabs are spaces here
	}
	e.area.Focus()
	m.editor, m.top = e, 0
	m.fit()
	for e.area.Line() > 0 { // one reads from the top
		e.area.CursorUp()
	}
	e.area.CursorStart()
	return nil
}

// fit gives the text the width that it is shown in: up and down move by lines
// as they are seen.
func (m *Model) fit() {
	if m.editor != nil {
		m.editor.area.SetWidth(m.measure() + 1)
		m.editor.area.SetHeight(200)
	}
}

// save makes what is written the version in force.
func (m *Model) save() tea.Cmd {
	e := m.editor
	next, err := m.inForce().Next(e.area.Value(), m.deps.Who, m.deps.Now())
	switch {
	case errors.Is(err, annotate.ErrSameGuideline):
		e.why = fmt.Sprintf("this is version %d already: nothing has been changed", m.inForce().Version)
		return nil
	case err != nil:
		e.why = err.Error()
		return nil
	}
	e.busy, e.why = true, ""
	ctx, source, q := m.ctx, m.deps.Source, m.deps.Queue
	return func() tea.Msg { return Written{Queue: q, Guideline: next, Err: source.Write(ctx, q, next)} }
}

// written follows a version that was stored, here or by somebody else who works
// in this app, or could not be.
func (m *Model) written(msg Written) tea.Cmd {
	if msg.Elsewhere { // what is in view, or is being written here, stays
		return m.Refresh()
	}
	e := m.editor
	mine := e != nil && e.busy
	switch {
	case msg.Err == nil:
		m.saved = m.deps.Now()
		if mine {
			m.Keep()
			m.editor = nil
		}
		m.deps.Drafts.Stored(msg.Queue, msg.Guideline.Text)
		m.at, m.top = len(m.history.Versions)-1, 0 // so that the new one comes in view
	case mine:
		e.busy, e.why = false, msg.Err.Error()
		if errors.Is(msg.Err, annotate.ErrConflict) {
			e.why = "somebody else has written a version meanwhile, which is kept: ctrl+s once more makes this one the next"
		}
	}
	return m.Refresh()
}

func tell(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Info, Text: text} }
}
