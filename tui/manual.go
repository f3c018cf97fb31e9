package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// manual is the page of all keys. The zero value is closed.
type manual struct {
	open   bool
	top    int
	filter widget.Filter
}

// press takes a key while the page is open; page is how many lines are seen.
func (p *manual) press(msg tea.KeyMsg, page int) {
	switch name := msg.String(); {
	case name == "esc" && p.filter.Clear():
		p.top = 0
	case p.filter.Typing():
		if p.filter.Press(msg) {
			p.top = 0
		}
	case name == "/":
		p.filter.Start()
	case name == "up", name == "k":
		p.top = max(0, p.top-1)
	case name == "down", name == "j":
		p.top++
	case name == "pgdown", name == "ctrl+d":
		p.top += page
	case name == "pgup", name == "ctrl+u":
		p.top = max(0, p.top-page)
	case name == "g", name == "home":
		p.top = 0
	case name == "G", name == "end":
		p.top = 1 << 20 // drawing holds it within the lines
	case name == "esc", name == "q", name == "?", name == "f1", name == "enter":
		p.open = false
	}
}

// lines draws the page.
func (p *manual) lines(t *widget.Theme, groups []widget.Group, width, height int) []string {
	inner := max(1, width-2)
	page, top, more := widget.Columns(t.Help(inner, p.searched(append(groups, glossary()))...), inner, max(1, height-1), p.top)
	p.top = top
	note := t.Filter(&p.filter, max(24, width/2))
	if more > 0 {
		note = strings.TrimSpace(widget.Plural(more, "line") + " more below  " + note)
	}
	out := []string{t.Section("Keys", note, true, width)}
	for _, l := range page {
		out = append(out, " "+l)
	}
	return widget.Block(out, width, height)
}

// searched are the keys that what is typed leaves: by their name, by what they
// do, or by the group that they stand in.
func (p *manual) searched(groups []widget.Group) []widget.Group {
	if !p.filter.On() {
		return groups
	}
	var out []widget.Group
	for _, g := range groups {
		g.Keys = widget.Sift(&p.filter, g.Keys, func(k *key.Binding) []string {
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

// keys are those of the page itself.
func (p *manual) keys() []key.Binding {
	if p.filter.Typing() {
		return widget.FilterKeys()
	}
	return []key.Binding{
		widget.Bind("/", "search", "/"), widget.Bind("↑↓", "scroll", "up"), widget.Bind("pgdn", "page", "pgdown"), widget.Bind("esc", "close", "esc"),
	}
}

// spelled are groups with the keys that the person has at a place.
func spelled(groups []widget.Group, chosen *keymap.Keymap, at keymap.Place) []widget.Group {
	if at == "" {
		return groups
	}
	family := chosen.Family(at)
	for i := range groups {
		keys := make([]key.Binding, len(groups[i].Keys))
		for j, k := range groups[i].Keys {
			keys[j] = chosen.Binding(k, family...)
		}
		groups[i].Keys = keys
	}
	return groups
}
