package guideline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
	"concord/tui/form"
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
	moves widget.Moves
	table action.Table

	width, height int
	loaded        bool
	err           error // why the guideline cannot be read
	history       History
	at            int // the version in view
	top           int // the first line of it that is seen
	editor        *guidelineEditor
	edits         int       // so far; a draft is kept once none has come for a while
	unkept        bool      // something was typed since it was
	saved         time.Time // when the last version of this page was stored; zero: none was
}

// guidelineEditor is the next version while it is written.
type guidelineEditor struct {
	*form.Editor

	busy bool
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the page. It reads nothing yet. ctx is that of the app: a version
// that is being stored when the page is left is stored.
func New(ctx context.Context, d Deps) *Model {
	d.Pause = cmp.Or(d.Pause, time.Second)
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, moves: widget.NewMoves()}
	m.table = keyActions{m}.actionTable()
	return m
}

// Init reads the guideline.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads it again: somebody else may have written.
func (m *Model) Refresh() tea.Cmd {
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		draft := "" // what this person had begun to write, as it was kept
		history, err := d.Source.History(ctx, d.Queue)
		if err == nil && d.Who != "" {
			draft, err = d.Source.Draft(ctx, d.Queue, d.Who)
		}
		return outcome(func() tea.Cmd {
			m.takeVersions(history, draft, err)
			return nil
		})
	}
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.fitText()
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.editor != nil }

// GoBack leaves the editor. What was written in it is there when it is opened again.
func (m *Model) GoBack() bool {
	if m.editor == nil {
		return false
	}
	m.keepDraftInMemory()
	m.editor = nil
	return true
}

// KeepDraft keeps what is being written, whatever ends the page.
func (m *Model) KeepDraft() {
	if m.keepDraftInMemory(); m.unkept {
		m.storeDraft()()
	}
}

// keepDraftInMemory puts what is being written among the drafts.
func (m *Model) keepDraftInMemory() {
	if m.editor == nil {
		return
	}
	text := m.editor.Text()
	m.deps.Drafts.setDraft(m.deps.Queue, text)
	if text == m.editor.Began {
		m.deps.Drafts.DropStored(m.deps.Queue, strings.TrimSpace(text))
	}
}

// Close leaves the page.
func (m *Model) Close() { m.KeepDraft() }

// CopyText gives the version in view.
func (m *Model) CopyText() (what, text string) { return "the guideline", m.textInView() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		return msg()
	case Written:
		if msg.Queue == m.deps.Queue {
			return m.handleWritten(msg)
		}
	}
	return nil
}

// takeVersions takes the versions up. The one in view stays, unless it is the one that was in force.
func (m *Model) takeVersions(history History, draft string, err error) {
	if m.err = err; err != nil {
		return
	}
	if _, begun := m.deps.Drafts.DraftForQueue(m.deps.Queue); !m.loaded && !begun && draft != "" {
		m.deps.Drafts.setDraft(m.deps.Queue, draft)
	}
	newest := m.at == len(m.history.Versions)-1
	if m.history = history; !m.loaded || newest {
		m.at = len(m.history.Versions) - 1
	}
	m.loaded = true
}

// versionInForce is the version that labels are made under now.
func (m *Model) versionInForce() annotate.Guideline {
	if n := len(m.history.Versions); n > 0 {
		return m.history.Versions[n-1]
	}
	return annotate.Guideline{}
}

// textInView is the version in view; without any, the standard guideline.
func (m *Model) textInView() string {
	switch {
	case m.at >= 0 && m.at < len(m.history.Versions):
		return m.history.Versions[m.at].Text
	case m.history.Pairs:
		return labeloption.VoteGuideline(func(key string) string { return m.SpellKey(key + "@" + string(keymap.Votes)) })
	case m.history.Scores:
		return labeloption.ScoreGuideline
	}
	return labeloption.LabelGuideline
}

// openEditor opens the editor: on what was begun, else on the version in view.
func (m keyActions) openEditor(string) tea.Cmd {
	m.editor = &guidelineEditor{Editor: form.NewEditor(m.textInView())}
	if text, begun := m.deps.Drafts.DraftForQueue(m.deps.Queue); begun {
		m.editor.Editor = form.NewEditor(text)
		m.editor.Began = m.textInView()
	}
	m.fitText()
	return nil
}

// fitText gives the text the width that it is shown in: up and down move by lines as they are seen.
func (m *Model) fitText() {
	if m.editor != nil {
		m.editor.FitWidth(textWidth(m))
	}
}

// storeVersion makes what is written the version in force.
func (m keyActions) storeVersion() tea.Cmd {
	e := m.editor
	next, err := m.versionInForce().NextVersion(e.Text(), m.deps.Who, m.deps.Now())
	switch {
	case errors.Is(err, annotate.ErrSameGuideline):
		e.Why = fmt.Sprintf("this is version %d already: nothing has been changed", m.versionInForce().Version)
		return nil
	case err != nil:
		e.Why = err.Error()
		return nil
	}
	e.busy, e.Why = true, ""
	ctx, source, q := m.ctx, m.deps.Source, m.deps.Queue
	return func() tea.Msg { return Written{Queue: q, Guideline: next, Err: source.StoreVersion(ctx, q, next)} }
}

// keepDraftLater follows a change of the text: it is kept once nothing has been typed for a while.
func (m *Model) keepDraftLater() tea.Cmd {
	m.edits++
	m.unkept = true
	edits := m.edits
	return tea.Tick(m.deps.Pause, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd {
			if edits != m.edits || !m.unkept {
				return nil
			}
			m.keepDraftInMemory()
			return m.storeDraft()
		})
	})
}

// storeDraft keeps beyond the process what has been written; nothing, where that is a version by now.
func (m *Model) storeDraft() tea.Cmd {
	m.unkept = false
	ctx, d := context.WithoutCancel(m.ctx), m.deps // whatever ends the app
	text, _ := d.Drafts.DraftForQueue(d.Queue)
	return func() tea.Msg {
		err := d.Source.KeepDraft(ctx, d.Queue, d.Who, text)
		return outcome(func() tea.Cmd {
			if err != nil && m.editor != nil {
				m.editor.Why = "the draft is not kept: " + err.Error()
			}
			return nil
		})
	}
}

// handleWritten follows a version that was stored, here or by somebody else in this app, or was not.
func (m *Model) handleWritten(msg Written) tea.Cmd {
	if msg.Elsewhere { // what is in view, or is being written here, stays
		return m.Refresh()
	}
	e := m.editor
	mine := e != nil && e.busy
	switch {
	case msg.Err == nil:
		m.saved = m.deps.Now()
		if mine {
			m.keepDraftInMemory()
			m.editor = nil
		}
		m.deps.Drafts.DropStored(msg.Queue, msg.Guideline.Text)
		m.at, m.top = len(m.history.Versions)-1, 0 // so that the new one comes in view
		return tea.Batch(m.Refresh(), m.storeDraft())
	case mine:
		e.busy, e.Why = false, msg.Err.Error()
		if errors.Is(msg.Err, annotate.ErrConflict) {
			e.Why = "somebody else has written a version meanwhile, which is kept: saving once more makes this one the next"
		}
	}
	return m.Refresh()
}
