package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// longestName is that of the longest name of a key, ctrl+shift+pgdown.
const longestName = 17

// each takes the keys of a message one by one. Keys that wait in the terminal
// are read together, and bubbletea makes one message of them: a label typed
// ahead would be no key that anybody knows. It calls a message by its text,
// too: the word "left" would move the cursor of the field that it was typed
// into, and be lost. Longer text has no key's name, and stays in one piece
// where it is text; so does what is pasted, whose name has brackets.
func (m *Model) each(msg tea.KeyMsg) tea.Cmd {
	long := len(msg.Runes) > longestName && m.top().Typing()
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 || long {
		return m.press(msg)
	}
	cmds := make([]tea.Cmd, len(msg.Runes))
	for i, r := range msg.Runes {
		cmds[i] = m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt && i == 0})
	}
	return tea.Batch(cmds...)
}

// press takes a key: the root's own first, unless text is being typed.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.palette != nil && !m.quit.saving && !key.Matches(msg, m.keys.quit) {
		return m.pressPalette(msg)
	}
	known, ok := m.translate(msg)
	if !ok {
		return m.gone(msg)
	}
	return tea.Batch(m.act(known), m.tourOn(known))
}

// act does what a key means by default.
func (m *Model) act(msg tea.KeyMsg) tea.Cmd {
	k := &m.keys
	switch {
	case key.Matches(msg, k.quit):
		return m.startQuit()
	case m.quit.saving:
		return nil
	case key.Matches(msg, k.tour) && m.touring():
		return m.endTour()
	case m.manual.open:
		m.manual.press(msg, max(1, m.bodyHeight()-2))
		return nil
	case key.Matches(msg, k.redraw):
		return m.redraw()
	case key.Matches(msg, k.copy):
		return m.copyFront()
	case key.Matches(msg, k.back):
		return m.back()
	case m.top().Typing() || msg.Paste:
		return m.top().Update(msg)
	case key.Matches(msg, k.palette) && m.place() != "":
		return m.openPalette()
	case key.Matches(msg, k.help):
		m.manual = manual{open: true}
		return nil
	case key.Matches(msg, k.copyThis) && m.copiesByLetter():
		return m.copyThis()
	case key.Matches(msg, k.person):
		return m.handOver()
	case key.Matches(msg, k.leave):
		return m.leave()
	case key.Matches(msg, k.next):
		return m.show(m.beside(1))
	case key.Matches(msg, k.prev):
		return m.show(m.beside(tabCount - 1))
	}
	for i := range k.tabs {
		if key.Matches(msg, k.tabs[i]) {
			return m.jump(Tab(i))
		}
	}
	return m.top().Update(msg)
}

// back leaves one level: a problem that is shown, something open within the
// screen, the screen, the tab. It never quits.
func (m *Model) back() tea.Cmd {
	if m.toasts.Dismiss() {
		return m.resize()
	}
	if m.keepOn() {
		return m.top().Refresh()
	}
	if m.top().Back() {
		return nil
	}
	cmd, ok := m.pop()
	if !ok && m.tab != m.home() {
		return m.show(m.home())
	}
	return cmd
}

// leave leaves the view: the screen, else the tab, else the app.
func (m *Model) leave() tea.Cmd {
	if m.top().Back() {
		return nil
	}
	if cmd, ok := m.pop(); ok {
		return cmd
	}
	if m.tab != m.home() {
		return m.show(m.home())
	}
	return m.startQuit()
}

// redraw draws everything anew, after the pictures that the terminal may have
// lost are there again.
func (m *Model) redraw() tea.Cmd {
	resend := m.deps.Resend
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

// gone says of a key that does nothing which one does it.
func (m *Model) gone(msg tea.KeyMsg) tea.Cmd {
	pressed := msg.String()
	desc, keys := m.deps.Keys.Gone(m.place(), pressed)
	return m.notify(widget.Notify{Level: widget.Info, Text: keymap.Written(pressed) + " has been moved: " + desc + " is " + keys})
}

// pressPalette takes a key while the palette is open.
func (m *Model) pressPalette(msg tea.KeyMsg) tea.Cmd {
	if key.Matches(msg, m.keys.back) {
		m.closePalette()
		return nil
	}
	e, cmd := m.palette.Press(msg)
	if e == nil || e.Do == nil {
		return cmd
	}
	m.closePalette()
	return m.choose(e.Do)
}

// choose does what was chosen.
func (m *Model) choose(what tea.Msg) tea.Cmd {
	switch what := what.(type) {
	case pressed:
		return m.act(keymap.Msg(what.key))
	case wantTab:
		return m.show(what.tab)
	case wantPage:
		m.tab = TabReport
		m.unwind()
		m.hear()
		return m.report.ShowPage(what.page)
	case wantTeam:
		return m.team()
	case wantData:
		m.criteria.Open(what.dataset)
		return m.show(TabCriteria)
	case wantFound:
		return m.openFound(what.sample)
	case wantShell:
		return m.tell(what.command)
	}
	return send(what)
}

// tell says how a command is called, and has it copied where it can be.
func (m *Model) tell(c Command) tea.Cmd {
	text := "in a shell: " + c.Usage
	if m.deps.Copy == nil {
		return m.notify(widget.Notify{Level: widget.Info, Text: text})
	}
	return tea.Batch(m.deps.Copy(c.Usage), m.notify(widget.Notify{Level: widget.Info, Text: text + " (copied, if the terminal takes it)"}))
}

// tourOn goes on with the tour by what was done: msg is a key as screens know
// it, or whatever else the app was told.
func (m *Model) tourOn(msg tea.Msg) tea.Cmd {
	if !m.touring() {
		return nil
	}
	all, was := stops(), m.tour.at
	for m.tour.at < len(all) && (all[m.tour.at].done(m, msg) || all[m.tour.at].pass && all[m.tour.at+1].done(m, msg)) {
		m.tour.at, m.tour.saved, msg = m.tour.at+1, m.stored(), nil
	}
	if m.tour.at == was || m.tour.at < len(all) {
		return nil
	}
	return tea.Batch(m.endTour(), send(widget.Notify{Level: widget.Info, Text: "that was the tour"}))
}

// endTour takes the tour away for good.
func (m *Model) endTour() tea.Cmd {
	m.tour.over = true
	end := m.deps.Tour.End
	return tea.Batch(m.resize(), func() tea.Msg {
		if err := end(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: "end the tour: " + err.Error()}
		}
		return nil
	})
}
