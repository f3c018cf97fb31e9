package curate

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/tui/annotation"
	"concord/tui/keymap"
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
		keys    = keymap.Curate
		on      = func(group string, foot annotation.Rank, name string, why func(*Model) string, do func(*Model, string) tea.Cmd) annotation.Action[*Model] {
			return annotation.On(group, reading, annotation.At(foot, keys.Bind(name)), why, do)
		}
		in = func(mode annotation.Mode, b key.Binding, do func(*Model, string) tea.Cmd) annotation.Action[*Model] {
			return annotation.On(annotation.ViewsGroup, []annotation.Mode{mode}, annotation.At(annotation.First, b), nil, do)
		}
		card = func(why func(*candidates) string) func(*Model) string {
			return func(m *Model) string { return why(m.cards) }
		}
	)
	var t annotation.Table[*Model]
	for i, v := range curation.AllVerdicts() {
		digit := string(rune('1' + i))
		t = append(t, annotation.Recording(annotation.On(judges, reading, annotation.At(annotation.Unranked, widget.Bind(digit, word(v), digit)), card((*candidates).noVerdict), judge(v))))
	}
	return slices.Concat(t, annotation.Magnifying(keys, func(m *Model) annotation.Magnifier { return magnified{m} }), annotation.Table[*Model]{
		on(annotation.ActsGroup, annotation.Second, "axis", card((*candidates).noPlace), startPlace),
		annotation.Recording(on(annotation.ActsGroup, annotation.Third, "skip", card((*candidates).noSkip), skip)),
		annotation.Recording(on(annotation.ActsGroup, annotation.Third, "undo", card((*candidates).noUndo), undo)),
		annotation.Recording(on(annotation.ActsGroup, annotation.Unranked, "redo", card((*candidates).noRedo), redo)),
		on(annotation.ActsGroup, annotation.Fifth, "comment", card((*candidates).noCard), startNote),
		annotation.Recording(in(annotation.Noting, widget.Bind("enter", "keep the note", "enter"), (*Model).endNote)),
		annotation.Recording(on(annotation.ActsGroup, annotation.Fourth, "others", card((*candidates).noOthers), showOthers)),
		on(annotation.ActsGroup, annotation.First, "save_again", func(m *Model) string { return m.journal.noFailure() }, saveAgain),

		on(annotation.ViewsGroup, annotation.Fourth, "zoom", func(m *Model) string { return m.pictures.noPicture() }, zoom),
		in(annotation.Zooming, keymap.CuratePicture.Bind("zoom"), unzoom),
		annotation.On(annotation.ViewsGroup, []annotation.Mode{annotation.Reading, annotation.Zooming}, annotation.At(annotation.Unranked, keys.Bind("next_image")), func(m *Model) string { return m.pictures.noPictures() }, nextPicture),
		annotation.On(annotation.ViewsGroup, reading, annotation.At(annotation.Fifth, widget.PaneKeys()), card((*candidates).noCard), fill),
		on(annotation.ViewsGroup, annotation.Third, "balance", nil, toggle(weighing)),
		in(weighing, keys.Join("back", "balance"), toggle(weighing)),
		on(annotation.ViewsGroup, annotation.Fifth, "guideline", nil, toggle(annotation.Guiding)),
		in(annotation.Guiding, keys.Join("close", "guideline"), toggle(annotation.Guiding)),
		on(annotation.ViewsGroup, annotation.Unranked, "ground_truth", nil, toggleTruth),
		on(annotation.ViewsGroup, annotation.Unranked, "difficulty", nil, toggleModels),

		on(annotation.MovesGroup, annotation.Second, "next_unlabeled", nil, toNext),
		on(annotation.MovesGroup, annotation.Unranked, "previous", nil, step(-1)),
		on(annotation.MovesGroup, annotation.Unranked, "next", nil, step(1)),
	}, annotation.Scrolls(keys, paned, scroll), annotation.Table[*Model]{
		on(filters, annotation.Fourth, "filter", nil, startFilter),
		in(filtering, widget.Bind("enter", "keep the filter", "enter"), endFilter),
		on(filters, annotation.Fourth, "next_state", nil, nextState),
		on(filters, annotation.Unranked, "previous_state", nil, lastState),
		on(filters, annotation.Fifth, "source", nil, nextSource),
		on(filters, annotation.Fifth, "only_axis", nil, onlyAxis),
		on(filters, annotation.Fifth, "settle", noRuling, toSettle),
		on(filters, annotation.Unranked, "experts", noCompare, toCompare),
		on(filters, annotation.Unranked, "refresh", nil, again),
		on(filters, annotation.Unranked, "datasets", nil, toShelf),
	})
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
		m.refusal = widget.Line(name) + m.Keyed(": no key of this screen, {help} shows them all")
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

// widen takes the filter away.
func (m *Model) widen() tea.Cmd {
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	return m.goTo(m.cards.renew())
}

func nextState(m *Model, _ string) tea.Cmd {
	m.cards.filter.state = (m.cards.filter.state + 1) % states
	return m.goTo(m.cards.renew())
}

func lastState(m *Model, _ string) tea.Cmd {
	m.cards.filter.state = (m.cards.filter.state + states - 1) % states
	return m.goTo(m.cards.renew())
}

// nextSource goes through the sources, and all of them.
func nextSource(m *Model, _ string) tea.Cmd {
	m.cards.filter.source = after(append([]string{""}, m.cards.sources()...), m.cards.filter.source)
	return m.goTo(m.cards.renew())
}

func after(list []string, one string) string {
	return list[(slices.Index(list, one)+1)%len(list)]
}

// onlyAxis narrows down to the axis of the card in front, and back.
func onlyAxis(m *Model, _ string) tea.Cmd {
	if m.cards.filter.axis != nil {
		m.cards.filter.axis = nil
		return m.goTo(m.cards.renew())
	}
	c := m.cards.card()
	if c == nil || m.cards.board.Axis(c.Sample.Ordinal) == nil {
		return notify(widget.Info, m.Keyed("nobody has said which axis this sample belongs to: {axis} does"))
	}
	m.cards.filter.axis = m.cards.board.Axis(c.Sample.Ordinal)
	return m.goTo(m.cards.renew())
}

// toSettle goes between giving verdicts and settling what experts differ on.
func toSettle(m *Model, _ string) tea.Cmd {
	m.cards.settle = !m.cards.settle
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	m.cards.narrow()
	m.cards.at = len(m.cards.shown)
	said := "you give verdicts of your own"
	if m.cards.settle {
		said = "you adjudicate expert disagreements: verdicts are adjudications now"
	}
	return tea.Batch(m.goTo(m.cards.next()), notify(widget.Info, said))
}

// startFilter opens the words of the filter.
func startFilter(m *Model, _ string) tea.Cmd {
	m.mode = filtering
	return m.ask(m.cards.filter.words)
}

func endFilter(m *Model, _ string) tea.Cmd {
	m.mode = annotation.Reading
	return nil
}

// ask has a text typed.
func (m *Model) ask(text string) tea.Cmd {
	m.text.Width = m.size.textWidth(m.mode)
	m.text.SetValue(text)
	m.text.CursorEnd()
	return m.text.Focus()
}

// filter is which candidates are gone through.
type filter struct {
	words  string
	source string
	axis   []string // nil: all
	state  state
}

// state narrows candidates down by how they stand.
type state uint8

const (
	everything state = iota
	waiting          // for the person
	answered         // by them
	kept             // accepted, of those that the person has answered
	dropped          // and dropped
	disputed         // experts differ, to be settled
	states
)

var stateNames = [states]string{"all", "for me", "answered", "accepted", "dropped", "disputed"}

// firstState is what is gone through at first.
func firstState(settle bool) state {
	if settle {
		return disputed
	}
	return everything
}

// on reports whether anything is filtered but what the work asks for.
func (f *filter) on(settle bool) bool {
	return f.words != "" || f.source != "" || f.axis != nil || f.state != firstState(settle)
}
