package curate

import (
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// hear learns where the journal stands. What it refuses was made on a dataset
// as it is no more: that is read again, once; where it cannot be read, a key
// tries it once more.
func (m *Model) hear() tea.Cmd {
	if m.board == nil {
		return nil
	}
	stream := m.board.Stream()
	m.saving = m.deps.Journal.Standing(stream)
	acts, _ := m.deps.Journal.Refused(stream)
	if len(acts) == 0 {
		m.stuck = false
	}
	if len(acts) == 0 || m.stuck || m.loading != "" {
		return nil
	}
	return m.read(m.board.Dataset())
}

// read reads a dataset, once what waits is saved: a board that was opened
// before would not know of it. What is refused waits for that very board.
func (m *Model) read(d eval.DatasetName) tea.Cmd {
	m.loading, m.wanted, m.err = d, "", nil
	ctx, source, journal, who := m.ctx, m.deps.Source, m.deps.Journal, m.who
	stream := curation.Stream{Dataset: d, Expert: who}
	return func() tea.Msg {
		if err := journal.Sync(ctx, stream); err != nil && !errors.Is(err, annotate.ErrConflict) {
			return opened{of: m, who: who, name: d, err: err}
		}
		o, err := source.Open(ctx, d, who)
		return opened{m, who, d, o, err}
	}
}

// take shows a dataset that was read; one that was open before where it was.
func (m *Model) take(msg opened) tea.Cmd {
	m.loading, m.err = "", msg.err
	if msg.err != nil {
		return m.unread(msg)
	}
	m.stuck = false
	if msg.name != m.looked {
		m.looked, m.look = msg.name, msg.open.Look
	}
	front, same := m.card(), m.board != nil && m.board.Dataset() == msg.name
	if !same {
		m.mode = annotation.Reading
	}
	m.board, m.open, m.others = msg.open.Board, msg.open, nil
	m.places = make(map[eval.Ordinal]int, len(m.open.Cards))
	for i := range m.open.Cards {
		m.places[m.open.Cards[i].Sample.Ordinal] = i
	}
	again := m.doAgain()
	heard := m.hear()
	m.narrow()
	m.at = len(m.shown)
	if same && front != nil {
		if i, ok := m.places[front.Sample.Ordinal]; ok && slices.Contains(m.shown, i) {
			m.at = slices.Index(m.shown, i)
			return tea.Batch(again, heard, m.draw())
		}
		m.mode = annotation.Reading
	}
	return tea.Batch(again, heard, m.next())
}

// unread leaves what is open as it is when it cannot be read again.
func (m *Model) unread(msg opened) tea.Cmd {
	if m.board == nil {
		return nil
	}
	m.err, m.stuck = nil, true
	return notify(widget.Problem, "read the candidates again: "+msg.err.Error()+m.Keyed(" ({R} tries it once more)"))
}

// doAgain does what the journal refuses again, on the dataset as it is now. It
// stays the journal's all the while.
func (m *Model) doAgain() tea.Cmd {
	var acts []curation.Act
	left := 0
	redone := m.deps.Journal.Redo(m.board.Stream(), func(refused []curation.Act) []curation.Act {
		acts, left = m.board.Again(refused)
		return acts
	})
	if !redone {
		return nil
	}
	text := fmt.Sprintf("somebody else worked as %s meanwhile: their acts were read, and %s of yours follow them", widget.Line(string(m.who)), widget.Plural(len(acts), "act"))
	if left > 0 {
		text += fmt.Sprintf("; %s of yours changed nothing any more", widget.Plural(left, "act"))
	}
	return notify(widget.Problem, text)
}
