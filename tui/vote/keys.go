package vote

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

const better = "Vote: a choice saves and opens the next pair"

// actions is the table of all keys of the screen. Those that vote are not in
// the footer: the line of choices has them.
func actions() annotation.Table[*Model] {
	var (
		reading  = []annotation.Mode{annotation.Reading}
		read     = []annotation.Mode{annotation.Reading, annotation.Revealed}
		revealed = []annotation.Mode{annotation.Revealed}
		guiding  = []annotation.Mode{annotation.Guiding}
		paned    = []annotation.Mode{annotation.Guiding, annotation.Revealed, annotation.Reading}
		on       = annotation.On[*Model]
		at, bind = annotation.At, widget.Bind
		views    = annotation.ViewsGroup
		moves    = annotation.MovesGroup
	)
	scrolls := func(help, desc string, names ...string) annotation.Action[*Model] {
		return on(moves, paned, at(annotation.Unranked, bind(help, desc, names...)), nil, (*Model).scroll)
	}
	return slices.Concat(annotation.Table[*Model]{
		annotation.Recording(on(better, read, at(annotation.Unranked, bind("1", "Answer 1", "1")), (*Model).NoItem, vote(eval.Answer1))),
		annotation.Recording(on(better, read, at(annotation.Unranked, bind("2", "Answer 2", "2")), (*Model).NoItem, vote(eval.Answer2))),
		annotation.Recording(on(better, read, at(annotation.Unranked, bind("t", "both right or wrong", "t")), (*Model).NoItem, vote(eval.SituationOne))),
		annotation.Recording(on(better, read, at(annotation.Unranked, bind("w", "both bad", "w")), (*Model).NoItem, vote(eval.SituationTwo))),
	}, annotation.Acts[*Model](), annotation.Because[*Model]("y", "%"), annotation.Table[*Model]{
		annotation.Recording(on(views, reading, at(annotation.Second, bind("r", "reveal", "r")), (*Model).noReveal, toggleReveal)),
		annotation.Recording(on(views, revealed, at(annotation.First, bind("r", "hide", "r")), nil, toggleReveal)),
		on(views, read, at(annotation.Third, bind("d", "differences", "d")), (*Model).noDifference, (*Model).toggleDifference),
		on(views, read, at(annotation.Fifth, bind("c", "side by side, stacked", "c")), nil, (*Model).nextForm),
		on(views, reading, at(annotation.Third, widget.PaneKeys()), (*Model).NoItem, (*Model).fill),
		on(views, read, at(annotation.Fifth, bind("m", "raw, rendered", "m")), (*Model).NoItem, (*Model).toggleRaw),
	}, annotation.Looks[*Model](), annotation.Table[*Model]{
		on(views, read, at(annotation.Fourth, bind("i", "guideline", "i")), nil, (*Model).guide),
		on(views, guiding, at(annotation.First, bind("i", "close", "i")), nil, (*Model).guide),
		on(views, guiding, at(annotation.Second, bind("ctrl+g", "its versions, write", "ctrl+g")), nil, annotation.ByGuide[*Model]((*annotation.Guide).Versions)),
		on(views, reading, at(annotation.Unranked, bind("ctrl+g", "the guideline's versions, write", "ctrl+g")), (*Model).NoSession, annotation.ByGuide[*Model]((*annotation.Guide).Versions)),
	}, annotation.Moves[*Model](), annotation.Table[*Model]{
		on(moves, reading, at(annotation.Unranked, bind("l", "scroll together or apart", "l")), (*Model).NoItem, (*Model).link),
		on(moves, reading, at(annotation.Unranked, bind("tab", "scroll another pane", "tab")), (*Model).noOther, (*Model).otherPane),
		scrolls("j k ↑ ↓", "scroll", "j", "k", "up", "down"),
		scrolls("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d"),
		scrolls("g G", "to the top, to the end", "g", "home", "G", "e", "end"),
	})
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
		return "the answers scroll together; " + m.Spelled("l") + " lets them scroll apart"
	default:
		return "the answers scroll together, and all of the question is shown; " + m.Spelled("l") + " lets them scroll apart"
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
