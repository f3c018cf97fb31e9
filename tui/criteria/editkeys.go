package criteria

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/tui/widget"
)

// editKeys are the keys of the editor: all else is text.
func editKeys() []key.Binding {
	return []key.Binding{
		widget.Bind("esc", "leave, keep the draft", "esc"),
		widget.Bind("ctrl+t", "type", "ctrl+t"),
		widget.Bind("ctrl+n", "add", "ctrl+n"),
		widget.Bind("tab", "next", "tab", "shift+tab"),
		widget.Bind("ctrl+x", "remove", "ctrl+x"),
		widget.Bind("alt+↑↓", "move", "alt+up", "alt+down"),
		widget.Bind("ctrl+z", "back", "ctrl+z"),
		widget.Bind("ctrl+r", "forth", "ctrl+r"),
		widget.Bind("ctrl+s", "save now", "ctrl+s"),
		widget.Bind("ctrl+g", "guideline", "ctrl+g"),
	}
}

// pressEditor takes a key while criteria are written.
func (m *Model) pressEditor(msg tea.KeyMsg) tea.Cmd {
	e := m.page.editor
	n := len(e.fields)
	switch msg.String() {
	case "tab":
		e.focus = (e.focus + 1) % n
		e.point()
		return nil
	case "shift+tab":
		e.focus = (e.focus + n - 1) % n
		e.point()
		return nil
	case "ctrl+t":
		e.remember()
		e.fields[e.focus].kind = e.fields[e.focus].kind%criteria.Guideline + 1
	case "ctrl+n":
		return m.addField(e)
	case "ctrl+x":
		e.remove()
		m.fit()
	case "alt+up", "alt+down":
		e.shift(map[bool]int{true: -1, false: 1}[msg.String() == "alt+up"])
	case "ctrl+z":
		if !e.back() {
			return notify(widget.Info, "nothing was written before this")
		}
		m.fit()
	case "ctrl+r":
		if !e.forth() {
			return notify(widget.Info, "nothing to do again")
		}
		m.fit()
	case "ctrl+s":
		m.deps.Writer.Retry()
		m.save(true)
		return nil
	case "ctrl+g":
		e.guide, e.top = !e.guide, 0
		return nil
	case "pgup", "pgdown":
		e.top = max(0, e.top+map[bool]int{true: -5, false: 5}[msg.String() == "pgup"])
		return nil
	default:
		if e.guide {
			e.guide = false
		}
		a := &e.fields[e.focus].area
		msg.Runes = []rune(widget.Tame(string(msg.Runes)))
		*a, _ = a.Update(msg)
	}
	return m.touched(e)
}

// addField begins another criterion behind the one with the focus.
func (m *Model) addField(e *editor) tea.Cmd {
	if len(e.fields) >= criteria.Most {
		return notify(widget.Info, "three criteria are the most: put demands together, or remove one (ctrl+x)")
	}
	e.remember()
	e.focus++
	e.fields = slices.Insert(e.fields, e.focus, field{area: widget.Multiline("")})
	m.fit()
	e.point()
	return nil
}

// remove takes the criterion with the focus away; ctrl+z brings it back.
func (e *editor) remove() {
	e.remember()
	if len(e.fields) == 1 {
		e.fields[0] = field{area: widget.Multiline("")}
	} else {
		e.fields = slices.Delete(e.fields, e.focus, e.focus+1)
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.point()
}

// shift moves the criterion with the focus up or down.
func (e *editor) shift(by int) {
	to := e.focus + by
	if to < 0 || to >= len(e.fields) {
		return
	}
	e.remember()
	e.fields[e.focus], e.fields[to] = e.fields[to], e.fields[e.focus]
	e.focus = to
	e.point()
}
