package curate

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

const (
	judges  = "Curation: a verdict saves and opens the next sample"
	filters = "Which samples"
)

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys of the screen but those of texts. Those of
// verdicts are not in the footer: the line of verdicts has them.
func (m keyActions) actionTable() action.Table {
	var (
		reading = []action.Mode{annotation.Reading}
		paned   = []action.Mode{annotation.Reading, annotation.Guiding, weighing}
		keys    = keymap.Curate
		acts    = annotation.ActsGroup
		views   = annotation.ViewsGroup
		moves   = annotation.MovesGroup
		cs      = m.cards
		on      = func(group string, foot action.Rank, name string, why func() string, do func(string) tea.Cmd) action.Action {
			return action.NewAction(group, reading, action.NewFooterKey(foot, keys.BindAction(name)), why, do)
		}
		in = func(mode action.Mode, b key.Binding, do func(string) tea.Cmd) action.Action {
			return action.NewAction(views, []action.Mode{mode}, action.NewFooterKey(action.First, b), nil, do)
		}
	)
	var t action.Table
	for i, v := range curation.AllVerdicts() {
		digit := string(rune('1' + i))
		t = append(t, action.MarkRecording(action.NewAction(judges, reading, action.NewFooterKey(action.Unranked, widget.NewBinding(digit, verdictText(v), digit)), cs.whyVerdictRefused, m.giveVerdict(v))))
	}
	return slices.Concat(t, m.gallery.NewLookTable(keys), action.Table{
		on(acts, action.Second, "axis", cs.whyNoAxis, m.startAxisChoice),
		action.MarkRecording(on(acts, action.Third, "skip", cs.whyNoSkip, m.skipCard)),
		action.MarkRecording(on(acts, action.Third, "undo", cs.whyNoStep((*curation.State).CanUndo, "nothing to undo"), m.makeUndoAction("undid", (*curation.Board).Undo))),
		action.MarkRecording(on(acts, action.Unranked, "redo", cs.whyNoStep((*curation.State).CanRedo, "nothing to do again"), m.makeUndoAction("redone", (*curation.Board).Redo))),
		on(acts, action.Fifth, "comment", cs.whyNoCard, m.startNote),
		action.MarkRecording(in(annotation.Noting, widget.NewBinding("enter", "keep the note", "enter"), m.submitNote)),
		annotation.NewKeepHint(annotation.Noting),
		action.MarkRecording(on(acts, action.Fourth, "others", cs.whyNoOthers, m.showOthers)),
		on(acts, action.First, "save_again", func() string { return action.WhyIf(m.journal.saving.Err == nil, "everything is saved, or about to be") }, m.retrySaving),

		action.NewAction(views, reading, action.NewFooterKey(action.Fifth, widget.NewPaneSizeKeys()), cs.whyNoCard, m.toggleEnlarged),
		on(views, action.Third, "balance", nil, m.toggleMode(weighing)),
		in(weighing, keys.BindJoined("back", "balance"), m.toggleMode(weighing)),
		on(views, action.Fifth, "guideline", nil, m.toggleMode(annotation.Guiding)),
		in(annotation.Guiding, keys.BindJoined("close", "guideline"), m.toggleMode(annotation.Guiding)),
		on(views, action.Unranked, "ground_truth", nil, m.newHiddenToggle(&m.sample.look.HideTruth)),
		on(views, action.Unranked, "difficulty", nil, m.newHiddenToggle(&m.sample.look.HideModels)),

		on(moves, action.Second, "next_unlabeled", nil, m.goToNextCard),
		on(moves, action.Unranked, "previous", nil, m.stepBy(-1)),
		on(moves, action.Unranked, "next", nil, m.stepBy(1)),
	}, annotation.NewScrollTable(keys, paned, m.scrollPane), action.Table{
		on(filters, action.Fourth, "filter", nil, m.startFilter),
		in(filtering, widget.NewBinding("enter", "keep the filter", "enter"), m.endFilter),
		in(filtering, widget.NewBinding("esc", "back", "esc"), m.endFilter),
		on(filters, action.Fourth, "next_state", nil, m.stepStateFilter(1)),
		on(filters, action.Unranked, "previous_state", nil, m.stepStateFilter(states-1)),
		on(filters, action.Fifth, "source", nil, m.stepSourceFilter),
		on(filters, action.Fifth, "only_axis", nil, m.toggleAxisFilter),
		on(filters, action.Fifth, "settle", m.whyNoRuling, m.toggleAdjudication),
		on(filters, action.Unranked, "experts", func() string { return action.WhyIf(m.deps.Apart, "that is for the adjudicators of the project") },
			func(string) tea.Cmd { return widget.SendCmd(OpenCompare{}) }),
		on(filters, action.Unranked, "refresh", nil, func(string) tea.Cmd { return m.openDataset(cs.board.Dataset()) }),
		on(filters, action.Unranked, "datasets", nil, m.showDatasets),
	})
}

// toggleEnlarged gives the text room of the picture and the balance, or gives it back.
func (m keyActions) toggleEnlarged(key string) tea.Cmd {
	m.size.space.ChangeByKey(key)
	m.top = 0
	return m.readAndDrawPictures()
}

func (m keyActions) toggleMode(mode action.Mode) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		m.top, m.Mode = 0, eval.Either(m.Mode == mode, annotation.Reading, mode)
		return nil
	}
}

// newHiddenToggle hides something, or shows it again.
func (m keyActions) newHiddenToggle(hidden *bool) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		*hidden = !*hidden
		return nil
	}
}

// scrollPane moves the text, the balance or the guideline; drawing holds it within its lines.
func (m keyActions) scrollPane(name string) tea.Cmd {
	m.top = max(0, annotation.ScrollPosition(name, m.top, max(1, m.size.mainHeight()/2)))
	return nil
}

// whyNoRuling is why one does not go between verdicts and rulings.
func (m keyActions) whyNoRuling() string {
	switch {
	case m.deps.Apart:
		return "expert disagreements are for the adjudicators of the project"
	case m.deps.Only:
		return "verdicts are for the curators of the project"
	}
	return ""
}

func (m keyActions) showDatasets(string) tea.Cmd {
	if len(m.list.All) < 2 {
		return widget.NotifyCmd(widget.Info, "the project has one dataset")
	}
	m.cards.board, m.Mode = nil, choosing
	return m.readDatasets()
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	m.Refusal = ""
	switch {
	case m.Mode == naming:
		name, cmd := m.name.HandleKey(msg)
		return eval.Either(name != "", widget.SendCmd(Named{annotate.Annotator(name)}), cmd)
	case m.cards.board == nil:
		if d, ok := m.list.CurrentDataset(); ok && msg.Type == tea.KeyEnter && m.list.loading == "" {
			return m.openDataset(d.Name)
		}
		m.list.MoveCursor(msg)
		return readOverview(m)
	case m.Mode == placing:
		if msg.String() == "enter" {
			m.Mode = annotation.Reading
			m.axisForm.storeChosenAxis()
			return nil
		}
		return m.axisForm.Update(msg)
	case m.list.loading != "" && !m.IsTyping():
		m.Refusal = "the candidates are being read again"
		return nil
	case msg.Paste && !m.IsTyping():
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	name := msg.String()
	switch o := m.table.PressKey(m.Mode, name); {
	case o.Refusal != "":
		m.Refusal = m.SpellKey(name) + ": " + o.Refusal
	case o.Found:
		return tea.Batch(o.Cmd, m.pictures.readNextPictures(m.Picture)) // another one may be looked at
	case m.Mode == filtering:
		return handleFilterKey(m, msg)
	case m.IsTyping():
		var cmd tea.Cmd
		*m.text, cmd = m.text.Update(msg)
		return cmd
	case !o.Known:
		m.Refusal = widget.CleanLine(name) + m.SpellText(": no key of this screen, {help} shows them all")
	default:
		m.Refusal = widget.CleanLine(m.SpellKey(name)) + ": not here; esc goes back"
	}
	return nil
}

// handleFilterKey narrows the cards down while words are typed.
func handleFilterKey(m *Model, msg tea.KeyMsg) tea.Cmd {
	var cmd tea.Cmd
	*m.text, cmd = m.text.Update(msg)
	if words := m.text.Value(); words != m.cards.filter.words {
		m.cards.filter.words = words
		return tea.Batch(cmd, m.goToCard(m.cards.reapplyFilter()))
	}
	return cmd
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	bind := widget.NewBinding
	switch {
	case m.Mode == naming:
		return m.name.Bindings()
	case m.cards.board == nil:
		return []key.Binding{bind("enter", "open", "enter")}
	case m.Mode == placing:
		return []key.Binding{bind("enter", "put it there", "enter"), bind("↑↓", "choose", "up"), bind("a-z", "narrow down, or a new one", "a"), bind("tab", "complete", "tab"), bind("esc", "back", "esc")}
	}
	return m.table.FooterBindings(m.Mode, m.size.width, nil, nil)
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	if m.cards.board == nil {
		return nil
	}
	return m.table.HelpGroups(annotation.Reading, nil, annotation.FullGroup, judges, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup, filters)
}

func (m keyActions) stepStateFilter(by stateFilter) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		m.cards.filter.state = (m.cards.filter.state + by) % states
		return m.goToCard(m.cards.reapplyFilter())
	}
}

// stepSourceFilter goes through the sources, and all of them.
func (m keyActions) stepSourceFilter(string) tea.Cmd {
	all := append([]string{""}, m.cards.listSources()...)
	m.cards.filter.source = all[(slices.Index(all, m.cards.filter.source)+1)%len(all)]
	return m.goToCard(m.cards.reapplyFilter())
}

// toggleAxisFilter narrows down to the axis of the card in front, and back.
func (m keyActions) toggleAxisFilter(string) tea.Cmd {
	if m.cards.filter.axis != nil {
		m.cards.filter.axis = nil
		return m.goToCard(m.cards.reapplyFilter())
	}
	c := m.cards.currentCard()
	if c == nil || m.cards.board.AxisOf(c.Sample.Ordinal) == nil {
		return widget.NotifyCmd(widget.Info, m.SpellText("nobody has said which axis this sample belongs to: {axis} does"))
	}
	m.cards.filter.axis = m.cards.board.AxisOf(c.Sample.Ordinal)
	return m.goToCard(m.cards.reapplyFilter())
}

// toggleAdjudication goes between giving verdicts and settling what experts differ on.
func (m keyActions) toggleAdjudication(string) tea.Cmd {
	m.cards.settle = !m.cards.settle
	m.cards.filter = candidateFilter{state: initialFilter(m.cards.settle)}
	m.cards.applyFilter()
	m.cards.at = len(m.cards.shown)
	said := eval.Either(m.cards.settle, "you adjudicate expert disagreements: verdicts are adjudications now", "you give verdicts of your own")
	return tea.Batch(m.goToCard(m.cards.placeOfNextCard()), widget.NotifyCmd(widget.Info, said))
}

// startFilter opens the words of the filter.
func (m keyActions) startFilter(string) tea.Cmd {
	m.Mode = filtering
	return m.focusTextField(m.cards.filter.words)
}

func (m keyActions) endFilter(string) tea.Cmd {
	m.Mode = annotation.Reading
	return nil
}

func (m *Model) focusTextField(text string) tea.Cmd {
	m.text.Width = m.size.textWidth(m.Mode)
	m.text.SetValue(text)
	m.text.CursorEnd()
	return m.text.Focus()
}

// candidateFilter is which candidates are gone through.
type candidateFilter struct {
	words, source string
	axis          []string // nil: all
	state         stateFilter
}

// stateFilter narrows candidates down by how they stand.
type stateFilter uint8

const (
	everything stateFilter = iota
	waiting                // for the person
	answered               // by them
	kept                   // accepted, of those that the person has answered
	dropped                // and dropped
	disputed               // experts differ, to be settled
	states
)

var stateNames = [states]string{"all", "for me", "answered", "accepted", "dropped", "disputed"}

// initialFilter is what is gone through at first.
func initialFilter(settle bool) stateFilter { return eval.Either(settle, disputed, everything) }

// isFiltering reports whether anything is filtered but what the work asks for.
func (f *candidateFilter) isFiltering(settle bool) bool {
	return f.words != "" || f.source != "" || f.axis != nil || f.state != initialFilter(settle)
}
