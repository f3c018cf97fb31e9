package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// longestName is that of the longest name of a key, ctrl+shift+pgdown.
const longestName = 17

// handleEachKey takes the keys of a message one by one. Keys that wait in the terminal are read
// together, and bubbletea makes one message of them: a label typed ahead would be no key that anybody
// knows. It calls a message by its text, too: the word "left" would move the cursor of the field that
// it was typed into, and be lost. Longer text has no key's name, and stays in one piece where it is
// text; so does what is pasted, whose name has brackets.
func (m *Model) handleEachKey(msg tea.KeyMsg) tea.Cmd {
	long := len(msg.Runes) > longestName && m.nav.topScreen().IsTyping()
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 || long {
		return m.handleKey(msg)
	}
	return tea.Batch(eval.MapIndexed(msg.Runes, func(i int, r rune) tea.Cmd {
		return m.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt && i == 0})
	})...)
}

// handleKey takes a key: the root's own first, unless text is being typed.
func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if m.width > 0 && widget.DescribeTooSmall(m.width, m.height) != "" && !key.Matches(msg, m.keys.quit) {
		return nil // nobody sees what it would do
	}
	if msg.Type == tea.KeyF1 {
		m.finder.closePalette()
	}
	if m.finder.isOpen() && !m.quit.saving && !key.Matches(msg, m.keys.quit) {
		return m.pressPalette(msg)
	}
	known, ok := m.nav.translateKey(msg)
	if !ok {
		return m.explainMovedKey(msg)
	}
	return tea.Batch(m.doDefaultKey(known, m.nav.keys.IsLabel(m.nav.keyPlace(), msg.String())), m.advanceTour(known))
}

// doDefaultKey does what a key means by default. A label is a letter that is no command here: it is the screen's.
func (m *Model) doDefaultKey(msg tea.KeyMsg, label bool) tea.Cmd {
	k := &m.keys
	switch {
	case key.Matches(msg, k.quit):
		return m.quit.saveThenQuit()
	case m.quit.saving:
		return nil
	case key.Matches(msg, k.tour) && m.tour.isTouring():
		return m.endTour()
	case m.manual.open:
		m.manual.handleKey(msg, max(1, m.bodyHeight()-2))
		return nil
	case key.Matches(msg, k.redraw):
		return redrawAll(m.deps.Resend)
	case key.Matches(msg, k.copy):
		if p := m.toasts.OldestProblem(); p != "" {
			return clipboard(m.deps.Copy).copyText("the error", p)
		}
		return clipboard(m.deps.Copy).copyFromScreen(m.nav.topScreen())
	case key.Matches(msg, k.back):
		return m.goBack()
	case msg.Type == tea.KeyF1: // also where text is typed
		m.manual = helpPage{open: true}
		return nil
	case (label || m.nav.topScreen().IsTyping() || msg.Paste) && (!m.person.isAskingName() || !key.Matches(msg, k.next, k.prev)):
		return m.passToScreen(msg)
	case key.Matches(msg, k.palette) && m.nav.keyPlace() != "":
		return m.finder.openPalette()
	case key.Matches(msg, k.help):
		m.manual = helpPage{open: true}
		return nil
	case key.Matches(msg, k.copyThis) && m.nav.copiesByLetter():
		return clipboard(m.deps.Copy).copyFromScreen(m.nav.topScreen())
	case key.Matches(msg, k.person):
		return m.person.askNextPerson()
	case key.Matches(msg, k.leave):
		return m.leaveView()
	case key.Matches(msg, k.next):
		return m.tabs.jumpToTab(m.nav.nextTab(1))
	case key.Matches(msg, k.prev):
		return m.tabs.jumpToTab(m.nav.nextTab(tabCount - 1))
	}
	for i := range k.tabs {
		if key.Matches(msg, k.tabs[i]) {
			return m.tabs.jumpToTab(Tab(i))
		}
	}
	return m.passToScreen(msg)
}

func (m *Model) passToScreen(msg tea.KeyMsg) tea.Cmd {
	if m.seen.ignoresUnseenKey(m.nav.topScreen(), m.FrontItem(), msg.String()) {
		return nil
	}
	return m.nav.topScreen().Update(msg)
}

// goBack leaves one level: a problem that is shown, something open within the
// screen, the screen, the tab. It never quits.
func (m *Model) goBack() tea.Cmd {
	if m.toasts.DismissOldest() {
		return m.resizeScreens()
	}
	if m.person.returnToPerson() {
		return m.nav.topScreen().Refresh()
	}
	if m.nav.topScreen().GoBack() {
		return widget.SendCmd(widget.Left{})
	}
	cmd, ok := m.tabs.closeTopAndRefresh()
	if !ok && m.nav.tab != m.nav.can.homeTab() {
		return m.tabs.showTab(m.nav.can.homeTab())
	}
	return cmd
}

// leaveView leaves the view: the screen, else the tab, else the app.
func (m *Model) leaveView() tea.Cmd {
	if m.nav.topScreen().GoBack() {
		return widget.SendCmd(widget.Left{})
	}
	if cmd, ok := m.tabs.closeTopAndRefresh(); ok {
		return cmd
	}
	if m.nav.tab != m.nav.can.homeTab() {
		return m.tabs.showTab(m.nav.can.homeTab())
	}
	return m.quit.saveThenQuit()
}

// redrawAll draws everything anew, after the pictures that the terminal may have lost are there again.
func redrawAll(resend func() error) tea.Cmd {
	if resend == nil {
		return tea.ClearScreen
	}
	again := func() tea.Msg {
		if err := resend(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: err.Error()}
		}
		return nil
	}
	return tea.Sequence(again, tea.ClearScreen)
}

func (m *Model) explainMovedKey(msg tea.KeyMsg) tea.Cmd {
	pressed := msg.String()
	desc, keys := m.nav.keys.FindMovedKey(m.nav.keyPlace(), pressed)
	said := eval.Either(desc == "", " is no key of this screen", " has been moved: "+desc+" is "+keys)
	return m.showNotice(widget.Notify{Level: widget.Info, Text: keymap.FormatKey(pressed) + said})
}

// pressPalette takes a key while the palette is open.
func (m *Model) pressPalette(msg tea.KeyMsg) tea.Cmd {
	chosen, cmd := m.finder.handleKey(msg, m.keys.back)
	if chosen == nil {
		return cmd
	}
	return m.followPaletteChoice(chosen)
}

func (m *Model) followPaletteChoice(what tea.Msg) tea.Cmd {
	switch what := what.(type) {
	case pressed:
		return m.doDefaultKey(keymap.NewKeyMsg(what.key), false)
	case wantTab:
		return m.tabs.showTab(what.tab)
	case wantPage:
		m.tabs.enterReport()
		return m.tabs.report.ShowPage(what.page)
	case wantData:
		m.tabs.criteria.OpenDataset(what.dataset)
		return m.tabs.showTab(TabCriteria)
	case wantFound:
		return m.opener.openFoundSample(what.sample)
	case wantShell:
		return clipboard(m.deps.Copy).copyCommand(what.command)
	}
	return widget.SendCmd(what)
}

// advanceTour goes on with the tour by what was done.
func (m *Model) advanceTour(msg tea.Msg) tea.Cmd {
	at := appState{tab: m.nav.tab, working: m.person.who != "" && len(m.nav.stacks[TabReview]) > 1, helped: m.finder.isOpen() || m.manual.open}
	if !m.tour.advanceTour(at, msg) {
		return nil
	}
	return tea.Batch(m.endTour(), widget.NotifyCmd(widget.Info, "that was the tour"))
}

// endTour takes the tour away for good.
func (m *Model) endTour() tea.Cmd {
	end := m.tour.endTour()
	return tea.Batch(m.resizeScreens(), end)
}

// mostCopied is how many bytes are copied: terminals take no more of the
// sequence that carries them than about a hundred thousand.
const mostCopied = 70_000

// clipboard hands a text to the terminal, which does not say whether it took it; nil: there is no way.
type clipboard func(text string) tea.Cmd

// copyText copies a text that is called what. What control characters it has are
// made visible: whoever pastes it into a shell runs nothing.
func (c clipboard) copyText(what, text string) tea.Cmd {
	if c == nil {
		return widget.NotifyCmd(widget.Info, "this terminal cannot be asked to copy")
	}
	said := "copied " + what
	text = widget.CleanText(text)
	if len(text) > mostCopied {
		text = strings.ToValidUTF8(text[:mostCopied], "")
		said += ": its first " + widget.FormatCount(mostCopied) + " bytes"
	}
	return tea.Batch(c(text), widget.NotifyCmd(widget.Info, said+", if the terminal takes it"))
}

func (c clipboard) copyFromScreen(s Screen) tea.Cmd {
	what, text := "", ""
	if from, ok := s.(Copier); ok && !s.IsTyping() {
		what, text = from.CopyText()
	}
	if text == "" {
		return widget.NotifyCmd(widget.Info, "nothing is selected that can be copied")
	}
	return c.copyText(what, text)
}

// copyCommand says how a command is called, and has it copied where it can be.
func (c clipboard) copyCommand(cmd Command) tea.Cmd {
	text := "in a shell: " + cmd.Usage
	if c == nil {
		return widget.NotifyCmd(widget.Info, text)
	}
	return tea.Batch(c(cmd.Usage), widget.NotifyCmd(widget.Info, text+" (copied, if the terminal takes it)"))
}

// rootKeySet are the root's own bindings. Digits and upper-case letters belong to labels: these are none.
type rootKeySet struct {
	prev, next, help, back, leave, quit, redraw, person, palette, copy, copyThis, tour key.Binding

	tabs [tabCount]key.Binding
}

func newKeys() rootKeySet {
	return rootKeySet{
		prev:     keymap.Everywhere.BindAction("previous_tab"),
		next:     keymap.Everywhere.BindAction("next_tab"),
		help:     keymap.Everywhere.BindAction("help"),
		back:     keymap.Everywhere.BindAction("back"),
		leave:    keymap.Everywhere.BindAction("leave"),
		quit:     widget.NewBinding("ctrl+c", "save and quit", "ctrl+c"),
		redraw:   keymap.Everywhere.BindAction("redraw"),
		palette:  keymap.Everywhere.BindJoined("everything by name", "palette"),
		copy:     keymap.Everywhere.BindAction("copy"),
		person:   keymap.Everywhere.BindAction("work_as"),
		copyThis: widget.NewBinding("y", "copy what is selected", "y", "f2"),
		tour:     keymap.Everywhere.BindAction("end_tour"),
		tabs: [tabCount]key.Binding{
			keymap.Everywhere.BindAction("show_runs"),
			keymap.Everywhere.BindAction("show_review"),
			keymap.Everywhere.BindAction("show_report"),
			keymap.Everywhere.BindAction("show_criteria"),
			{}, // curation: no letter is left that no screen needs
		},
	}
}

// helpGroups is the page of all keys, with the person's.
func helpGroups(k *rootKeySet, nav *screenStacks) []widget.Group {
	rest := rootHelpKeys(k, nav)
	if nav.copiesByLetter() {
		rest = append(rest, nav.keyPlace().BindAction("copy_this"))
	}
	return translateGroups(append(nav.topScreen().HelpGroups(), widget.Group{Title: "Everywhere", Keys: rest}), nav.keys, nav.keyPlace())
}

// rootHelpKeys is the root's part of the page: without the keys of tabs that there
// are not, nor, of whoever came in as somebody, that of being somebody else.
func rootHelpKeys(k *rootKeySet, nav *screenStacks) []key.Binding {
	var out []key.Binding
	for t := range TabCurate {
		if nav.can.hasTab(t) {
			out = append(out, k.tabs[t])
		}
	}
	if nav.nextTab(1) != nav.tab {
		out = append(out, k.prev, k.next)
	}
	if !nav.can.isGuest() {
		out = append(out, k.person)
	}
	out = append(out, k.back, k.leave, k.quit, k.redraw, k.copy, k.palette, k.help)
	return slices.DeleteFunc(out, func(b key.Binding) bool { return nav.keys.IsLabel(nav.keyPlace(), b.Keys()[0]) })
}
