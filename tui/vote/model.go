package vote

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[pair]
	deps  Deps
	table annotation.Table[*Model]

	pair *pairView
}

// pane is a part of the screen that scrolls.
type pane uint8

const (
	firstPane   pane = iota // Answer 1; both answers, while they scroll together
	secondPane              // Answer 2
	contextPane             // question and criteria, when they do not fit
	panelPane               // guideline, or what was revealed
	panes
)

// New makes the screen of one annotator in one queue of pairs. It reads
// nothing before Init; Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{deps: d, table: actions(), pair: &pairView{space: d.Theme.Pane("votes")}}
	theme := d.Theme
	m.QueueSession = annotation.New(ctx, annotation.Deps{
		Queue: d.Queue, Annotator: d.Annotator, Theme: theme,
		Items: d.Items, Pictures: d.Pictures, Journal: d.Journal, Now: d.Now, Stay: d.Stay, Grace: d.Grace, Turns: d.Turns,
	}, annotation.Part[pair]{
		Lay: func(pg *annotation.Page, width, height int) (*pair, int, int) {
			p := read(pg)
			g := sizes{width, height, automatic, widget.NormalPane}.geometry(theme, p)
			return p, g.picture.cols, g.picture.rows
		},
		Fit: m.fit, ImageSize: m.room, Moved: m.moved,
		Press:   func(key string) annotation.Outcome { return m.table.Press(m, m.Mode, key) },
		Records: func(key string) bool { return m.table.Records(m.Mode, key) },
		Whole:   m.pair.whole,
		Said:    func(r annotate.Reading) string { return "vote for " + labeloption.VoteWord(r.Vote) },
	})
	m.pair.QueueSession = m.QueueSession
	m.pair.reveal = annotation.NewReveal[blind.RevealedPair](m.QueueSession)
	return m
}

// Back leaves one level: a pane or a mode.
func (m *Model) Back() bool {
	if m.Mode == annotation.Reading && m.pair.focus != firstPane {
		m.pair.focus = firstPane
		return true
	}
	return m.QueueSession.Back()
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(indexed); ok && msg.of == m {
		m.index(msg)
	}
	m.pair.reveal.Update(msg)
	return m.QueueSession.Update(msg)
}

// moved follows a change of the pair in front: panes start at their top. How
// answers are looked at stays as it is.
func (m *Model) moved() tea.Cmd {
	m.pair.focus, m.pair.top = firstPane, [panes]int{}
	m.pair.reveal.Forget()
	if _, k, ok := m.Session.Walk.Current(); ok {
		m.pair.swapped = m.Session.Swapped(k)
	}
	return nil
}

// vote is the action that prefers an answer, or neither.
func vote(v eval.Vote) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		return m.Work.Label(annotate.Reading{Verdict: annotate.Voted, Vote: v, Criteria: m.Body().Item.Revision})
	}
}
