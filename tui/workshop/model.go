package workshop

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
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
	reading       int // answers to earlier reads are late
	loaded        bool
	err           error
	bench         Bench
	at            widget.Cursor
	editor        *form.Editor     // nil: none is open
	asking        *widget.Question // nil: nothing is asked
	busy          bool             // something is under way
	ticking       bool
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the page. It reads nothing yet. ctx is that of the app.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, moves: widget.NewMoves()}
	m.bench.Queue = d.Queue
	m.table = keyActions{m}.actionTable()
	return m
}

// Init reads what was tried.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads it again.
func (m *Model) Refresh() tea.Cmd {
	m.reading++
	ctx, source, n, q, judge := m.ctx, m.deps.Source, m.reading, m.bench.Queue, m.bench.Judge
	return func() tea.Msg {
		b, err := source.ReadTrials(ctx, q, judge)
		return outcome(func() tea.Cmd {
			if n != m.reading {
				return nil
			}
			return m.handleRead(b, err)
		})
	}
}

// handleRead takes up what was read. The candidate in front stays there.
func (m *Model) handleRead(b Bench, err error) tea.Cmd {
	if m.err = err; err != nil {
		return nil
	}
	was := m.currentCandidate()
	m.bench = b
	at := len(b.Candidates) - 1
	if was != nil {
		at = slices.IndexFunc(b.Candidates, func(c Candidate) bool { return c.Name == was.Name })
	}
	m.loaded = true
	m.at.MoveTo(max(0, at), len(b.Candidates), m.listHeight())
	if m.ticking || !slices.ContainsFunc(b.Candidates, func(c Candidate) bool { return c.Working != "" }) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd {
			m.ticking = false
			return m.Refresh()
		})
	})
}

// currentCandidate is the candidate under the cursor; nil without one.
func (m *Model) currentCandidate() *Candidate {
	if m.at.At < 0 || m.at.At >= len(m.bench.Candidates) {
		return nil
	}
	return &m.bench.Candidates[m.at.At]
}

// orderForPart is the candidate under the cursor on a part.
func (m *Model) orderForPart(heldOut bool) Order {
	return Order{Queue: m.bench.Queue, Judge: m.bench.Judge, Prompt: m.currentCandidate().Text, HeldOut: heldOut}
}

// Close leaves the page.
func (m *Model) Close() { m.KeepDraft() }

// KeepDraft keeps what is being written, whatever ends the page.
func (m *Model) KeepDraft() {
	if m.editor == nil || m.editor.Text() == m.editor.Began {
		return
	}
	m.bench.Draft = m.editor.Text()
	_ = m.deps.Source.KeepDraft(m.bench.Queue, m.bench.Judge, m.bench.Draft) // on the way out nobody is told
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.MoveTo(m.at.At, len(m.bench.Candidates), m.listHeight())
	if m.editor != nil {
		m.editor.FitWidth(m.textWidth())
	}
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.editor != nil }

// IsAsking reports whether a question waits for an answer.
func (m *Model) IsAsking() bool { return m.asking != nil }

// GoBack leaves the question or the editor. What was written in it is there when it is opened again.
func (m *Model) GoBack() bool {
	switch {
	case m.asking != nil:
		m.asking = nil
	case m.editor != nil:
		m.KeepDraft()
		m.editor = nil
	default:
		return false
	}
	return true
}

// CopyText gives the prompt under the cursor.
func (m *Model) CopyText() (what, text string) {
	if c := m.currentCandidate(); c != nil && c.Text != "" {
		return "the prompt", c.Text
	}
	return "", ""
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return action.HandleMsg[outcome](msg, m.handleKey) }

// runThenRefresh does something beside the screen, one thing at a time, and reads again what there
// is. What it gives to say is said.
func (m *Model) runThenRefresh(do func(ctx context.Context) (said string, err error)) tea.Cmd {
	m.busy = true
	ctx := m.ctx
	return func() tea.Msg {
		said, err := do(ctx)
		return outcome(func() tea.Cmd {
			m.busy = false
			switch {
			case err != nil:
				return tea.Batch(widget.NotifyCmd(widget.Problem, err.Error()), m.Refresh())
			case said != "":
				return tea.Batch(widget.NotifyCmd(widget.Info, said), m.Refresh())
			}
			return m.Refresh()
		})
	}
}

// askAboutCost shows what an order costs, and begins with it where that is agreed to. What
// is asked already needs no call: then goes on.
func (m *Model) askAboutCost(o Order, then func() tea.Cmd) tea.Cmd {
	m.busy = true
	ctx, source, name := m.ctx, m.deps.Source, m.currentCandidate().Name
	return func() tea.Msg {
		cost, err := source.Estimate(ctx, o)
		return outcome(func() tea.Cmd {
			m.busy = false
			switch {
			case err != nil:
				return widget.NotifyCmd(widget.Problem, err.Error())
			case cost == "":
				return then()
			}
			part := eval.Either(o.HeldOut, "the held-out part", "the development part")
			m.asking = &widget.Question{Title: "Ask " + widget.CleanLine(o.Judge), Text: "Prompt " + m.shortName(name) + " reads " + part + " of queue " + widget.CleanLine(string(o.Queue)) + ": " + cost + ".", Yes: "ask", No: "ask nothing", Do: func() tea.Cmd {
				return m.runThenRefresh(func(ctx context.Context) (string, error) { return "", source.Start(ctx, o) })
			}}
			return nil
		})
	}
}

// keepPrompt keeps what is written as a prompt, and shows what asking by it costs.
func (m keyActions) keepPrompt() tea.Cmd {
	o := Order{Queue: m.bench.Queue, Judge: m.bench.Judge, Prompt: strings.TrimRight(m.editor.Text(), " \n") + "\n"}
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		name, err := source.KeepPrompt(ctx, o)
		if err == nil {
			err = source.KeepDraft(o.Queue, o.Judge, "")
		}
		return outcome(func() tea.Cmd {
			if err != nil {
				if m.editor != nil {
					m.editor.Why = err.Error()
				}
				return nil
			}
			m.editor, m.bench.Draft = nil, ""
			if !slices.ContainsFunc(m.bench.Candidates, func(c Candidate) bool { return c.Name == name }) {
				m.bench.Candidates = append(m.bench.Candidates, Candidate{Name: name, Text: o.Prompt})
			}
			at := slices.IndexFunc(m.bench.Candidates, func(c Candidate) bool { return c.Name == name })
			m.at.MoveTo(at, len(m.bench.Candidates), m.listHeight())
			return tea.Batch(widget.NotifyCmd(widget.Info, "saved as "+m.shortName(name)), m.askAboutCost(o, m.Refresh))
		})
	}
}
