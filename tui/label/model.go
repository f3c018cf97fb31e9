package label

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/annotation"
	"concord/tui/labeloption"
)

// picking is the mode in which several options are marked, for an ambiguous
// answer.
const picking = annotation.More

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[page]
	deps  Deps
	table annotation.Table[*Model]

	end  *ending
	item *itemView
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
	m := &Model{deps: d, table: actions(), end: &ending{deps: d}, item: &itemView{space: d.Theme.Pane("review")}}
	m.QueueSession = annotation.New(ctx, annotation.Deps{
		Queue: d.Queue, Annotator: d.Annotator, Theme: d.Theme,
		Items: d.Items, Pictures: d.Pictures, Journal: d.Journal, Now: d.Now, Stay: d.Stay, Grace: d.Grace, Turns: d.Turns,
	}, annotation.Part[page]{
		Lay: lay, Fit: m.fit, ImageSize: m.room, Moved: m.moved,
		Press:   func(key string) annotation.Outcome { return m.now().Press(m, m.Mode, key) },
		Records: func(key string) bool { return m.now().Records(m.Mode, key) },
		Whole:   m.item.whole,
		Said:    func(r annotate.Reading) string { return "label " + labeloption.Word(r) },
		Stuck:   map[annotation.Mode]string{picking: "not while options are marked; {save_marked} saves, esc goes back"},
	})
	m.item.QueueSession, m.end.QueueSession = m.QueueSession, m.QueueSession
	m.item.reveal = annotation.NewReveal[blind.Revealed](m.QueueSession)
	return m
}

// Back leaves one level: a panel or a mode. A note that was being typed is
// kept as it stands.
func (m *Model) Back() bool {
	if m.Mode == annotation.Reading && m.item.focus == questionPane {
		m.item.focus = answerPane
		return true
	}
	return m.QueueSession.Back()
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case indexed:
		if msg.of == m {
			m.index(msg)
		}
	case compared:
		if msg.of == m.end {
			m.end.summary.take(msg)
		}
	}
	m.item.reveal.Update(msg)
	return m.QueueSession.Update(msg)
}

// moved follows a change of the item in front: panes start at their top.
func (m *Model) moved() tea.Cmd {
	m.item.focus, m.item.top, m.item.picked, m.item.turned = answerPane, [panes]int{}, nil, 0
	m.item.reveal.Forget()
	return m.end.compare()
}
