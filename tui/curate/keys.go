package curate

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

const (
	judges  = "Curation: a verdict saves and opens the next sample"
	filters = "Which samples"
)

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys of the screen but those of texts. Those of
// verdicts are not in the footer: the line of verdicts has them.
func (m keyed) actions() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		paned   = []action.Mode{annotation.Reading, annotation.Guiding, weighing}
		keys    = keymap.Curate
		acts    = annotation.ActsGroup
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		cs      = m.cards
		on      = func(group string, foot action.Rank, name string, why func() string, do func(string) tea.Cmd) action.Action {
			return action.On(group, reading, action.At(foot, keys.Bind(name)), why, do)
		}
		in = func(mode action.Mode, b key.Binding, do func(string) tea.Cmd) action.Action {
			return action.On(views, []action.Mode{mode}, action.At(action.First, b), nil, do)
		}
	)
	var t action.Table
	for i, v := range curation.AllVerdicts() {
		digit := string(rune('1' + i))
		t = append(t, action.Recording(action.On(judges, reading, action.At(action.Unranked, widget.Bind(digit, word(v), digit)), cs.noVerdict, m.judge(v))))
	}
	return slices.Concat(t, m.gallery.LookKeys(keys), action.Table{
		on(acts, action.Second, "axis", cs.noPlace, m.startPlace),
		action.Recording(on(acts, action.Third, "skip", cs.noSkip, m.skip)),
		action.Recording(on(acts, action.Third, "undo", cs.noUndo, m.undo)),
		action.Recording(on(acts, action.Unranked, "redo", cs.noRedo, m.redo)),
		on(acts, action.Fifth, "comment", cs.noCard, m.startNote),
		action.Recording(in(annotation.Noting, widget.Bind("enter", "keep the note", "enter"), m.endNote)),
		annotation.KeptToo(annotation.Noting),
		action.Recording(on(acts, action.Fourth, "others", cs.noOthers, m.showOthers)),
		on(acts, action.First, "save_again", m.journal.noFailure, m.saveAgain),

		action.On(views, reading, action.At(action.Fifth, widget.PaneKeys()), cs.noCard, m.fill),
		on(views, action.Third, "balance", nil, m.toggle(weighing)),
		in(weighing, keys.Join("back", "balance"), m.toggle(weighing)),
		on(views, action.Fifth, "guideline", nil, m.toggle(annotation.Guiding)),
		in(annotation.Guiding, keys.Join("close", "guideline"), m.toggle(annotation.Guiding)),
		on(views, action.Unranked, "ground_truth", nil, m.flip(&m.sample.look.HideTruth)),
		on(views, action.Unranked, "difficulty", nil, m.flip(&m.sample.look.HideModels)),

		on(moves, action.Second, "next_unlabeled", nil, m.toNext),
		on(moves, action.Unranked, "previous", nil, m.step(-1)),
		on(moves, action.Unranked, "next", nil, m.step(1)),
	}, annotation.Scrolls(keys, paned, m.scroll), action.Table{
		on(filters, action.Fourth, "filter", nil, m.startFilter),
		in(filtering, widget.Bind("enter", "keep the filter", "enter"), m.endFilter),
		in(filtering, widget.Bind("esc", "back", "esc"), m.endFilter),
		on(filters, action.Fourth, "next_state", nil, m.turnState(1)),
		on(filters, action.Unranked, "previous_state", nil, m.turnState(states-1)),
		on(filters, action.Fifth, "source", nil, m.nextSource),
		on(filters, action.Fifth, "only_axis", nil, m.onlyAxis),
		on(filters, action.Fifth, "settle", m.noRuling, m.toSettle),
		on(filters, action.Unranked, "experts", m.noCompare, func(string) tea.Cmd { return widget.Send(OpenCompare{}) }),
		on(filters, action.Unranked, "refresh", nil, func(string) tea.Cmd { return m.list.open(cs.board.Dataset(), m.who) }),
		on(filters, action.Unranked, "datasets", nil, m.toShelf),
	})
}

// fill gives the text room of the picture and the balance, or gives it back.
func (m keyed) fill(key string) tea.Cmd {
	m.size.space.Press(key)
	m.top = 0
	return m.draw()
}

func (m keyed) toggle(mode action.Mode) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if m.top = 0; m.Mode == mode {
			m.Mode = annotation.Reading
		} else {
			m.Mode = mode
		}
		return nil
	}
}

// flip hides something, or shows it again.
func (m keyed) flip(hidden *bool) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		*hidden = !*hidden
		return nil
	}
}

// scroll moves the text, the balance or the guideline; drawing holds it within
// its lines.
func (m keyed) scroll(name string) tea.Cmd {
	m.top = max(0, annotation.Scrolled(name, m.top, max(1, m.size.mainHeight()/2)))
	return nil
}

// noRuling is why one does not go between verdicts and rulings.
func (m keyed) noRuling() string {
	switch {
	case m.deps.Apart:
		return "expert disagreements are for the adjudicators of the project"
	case m.deps.Only:
		return "verdicts are for the curators of the project"
	}
	return ""
}

// noCompare is why what experts differ on is not listed.
func (m keyed) noCompare() string {
	if m.deps.Apart {
		return "that is for the adjudicators of the project"
	}
	return ""
}

func (m keyed) toShelf(string) tea.Cmd {
	if len(m.list.datasets) < 2 {
		return widget.Tell(widget.Info, "the project has one dataset")
	}
	m.cards.board, m.Mode = nil, choosing
	return nil
}

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	m.Refusal = ""
	switch {
	case m.Mode == naming:
		return pressName(m, msg)
	case m.cards.board == nil:
		if name := m.list.press(msg); name != "" {
			return m.list.open(name, m.who)
		}
		return nil
	case m.Mode == placing:
		if msg.String() == "enter" {
			m.Mode = annotation.Reading
			m.axisForm.place()
			return nil
		}
		return m.axisForm.Update(msg)
	case m.list.loading != "" && !m.Typing():
		m.Refusal = "the candidates are being read again"
		return nil
	case msg.Paste && !m.Typing():
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	name := msg.String()
	switch o := m.table.Press(m.Mode, name); {
	case o.Refusal != "":
		m.Refusal = m.Spelled(name) + ": " + o.Refusal
	case o.Found:
		return tea.Batch(o.Cmd, m.pictures.read(m.Picture)) // another one may be looked at
	case m.Mode == filtering:
		return typeFilter(m, msg)
	case m.Typing():
		var cmd tea.Cmd
		*m.text, cmd = m.text.Update(msg)
		return cmd
	case !o.Known:
		m.Refusal = widget.Line(name) + m.Keyed(": no key of this screen, {help} shows them all")
	default:
		m.Refusal = widget.Line(m.Spelled(name)) + ": not here; esc goes back"
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
		return widget.Tell(widget.Info, "type a name first")
	}
	return func() tea.Msg { return Named{annotate.Annotator(name)} }
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	bind := widget.Bind
	switch {
	case m.Mode == naming:
		return []key.Binding{bind("enter", "continue", "enter"), bind("esc", "back to the runs", "esc")}
	case m.cards.board == nil:
		return []key.Binding{bind("enter", "open", "enter")}
	case m.Mode == placing:
		return []key.Binding{bind("enter", "put it there", "enter"), bind("↑↓", "choose", "up"), bind("a-z", "narrow down, or a new one", "a"), bind("tab", "complete", "tab"), bind("esc", "back", "esc")}
	}
	return m.table.Footer(m.Mode, m.size.width, nil, nil)
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	if m.cards.board == nil {
		return nil
	}
	return m.table.Help(annotation.Reading, nil, annotation.FullGroup, judges, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup, filters)
}

// widen takes the filter away.
func (m *Model) widen() tea.Cmd {
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	return m.goTo(m.cards.renew())
}

func (m keyed) turnState(by state) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		m.cards.filter.state = (m.cards.filter.state + by) % states
		return m.goTo(m.cards.renew())
	}
}

// nextSource goes through the sources, and all of them.
func (m keyed) nextSource(string) tea.Cmd {
	m.cards.filter.source = after(append([]string{""}, m.cards.sources()...), m.cards.filter.source)
	return m.goTo(m.cards.renew())
}

func after(list []string, one string) string {
	return list[(slices.Index(list, one)+1)%len(list)]
}

// onlyAxis narrows down to the axis of the card in front, and back.
func (m keyed) onlyAxis(string) tea.Cmd {
	if m.cards.filter.axis != nil {
		m.cards.filter.axis = nil
		return m.goTo(m.cards.renew())
	}
	c := m.cards.card()
	if c == nil || m.cards.board.Axis(c.Sample.Ordinal) == nil {
		return widget.Tell(widget.Info, m.Keyed("nobody has said which axis this sample belongs to: {axis} does"))
	}
	m.cards.filter.axis = m.cards.board.Axis(c.Sample.Ordinal)
	return m.goTo(m.cards.renew())
}

// toSettle goes between giving verdicts and settling what experts differ on.
func (m keyed) toSettle(string) tea.Cmd {
	m.cards.settle = !m.cards.settle
	m.cards.filter = filter{state: firstState(m.cards.settle)}
	m.cards.narrow()
	m.cards.at = len(m.cards.shown)
	said := "you give verdicts of your own"
	if m.cards.settle {
		said = "you adjudicate expert disagreements: verdicts are adjudications now"
	}
	return tea.Batch(m.goTo(m.cards.next()), widget.Tell(widget.Info, said))
}

// startFilter opens the words of the filter.
func (m keyed) startFilter(string) tea.Cmd {
	m.Mode = filtering
	return m.ask(m.cards.filter.words)
}

func (m keyed) endFilter(string) tea.Cmd {
	m.Mode = annotation.Reading
	return nil
}

// ask has a text typed.
func (m *Model) ask(text string) tea.Cmd {
	m.text.Width = m.size.textWidth(m.Mode)
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
