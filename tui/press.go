package tui

import (
	"slices"
	"strings"

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
	long := len(msg.Runes) > longestName && m.nav.top().Typing()
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
	if m.width > 0 && widget.TooSmall(m.width, m.height) != "" && !key.Matches(msg, m.keys.quit) {
		return nil // nobody sees what it would do
	}
	if msg.Type == tea.KeyF1 {
		m.finder.close()
	}
	if m.finder.isOpen() && !m.quit.saving && !key.Matches(msg, m.keys.quit) {
		return m.pressPalette(msg)
	}
	known, ok := m.nav.translate(msg)
	if !ok {
		return m.gone(msg)
	}
	return tea.Batch(m.act(known, m.nav.keys.Label(m.nav.place(), msg.String())), m.tourOn(known))
}

// act does what a key means by default. A label is a letter that is no command
// here: it is the screen's.
func (m *Model) act(msg tea.KeyMsg, label bool) tea.Cmd {
	k := &m.keys
	switch {
	case key.Matches(msg, k.quit):
		return m.quit.start()
	case m.quit.saving:
		return nil
	case key.Matches(msg, k.tour) && m.tour.on():
		return m.endTour()
	case m.manual.open:
		m.manual.press(msg, max(1, m.bodyHeight()-2))
		return nil
	case key.Matches(msg, k.redraw):
		return redraw(m.deps.Resend)
	case key.Matches(msg, k.copy):
		if p := m.toasts.Problem(); p != "" {
			return clipboard(m.deps.Copy).copy("the error", p)
		}
		return clipboard(m.deps.Copy).screen(m.nav.top())
	case key.Matches(msg, k.back):
		return m.back()
	case msg.Type == tea.KeyF1: // also where text is typed
		m.manual = manual{open: true}
		return nil
	case (label || m.nav.top().Typing() || msg.Paste) && (!m.person.asks() || !key.Matches(msg, k.next, k.prev)):
		return m.hand(msg)
	case key.Matches(msg, k.palette) && m.nav.place() != "":
		return m.finder.open()
	case key.Matches(msg, k.help):
		m.manual = manual{open: true}
		return nil
	case key.Matches(msg, k.copyThis) && m.nav.copiesByLetter():
		return clipboard(m.deps.Copy).screen(m.nav.top())
	case key.Matches(msg, k.person):
		return m.person.handOver()
	case key.Matches(msg, k.leave):
		return m.leave()
	case key.Matches(msg, k.next):
		return m.tabs.jump(m.nav.beside(1))
	case key.Matches(msg, k.prev):
		return m.tabs.jump(m.nav.beside(tabCount - 1))
	}
	for i := range k.tabs {
		if key.Matches(msg, k.tabs[i]) {
			return m.tabs.jump(Tab(i))
		}
	}
	return m.hand(msg)
}

// hand gives a key to the screen that is seen.
func (m *Model) hand(msg tea.KeyMsg) tea.Cmd {
	if m.seen.unseen(m.nav.top(), m.Front(), msg.String()) {
		return nil
	}
	return m.nav.top().Update(msg)
}

// back leaves one level: a problem that is shown, something open within the
// screen, the screen, the tab. It never quits.
func (m *Model) back() tea.Cmd {
	if m.toasts.Dismiss() {
		return m.resize()
	}
	if m.person.keepOn() {
		return m.nav.top().Refresh()
	}
	if m.nav.top().Back() {
		return nil
	}
	cmd, ok := m.tabs.pop()
	if !ok && m.nav.tab != m.nav.can.home() {
		return m.tabs.show(m.nav.can.home())
	}
	return cmd
}

// leave leaves the view: the screen, else the tab, else the app.
func (m *Model) leave() tea.Cmd {
	if m.nav.top().Back() {
		return nil
	}
	if cmd, ok := m.tabs.pop(); ok {
		return cmd
	}
	if m.nav.tab != m.nav.can.home() {
		return m.tabs.show(m.nav.can.home())
	}
	return m.quit.start()
}

// redraw draws everything anew, after the pictures that the terminal may have
// lost are there again.
func redraw(resend func() error) tea.Cmd {
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
	desc, keys := m.nav.keys.Gone(m.nav.place(), pressed)
	said := keymap.Written(pressed) + " has been moved: " + desc + " is " + keys
	if desc == "" {
		said = keymap.Written(pressed) + " is no key of this screen"
	}
	return m.notify(widget.Notify{Level: widget.Info, Text: said})
}

// pressPalette takes a key while the palette is open.
func (m *Model) pressPalette(msg tea.KeyMsg) tea.Cmd {
	chosen, cmd := m.finder.press(msg, m.keys.back)
	if chosen == nil {
		return cmd
	}
	return m.choose(chosen)
}

// choose does what was chosen.
func (m *Model) choose(what tea.Msg) tea.Cmd {
	switch what := what.(type) {
	case pressed:
		return m.act(keymap.Msg(what.key), false)
	case wantTab:
		return m.tabs.show(what.tab)
	case wantPage:
		return m.tabs.showPage(what.page)
	case wantData:
		m.tabs.criteria.Open(what.dataset)
		return m.tabs.show(TabCriteria)
	case wantFound:
		return m.opener.openFound(what.sample)
	case wantShell:
		return clipboard(m.deps.Copy).command(what.command)
	}
	return send(what)
}

// tourOn goes on with the tour by what was done.
func (m *Model) tourOn(msg tea.Msg) tea.Cmd {
	at := appState{tab: m.nav.tab, working: m.person.who != "" && len(m.nav.stacks[TabReview]) > 1, helped: m.finder.isOpen() || m.manual.open}
	if !m.tour.goOn(at, msg) {
		return nil
	}
	return tea.Batch(m.endTour(), send(widget.Notify{Level: widget.Info, Text: "that was the tour"}))
}

// endTour takes the tour away for good.
func (m *Model) endTour() tea.Cmd {
	end := m.tour.end()
	return tea.Batch(m.resize(), end)
}

// mostCopied is how many bytes are copied: terminals take no more of the
// sequence that carries them than about a hundred thousand.
const mostCopied = 70_000

// clipboard hands a text to the terminal, which does not say whether it took
// it; nil: there is no way.
type clipboard func(text string) tea.Cmd

// copy copies a text that is called what. What control characters it has are
// made visible: whoever pastes it into a shell runs nothing.
func (c clipboard) copy(what, text string) tea.Cmd {
	if c == nil {
		return send(widget.Notify{Level: widget.Info, Text: "this terminal cannot be asked to copy"})
	}
	said := "copied " + what
	text = widget.Clean(text)
	if len(text) > mostCopied {
		text = strings.ToValidUTF8(text[:mostCopied], "")
		said += ": its first " + widget.Count(mostCopied) + " bytes"
	}
	return tea.Batch(c(text), send(widget.Notify{Level: widget.Info, Text: said + ", if the terminal takes it"}))
}

// screen copies what is in front on a screen.
func (c clipboard) screen(s Screen) tea.Cmd {
	what, text := "", ""
	if from, ok := s.(Copier); ok && !s.Typing() {
		what, text = from.Copied()
	}
	if text == "" {
		return send(widget.Notify{Level: widget.Info, Text: "nothing is selected that can be copied"})
	}
	return c.copy(what, text)
}

// command says how a command is called, and has it copied where it can be.
func (c clipboard) command(cmd Command) tea.Cmd {
	text := "in a shell: " + cmd.Usage
	if c == nil {
		return send(widget.Notify{Level: widget.Info, Text: text})
	}
	return tea.Batch(c(cmd.Usage), send(widget.Notify{Level: widget.Info, Text: text + " (copied, if the terminal takes it)"}))
}

// keys are the root's own bindings. Digits and upper-case letters belong to
// labels, so none of these is one.
type keys struct {
	prev, next, help, back, leave, quit, redraw, person, palette, copy, copyThis, tour key.Binding

	tabs [tabCount]key.Binding
}

func newKeys() keys {
	return keys{
		prev:     keymap.Everywhere.Bind("previous_tab"),
		next:     keymap.Everywhere.Bind("next_tab"),
		help:     keymap.Everywhere.Bind("help"),
		back:     keymap.Everywhere.Bind("back"),
		leave:    keymap.Everywhere.Bind("leave"),
		quit:     widget.Bind("ctrl+c", "save and quit", "ctrl+c"),
		redraw:   keymap.Everywhere.Bind("redraw"),
		palette:  keymap.Everywhere.Join("everything by name", "palette"),
		copy:     keymap.Everywhere.Bind("copy"),
		person:   keymap.Everywhere.Bind("work_as"),
		copyThis: widget.Bind("y", "copy what is selected", "y", "f2"),
		tour:     keymap.Everywhere.Bind("end_tour"),
		tabs: [tabCount]key.Binding{
			keymap.Everywhere.Bind("show_runs"),
			keymap.Everywhere.Bind("show_review"),
			keymap.Everywhere.Bind("show_report"),
			keymap.Everywhere.Bind("show_criteria"),
			{}, // curation: no letter is left that no screen needs
		},
	}
}

// help is the page of all keys, with the person's.
func help(k *keys, nav *navigation) []widget.Group {
	rest := rootHelp(k, nav)
	if nav.copiesByLetter() {
		rest = append(rest, nav.place().Bind("copy_this"))
	}
	return spelled(append(nav.top().Help(), widget.Group{Title: "Everywhere", Keys: rest}), nav.keys, nav.place())
}

// rootHelp is the root's part of the page: without the keys of tabs that there
// are not, nor, of whoever came in as somebody, that of being somebody else.
func rootHelp(k *keys, nav *navigation) []key.Binding {
	var out []key.Binding
	for t := range TabCurate {
		if nav.can.has(t) {
			out = append(out, k.tabs[t])
		}
	}
	if nav.beside(1) != nav.tab {
		out = append(out, k.prev, k.next)
	}
	if !nav.can.guest() {
		out = append(out, k.person)
	}
	out = append(out, k.back, k.leave, k.quit, k.redraw, k.copy, k.palette, k.help)
	return slices.DeleteFunc(out, func(b key.Binding) bool { return nav.keys.Label(nav.place(), b.Keys()[0]) })
}
