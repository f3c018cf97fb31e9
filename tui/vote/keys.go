package vote

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

const better = "Vote: a choice saves and opens the next pair"

// actions is the table of all keys of the screen. Those that vote are not in
// the footer: the line of choices has them.
func actions() annotation.Table[*Model] {
	var (
		reading = []annotation.Mode{annotation.Reading}
		read    = []annotation.Mode{annotation.Reading, annotation.Revealed}
		paned   = []annotation.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		on      = annotation.On[*Model]
		at      = annotation.At
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		keys    = keymap.Votes
	)
	votes := func(v eval.Vote, b key.Binding) annotation.Action[*Model] {
		return annotation.Recording(on(better, read, at(annotation.Unranked, b), (*Model).NoItem, vote(v)))
	}
	return slices.Concat(annotation.Table[*Model]{
		votes(eval.Answer1, widget.Bind("1", "Answer 1", "1")),
		votes(eval.Answer2, widget.Bind("2", "Answer 2", "2")),
		votes(eval.SituationOne, keys.Bind("tie")),
		votes(eval.SituationTwo, keys.Bind("both_bad")),
	}, annotation.Marks[*Model](keys), annotation.Acts[*Model](keys), annotation.Because[*Model](keys), annotation.Reveals(keys, (*Model).noReveal, toggleReveal), annotation.Table[*Model]{
		on(views, read, at(annotation.Third, keys.Bind("differences")), (*Model).noDifference, (*Model).toggleDifference),
		on(views, read, at(annotation.Fifth, keys.Bind("layout")), nil, (*Model).nextForm),
		on(views, reading, at(annotation.Third, widget.PaneKeys()), (*Model).NoItem, (*Model).fill),
		on(views, read, at(annotation.Fifth, keys.Bind("raw")), (*Model).NoItem, (*Model).toggleRaw),
	}, annotation.Looks[*Model](keys), annotation.Guidelines(keys, (*Model).guide), annotation.Moves[*Model](keys), annotation.Table[*Model]{
		on(moves, reading, at(annotation.Unranked, keys.Bind("scroll_apart")), (*Model).NoItem, (*Model).link),
		on(moves, reading, at(annotation.Unranked, keys.Bind("other_pane")), (*Model).noOther, (*Model).otherPane),
	}, annotation.Scrolls(keys, paned, (*Model).scroll))
}

func same(b key.Binding) key.Binding { return b }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	return m.table.Footer(m, m.Mode, m.Width, m.Ranked, same)
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return m.table.Help(m, same, better, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

func (m *Model) noReveal() string {
	return m.NoReveal("the models' names and the judges' votes")
}

func (m *Model) noDifference() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if !m.Body().compared {
		return "the answers are too long to be compared word by word"
	}
	return ""
}

// noOther is why there is no other pane to scroll.
func (m *Model) noOther() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	switch {
	case len(m.pair.order()) > 1:
	case *m.pair.space == widget.FullPane:
		return "the answers scroll together; " + m.Spelled("scroll_apart") + " lets them scroll apart"
	default:
		return "the answers scroll together, and all of the question is shown; " + m.Spelled("scroll_apart") + " lets them scroll apart"
	}
	return ""
}

func (m *Model) toggleDifference(string) tea.Cmd {
	m.pair.look.marked = !m.pair.look.marked
	return m.Prepare()
}

func (m *Model) toggleRaw(string) tea.Cmd {
	m.pair.look.raw = !m.pair.look.raw
	return m.Prepare()
}

// fill gives the answers room of question, criteria and picture, or takes it
// back. It stays from pair to pair, and a line of the question with it, so that
// nobody votes on answers to another one.
func (m *Model) fill(key string) tea.Cmd {
	m.pair.space.Press(key)
	if m.pair.focus == contextPane {
		m.pair.focus = firstPane
	}
	return m.Prepare()
}

// nextForm goes from what fits the width to side by side, below each other,
// and back.
func (m *Model) nextForm(string) tea.Cmd {
	now := beside
	if g := m.pair.geometry(m.Body()); g.form == beside {
		now = stacked
	}
	m.pair.form = now
	return m.Prepare()
}
