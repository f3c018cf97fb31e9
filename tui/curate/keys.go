package curate

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/tui/annotation"
	"concord/tui/widget"
)

const (
	judges  = "Curation: a verdict saves and opens the next sample"
	filters = "Which samples"
)

// actions is the table of all keys of the screen but those of texts. Those of
// verdicts are not in the footer: the line of verdicts has them.
func actions() annotation.Table[*Model] {
	var (
		reading = []annotation.Mode{annotation.Reading}
		paned   = []annotation.Mode{annotation.Reading, annotation.Guiding, weighing}
		on      = annotation.On[*Model]
		at      = annotation.At
		bind    = widget.Bind
	)
	var t annotation.Table[*Model]
	for i, v := range curation.AllVerdicts() {
		digit := string(rune('1' + i))
		t = append(t, annotation.Recording(on(judges, reading, at(annotation.Unranked, bind(digit, word(v), digit)), func(m *Model) string { return m.cards.noVerdict() }, judge(v))))
	}
	return append(
		append(t, annotation.Magnifying(func(m *Model) annotation.Magnifier { return magnified{m} })...),
		on(annotation.ActsGroup, reading, at(annotation.Second, bind("p", "axis", "p")), func(m *Model) string { return m.cards.noPlace() }, startPlace),
		annotation.Recording(on(annotation.ActsGroup, reading, at(annotation.Third, bind("s", "skip", "s")), func(m *Model) string { return m.cards.noSkip() }, skip)),
		annotation.Recording(on(annotation.ActsGroup, reading, at(annotation.Third, bind("u", "undo", "u")), func(m *Model) string { return m.cards.noUndo() }, undo)),
		annotation.Recording(on(annotation.ActsGroup, reading, at(annotation.Unranked, bind("ctrl+r", "redo", "ctrl+r")), func(m *Model) string { return m.cards.noRedo() }, redo)),
		on(annotation.ActsGroup, reading, at(annotation.Fifth, bind("n", "note", "n")), func(m *Model) string { return m.cards.noCard() }, startNote),
		annotation.Recording(on(annotation.ActsGroup, []annotation.Mode{annotation.Noting}, at(annotation.First, bind("enter", "keep the note", "enter")), nil, (*Model).endNote)),
		on(annotation.ActsGroup, reading, at(annotation.Fourth, bind("o", "others", "o")), func(m *Model) string { return m.cards.noOthers() }, showOthers),
		on(annotation.ActsGroup, reading, at(annotation.First, bind("ctrl+s", "save again", "ctrl+s")), func(m *Model) string { return m.journal.noFailure() }, saveAgain),

		on(annotation.ViewsGroup, reading, at(annotation.Fourth, bind("z", "picture", "z")), func(m *Model) string { return m.pictures.noPicture() }, zoom),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Zooming}, at(annotation.First, bind("z", "back to the text", "z")), nil, unzoom),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Reading, annotation.Zooming}, at(annotation.Unranked, bind("f", "next image", "f")), func(m *Model) string { return m.pictures.noPictures() }, nextPicture),
		on(annotation.ViewsGroup, reading, at(annotation.Fifth, widget.PaneKeys()), func(m *Model) string { return m.cards.noCard() }, fill),
		on(annotation.ViewsGroup, reading, at(annotation.Third, bind("w", "balance", "w")), nil, toggle(weighing)),
		on(annotation.ViewsGroup, []annotation.Mode{weighing}, at(annotation.First, bind("w", "back", "w")), nil, toggle(weighing)),
		on(annotation.ViewsGroup, reading, at(annotation.Fifth, bind("i", "guideline", "i")), nil, toggle(annotation.Guiding)),
		on(annotation.ViewsGroup, []annotation.Mode{annotation.Guiding}, at(annotation.First, bind("i", "close", "i")), nil, toggle(annotation.Guiding)),
		on(annotation.ViewsGroup, reading, at(annotation.Unranked, bind("t", "show or hide the answer", "t")), nil, toggleTruth),
		on(annotation.ViewsGroup, reading, at(annotation.Unranked, bind("d", "show or hide models and difficulty", "d")), nil, toggleModels),

		on(annotation.MovesGroup, reading, at(annotation.Second, bind("enter", "next unlabeled", "enter", ".")), nil, toNext),
		on(annotation.MovesGroup, reading, at(annotation.Unranked, bind("←", "previous", "left")), nil, step(-1)),
		on(annotation.MovesGroup, reading, at(annotation.Unranked, bind("→", "next", "right")), nil, step(1)),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("j k ↑ ↓", "scroll", "j", "k", "up", "down")), nil, scroll),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("pgup pgdn", "scroll a page", "pgup", "pgdown", "ctrl+u", "ctrl+d")), nil, scroll),
		on(annotation.MovesGroup, paned, at(annotation.Unranked, bind("g G", "to the top, to the end", "g", "home", "G", "end")), nil, scroll),

		on(filters, reading, at(annotation.Fourth, bind("/", "filter", "/")), nil, startFilter),
		on(filters, []annotation.Mode{filtering}, at(annotation.First, bind("enter", "keep the filter", "enter")), nil, endFilter),
		on(filters, reading, at(annotation.Fourth, bind("tab", "state", "tab")), nil, nextState),
		on(filters, reading, at(annotation.Unranked, bind("shift+tab", "state before", "shift+tab")), nil, lastState),
		on(filters, reading, at(annotation.Fifth, bind("c", "source", "c")), nil, nextSource),
		on(filters, reading, at(annotation.Fifth, bind("x", "only this axis, or all", "x")), nil, onlyAxis),
		on(filters, reading, at(annotation.Fifth, bind("m", "adjudicate disagreements, or judge", "m")), noRuling, toSettle),
		on(filters, reading, at(annotation.Unranked, bind("e", "expert disagreements by dataset", "e")), noCompare, toCompare),
		on(filters, reading, at(annotation.Unranked, bind("R", "read it again", "R")), nil, again),
		on(filters, reading, at(annotation.Unranked, bind("D", "another dataset", "D")), nil, toShelf),
	)
}

// fill gives the text room of the picture and the balance, or gives it back.
func fill(m *Model, key string) tea.Cmd {
	m.size.space.Press(key)
	m.top = 0
	return m.draw()
}

func toggle(mode annotation.Mode) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		if m.top = 0; m.mode == mode {
			m.mode = annotation.Reading
		} else {
			m.mode = mode
		}
		return nil
	}
}

func toggleTruth(m *Model, _ string) tea.Cmd {
	m.sample.look.HideTruth = !m.sample.look.HideTruth
	return nil
}

func toggleModels(m *Model, _ string) tea.Cmd {
	m.sample.look.HideModels = !m.sample.look.HideModels
	return nil
}

// scroll moves the text, the balance or the guideline; drawing holds it within
// its lines.
func scroll(m *Model, name string) tea.Cmd {
	m.top = max(0, annotation.Scrolled(name, m.top, max(1, m.size.mainHeight()/2)))
	return nil
}

// noRuling is why one does not go between verdicts and rulings.
func noRuling(m *Model) string {
	switch {
	case m.deps.Apart:
		return "expert disagreements are for the adjudicators of the project"
	case m.deps.Only:
		return "verdicts are for the curators of the project"
	}
	return ""
}

// noCompare is why what experts differ on is not listed.
func noCompare(m *Model) string {
	if m.deps.Apart {
		return "that is for the adjudicators of the project"
	}
	return ""
}

func toCompare(*Model, string) tea.Cmd { return func() tea.Msg { return OpenCompare{} } }

func again(m *Model, _ string) tea.Cmd { return m.list.open(m.cards.board.Dataset(), m.who) }

func toShelf(m *Model, _ string) tea.Cmd {
	if len(m.list.datasets) < 2 {
		return notify(widget.Info, "the project has one dataset")
	}
	m.cards.board, m.mode = nil, choosing
	return nil
}

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	m.refusal = ""
	switch {
	case m.mode == naming:
		return pressName(m, msg)
	case m.cards.board == nil:
		if name := m.list.press(msg); name != "" {
			return m.list.open(name, m.who)
		}
		return nil
	case m.mode == placing:
		if msg.String() == "enter" {
			m.mode = annotation.Reading
			m.axisForm.place()
			return nil
		}
		return m.axisForm.Update(msg)
	case m.list.loading != "" && !m.Typing():
		m.refusal = "the candidates are being read again"
		return nil
	case msg.Paste && !m.Typing():
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	name := msg.String()
	switch o := m.table.Press(m, m.mode, name); {
	case o.Refusal != "":
		m.refusal = m.Spelled(name) + ": " + o.Refusal
	case o.Found:
		return o.Cmd
	case m.mode == filtering:
		return typeFilter(m, msg)
	case m.Typing():
		var cmd tea.Cmd
		*m.text, cmd = m.text.Update(msg)
		return cmd
	case !o.Known:
		m.refusal = widget.Line(name) + m.Keyed(": no key of this screen, {?} shows them all")
	default:
		m.refusal = widget.Line(m.Spelled(name)) + ": not here; esc goes back"
	}
	return nil
}

// typeFilter narrows the cards down while words are typed.
func typeFilter(m *Model, msg tea.KeyMsg) tea.Cmd {
	var cmd tea.Cmd
	*m.text, cmd = m.text.Update(msg)
	if words := m.text.Value(); words != m.cards.filter.words {
		m.cards.filter.words = words
		return tea.Batch(cmd, m.goTo(m.cards.renew()))
	}
	return cmd
}

func pressName(m *Model, msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyEnter {
		var cmd tea.Cmd
		*m.text, cmd = m.text.Update(msg)
		return cmd
	}
	name := strings.TrimSpace(widget.Line(m.text.Value()))
	if name == "" {
		return notify(widget.Info, "type a name first")
	}
	return func() tea.Msg { return Named{annotate.Annotator(name)} }
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	bind := widget.Bind
	switch {
	case m.mode == naming:
		return []key.Binding{bind("enter", "continue", "enter"), bind("esc", "back to the runs", "esc")}
	case m.cards.board == nil:
		return []key.Binding{bind("enter", "open", "enter")}
	case m.mode == placing:
		return []key.Binding{bind("enter", "put it there", "enter"), bind("↑↓", "choose", "up"), bind("a-z", "narrow down, or a new one", "a"), bind("tab", "complete", "tab"), bind("esc", "back", "esc")}
	case m.mode == filtering:
		return append(m.table.Footer(m, m.mode, m.size.width, ranked, same), bind("esc", "back", "esc"))
	}
	return m.table.Footer(m, m.mode, m.size.width, ranked, same)
}

func ranked(_ key.Binding, foot annotation.Rank) annotation.Rank { return foot }

func same(b key.Binding) key.Binding { return b }

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	if m.cards.board == nil {
		return nil
	}
	return m.table.Help(m, same, judges, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup, filters)
}
