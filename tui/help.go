package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// pressHelp takes a key while the page of all keys is open.
func (m *Model) pressHelp(msg tea.KeyMsg) tea.Cmd {
	page := max(1, m.bodyHeight()-2)
	switch name := msg.String(); {
	case name == "esc" && m.helpFilter.Clear():
		m.helpTop = 0
	case m.helpFilter.Typing():
		if m.helpFilter.Press(msg) {
			m.helpTop = 0
		}
	case name == "/":
		m.helpFilter.Start()
	case name == "up", name == "k":
		m.helpTop = max(0, m.helpTop-1)
	case name == "down", name == "j":
		m.helpTop++
	case name == "pgdown", name == "ctrl+d", name == " ":
		m.helpTop += page
	case name == "pgup", name == "ctrl+u":
		m.helpTop = max(0, m.helpTop-page)
	case name == "g", name == "home":
		m.helpTop = 0
	case name == "G", name == "end":
		m.helpTop = 1 << 20 // drawing holds it within the lines
	case name == "esc", name == "q", name == "?", name == "enter":
		m.helping = false
	}
	return nil
}

// helpLines draws the page.
func (m *Model) helpLines(height int) []string {
	inner := max(1, m.width-2)
	page, top, more := widget.Columns(m.theme.Help(inner, m.searched()...), inner, max(1, height-1), m.helpTop)
	m.helpTop = top
	note := m.theme.Filter(&m.helpFilter, max(24, m.width/2))
	if more > 0 {
		note = strings.TrimSpace(widget.Plural(more, "line") + " more below  " + note)
	}
	out := []string{m.theme.Section("Keys", note, true, m.width)}
	for _, l := range page {
		out = append(out, " "+l)
	}
	return widget.Block(out, m.width, height)
}

// searched are the keys that what is typed leaves: by their name, by what they
// do, or by the group that they stand in.
func (m *Model) searched() []widget.Group {
	if !m.helpFilter.On() {
		return m.help()
	}
	var out []widget.Group
	for _, g := range m.help() {
		g.Keys = widget.Sift(&m.helpFilter, g.Keys, func(k *key.Binding) []string {
			return []string{k.Help().Key, k.Help().Desc, g.Title}
		})
		if len(g.Keys) > 0 {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return []widget.Group{{Title: "No key is called so, or does that"}}
	}
	return out
}

// helpKeys are those of the page itself.
func (m *Model) helpKeys() []key.Binding {
	if m.helpFilter.Typing() {
		return widget.FilterKeys()
	}
	return []key.Binding{
		widget.Bind("/", "search", "/"), widget.Bind("↑↓", "scroll", "up"), widget.Bind("space", "page", " "), widget.Bind("esc", "close", "esc"),
	}
}

// help is the page of all keys, with the person's.
func (m *Model) help() []widget.Group {
	everywhere := m.keys.all()
	if m.copiesByLetter() {
		everywhere = append(everywhere, m.keys.copyThis)
	}
	groups := append(m.top().Help(), widget.Group{Title: "Everywhere", Keys: everywhere})
	at := m.place()
	if at == "" {
		return groups
	}
	family := keymap.Family(at)
	for i := range groups {
		keys := make([]key.Binding, len(groups[i].Keys))
		for j, k := range groups[i].Keys {
			keys[j] = m.deps.Keys.Binding(k, family...)
		}
		groups[i].Keys = keys
	}
	return groups
}
