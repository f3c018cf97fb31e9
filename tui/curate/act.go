package curate

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// judge gives the card in front a verdict and goes on, or settles it and stays.
func judge(v curation.Verdict) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		o := m.cards.card().Sample.Ordinal
		spent := m.timer.Touch(m.deps.Now())
		if m.cards.settle {
			if a, ok := m.cards.board.Rule(o, v, m.cards.board.State().Rulings[o].Axis, spent); ok {
				m.journal.submit(a)
			}
			return nil
		}
		if a, ok := m.cards.board.Judge(o, v, spent); ok {
			m.journal.submit(a)
		}
		return m.goTo(m.cards.next())
	}
}

func toNext(m *Model, _ string) tea.Cmd { return m.goTo(m.cards.next()) }

func step(by int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return m.goTo(m.cards.at + by) }
}

// skip puts the card in front off.
func skip(m *Model, _ string) tea.Cmd {
	if a, ok := m.cards.board.Skip(m.cards.card().Sample.Ordinal, m.timer.Touch(m.deps.Now())); ok {
		m.journal.submit(a)
	}
	return m.goTo(m.cards.next())
}

func undo(m *Model, _ string) tea.Cmd {
	a, of, _ := m.cards.board.Undo()
	return jumped(m, "undid", a, &of)
}

func redo(m *Model, _ string) tea.Cmd {
	a, of, _ := m.cards.board.Redo()
	return jumped(m, "redone", a, &of)
}

// jumped shows the sample that an undo or redo is about, and says what it was.
func jumped(m *Model, what string, a curation.Act, of *curation.Act) tea.Cmd {
	m.journal.submit(a)
	i, ok := m.cards.places[of.Sample]
	if !ok {
		return notify(widget.Info, fmt.Sprintf("%s: %s on a sample that is no candidate here", what, did(of)))
	}
	text := fmt.Sprintf("%s: %s on sample %s", what, did(of), widget.Line(string(m.cards.open.Cards[i].Sample.ID)))
	at := slices.Index(m.cards.shown, i)
	if at < 0 {
		m.cards.filter = filter{}
		m.cards.narrow()
		at = slices.Index(m.cards.shown, i)
	}
	return tea.Batch(m.goTo(at), notify(widget.Info, text))
}

// did names an act, for the notice of an undo.
func did(a *curation.Act) string {
	switch a.Kind {
	case curation.Judged:
		return "verdict " + word(a.Verdict)
	case curation.Ruled:
		return "adjudication " + word(a.Verdict)
	case curation.Placed:
		return "axis " + widget.Line(eval.Path(a.Axis))
	case curation.Skipped:
		return "skip"
	case curation.Noted:
		return "note"
	case curation.KindUnset, curation.TookBack, curation.Looked:
	}
	return "act"
}

func startNote(m *Model, _ string) tea.Cmd {
	m.mode = annotation.Noting
	return m.ask(m.cards.board.State().Notes[m.cards.card().Sample.Ordinal])
}

func (m *Model) endNote(string) tea.Cmd {
	m.mode = annotation.Reading
	if c := m.cards.card(); c != nil {
		if a, ok := m.cards.board.Note(c.Sample.Ordinal, strings.TrimSpace(m.text.Value())); ok {
			m.journal.submit(a)
		}
	}
	return nil
}

// showOthers has the others' words shown, once it is stored that they are.
func showOthers(m *Model, _ string) tea.Cmd {
	if m.sample.others != nil {
		m.sample.others = nil
		return nil
	}
	o := m.cards.card().Sample.Ordinal
	words, rulings, look, err := m.cards.board.Others(o)
	if err != nil {
		return notify(widget.Info, err.Error())
	}
	if look.N != 0 {
		m.journal.submit(look)
	}
	ctx, journal, stream := m.ctx, m.deps.Journal, m.cards.board.Stream()
	return func() tea.Msg {
		return revealed{&m.sample, others{o, words, rulings}, journal.Sync(ctx, stream)}
	}
}

func saveAgain(m *Model, _ string) tea.Cmd {
	m.deps.Journal.Retry()
	m.journal.stuck = false
	return m.hear()
}

// The reasons why something cannot be done now; "" when it can.
