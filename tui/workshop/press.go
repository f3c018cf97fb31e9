package workshop

import (
	"cmp"
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// place is where the page's keys are in the keymap.
const place keymap.Place = "workshop"

// The modes of the page: prompts are listed, or one is written.
const (
	listing action.Mode = iota
	writing
)

// The groups of the help page.
const (
	promptGroup = "Prompts of a judge"
	writeGroup  = "While one is written"
)

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys but those of moves and of texts.
func (m keyActions) actionTable() action.Table {
	on := func(words, name string, why func() string, do func(string) tea.Cmd) action.Action {
		if why == nil {
			why = func() string { return "" }
		}
		return action.NewAction(promptGroup, []action.Mode{listing}, action.NewFooterKey(action.First, place.BindJoined(words, name)), func() string { return m.SpellText(why()) }, do)
	}
	return append(action.Table{
		on("edit", "edit", m.whyNoEdit, m.openEditor),
		on("run", "run", m.whyNoRun, m.askByPrompt),
		on("fixed and broken", "open", m.whyNoChanges, m.requestChangedAnswers),
		on("held-out look", "held_out", m.whyNoLook, m.measureHeldOut),
		on("promote", "promote", m.whyNoPromote, m.askPromote),
		on("next judge", "judge", func() string { return action.WhyIf(len(m.bench.Judges) < 2, "the configuration has no other judge") }, m.switchJudge),
		on("refresh", "refresh", nil, func(string) tea.Cmd { return m.Refresh() }),
	}, form.NewWritingTable(writeGroup, writing, func() *form.Editor { return m.editor }, widget.SaveKey(), m.keepPrompt, noCmd)...)
}

// noCmd follows a change of the text: it is kept when the editor is left.
func noCmd() tea.Cmd { return nil }

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return action.PassKeyToQuestion(&m.asking, msg)
	case m.editor != nil:
		return m.editor.PressKey(m.table, writing, msg, m.height-6, noCmd)
	}
	if by, ok := m.moves.MoveBy(msg, m.listHeight(), len(m.bench.Candidates)); ok {
		m.at.MoveBy(by, len(m.bench.Candidates), m.listHeight())
		return nil
	}
	return m.table.PressAndNotify(listing, msg.String())
}

// openEditor opens the editor: on what was begun, else on the prompt under the cursor.
func (m keyActions) openEditor(string) tea.Cmd {
	m.editor = form.NewEditor(cmp.Or(m.bench.Draft, m.currentCandidate().Text))
	m.editor.FitWidth(m.textWidth())
	return nil
}

func (m keyActions) askByPrompt(string) tea.Cmd {
	o, source := m.orderForPart(false), m.deps.Source
	return m.askAboutCost(o, func() tea.Cmd { // what the judge has read by its own name is taken over
		return m.runThenRefresh(func(ctx context.Context) (string, error) {
			return "it has read the development part: nothing is left to ask", source.Start(ctx, o)
		})
	})
}

func (m keyActions) requestChangedAnswers(string) tea.Cmd {
	c := m.currentCandidate()
	return widget.SendCmd(OpenAnswers{
		Title: "Prompt " + m.shortName(c.Name) + " beside " + m.shortName(c.Before), Extractor: c.Name, Fixed: c.Fixed, Broken: c.Broken,
	})
}

// measureHeldOut has the prompt read the held-out part; once it has, its agreement there is
// measured, and the look is saved.
func (m keyActions) measureHeldOut(string) tea.Cmd {
	o, who, source := m.orderForPart(true), m.deps.Who, m.deps.Source
	return m.askAboutCost(o, func() tea.Cmd {
		return m.runThenRefresh(func(ctx context.Context) (string, error) {
			return "the look at the held-out part is saved", source.MeasureHeldOut(ctx, o, who)
		})
	})
}

func (m keyActions) askPromote(string) tea.Cmd {
	o, source, who, c := m.orderForPart(false), m.deps.Source, m.deps.Who, m.currentCandidate()
	m.asking = &widget.Question{
		Title: "Promote", Yes: "promote it", No: "leave the judge as it is",
		Text: m.shortName(c.Name) + " becomes the prompt of " + widget.CleanLine(o.Judge) + " in concord.toml. Held out it agrees with people in " + formatRate(c.HeldOut) + ".",
		Do: func() tea.Cmd {
			return m.runThenRefresh(func(ctx context.Context) (string, error) {
				file, err := source.Promote(ctx, o, who)
				return o.Judge + " has the prompt " + file + " now, in concord.toml", err
			})
		},
	}
	return nil
}

func (m keyActions) switchJudge(string) tea.Cmd {
	at := slices.Index(m.bench.Judges, m.bench.Judge)
	m.bench.Judge, m.bench.Candidates, m.loaded = m.bench.Judges[(at+1)%len(m.bench.Judges)], nil, false
	return m.Refresh()
}

// Why something cannot be done now; "" when it can.

func (m keyActions) whyNoRow() string {
	switch c := m.currentCandidate(); {
	case !m.loaded:
		return "the prompts are being read"
	case m.bench.Why != "":
		return m.bench.Why
	case c == nil:
		return "no prompt is listed"
	case m.busy:
		return "the key before is at work"
	case c.Text == "":
		return "the text of this prompt is not in the project"
	}
	return ""
}

func (m keyActions) whyNoEdit() string {
	why := m.whyNoRow()
	if why == "" && m.bench.Draft == "" && len(m.currentCandidate().Text) > widget.LongestText {
		why = "the prompt is too long to be written here; in a shell: concord judge tune --prompt FILE"
	}
	return why
}

func (m keyActions) whyNoRun() string {
	if why := m.whyNoRow(); why != "" {
		return why
	}
	return action.WhyIf(m.currentCandidate().Working != "", "it is being asked")
}

func (m keyActions) whyNoChanges() string {
	switch c := m.currentCandidate(); {
	case m.whyNoRow() != "":
		return m.whyNoRow()
	case c.Before == "":
		return "it is the first that was tried: there is none to set it beside"
	case len(c.Fixed)+len(c.Broken) == 0:
		return "it reads every answer as the one before it does"
	}
	return ""
}

func (m keyActions) whyNoLook() string {
	switch {
	case m.whyNoRun() != "":
		return m.whyNoRun()
	case !m.currentCandidate().Asked:
		return "it is chosen on the development part first: {run}"
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	}
	return ""
}

func (m keyActions) whyNoPromote() string {
	switch c := m.currentCandidate(); {
	case m.whyNoRow() != "":
		return m.whyNoRow()
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	case c.Now:
		return "it is the judge's prompt already"
	case !c.Looked:
		return "its agreement is not measured on the held-out part yet: {held_out}"
	}
	return ""
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return place }

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.asking != nil:
		return m.asking.Bindings()
	case m.editor != nil:
		return m.table.FooterBindings(writing, m.width, nil, nil)
	}
	return m.table.FooterBindings(listing, m.width, nil, nil)
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(listing, nil, writeGroup, promptGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}
