package curate

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// hear learns where the journal stands. What it refuses was made on a dataset
// as it is no more: that is read again, once; where it cannot be read, a key
// tries it once more.
func (m *Model) hear() tea.Cmd {
	if m.cards.board == nil {
		return nil
	}
	stream := m.cards.board.Stream()
	m.journal.saving = m.deps.Journal.Standing(stream)
	acts, _ := m.deps.Journal.Refused(stream)
	if len(acts) == 0 {
		m.journal.stuck = false
	}
	if len(acts) == 0 || m.journal.stuck || m.list.loading != "" {
		return nil
	}
	return m.list.open(m.cards.board.Dataset(), m.who)
}

// take shows a dataset that was read; one that was open before where it was.
func (m *Model) take(msg opened) tea.Cmd {
	m.list.loading, m.list.err = "", msg.err
	if msg.err != nil {
		return unread(m, msg)
	}
	m.journal.stuck = false
	if msg.name != m.looked {
		m.looked, m.sample.look = msg.name, msg.open.Look
	}
	front, same := m.cards.card(), m.cards.board != nil && m.cards.board.Dataset() == msg.name
	if !same {
		m.mode = annotation.Reading
	}
	m.cards.board, m.cards.open, m.sample.others = msg.open.Board, msg.open, nil
	m.cards.places = make(map[eval.Ordinal]int, len(m.cards.open.Cards))
	for i := range m.cards.open.Cards {
		m.cards.places[m.cards.open.Cards[i].Sample.Ordinal] = i
	}
	again := m.journal.redo(m.who)
	heard := m.hear()
	m.cards.narrow()
	m.cards.at = len(m.cards.shown)
	if same && front != nil {
		if i, ok := m.cards.places[front.Sample.Ordinal]; ok && slices.Contains(m.cards.shown, i) {
			m.cards.at = slices.Index(m.cards.shown, i)
			return tea.Batch(again, heard, m.draw())
		}
		m.mode = annotation.Reading
	}
	return tea.Batch(again, heard, m.goTo(m.cards.next()))
}

// unread leaves what is open as it is when it cannot be read again.
func unread(m *Model, msg opened) tea.Cmd {
	if m.cards.board == nil {
		return nil
	}
	m.list.err, m.journal.stuck = nil, true
	return notify(widget.Problem, "read the candidates again: "+msg.err.Error()+m.Keyed(" ({refresh} tries it once more)"))
}
