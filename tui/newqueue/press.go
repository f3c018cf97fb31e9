package newqueue

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/form"
	"concord/tui/widget"
)

type keys struct {
	make, fields, change, filter, number, text, back key.Binding
}

func newKeys() keys {
	return keys{
		make:   widget.Bind("enter", "make the queue", "enter"),
		fields: widget.Bind("↑↓", "fields", "up", "down", "tab", "shift+tab"),
		change: widget.Bind("←→", "change", "left", "right", " "),
		filter: widget.Bind("a-z", "filter", "letters"),
		number: widget.Bind("0-9", "number", "digits"),
		text:   widget.Bind("a-z", "type", "letters"),
		back:   widget.Bind("esc", "back", "esc"),
	}
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if !m.loaded || m.making || m.empty() != nil {
		return nil
	}
	switch msg.Type {
	case tea.KeyEnter:
		return m.make()
	case tea.KeyUp, tea.KeyShiftTab:
		m.move(-1)
		return nil
	case tea.KeyDown, tea.KeyTab:
		m.move(1)
		return nil
	default:
	}
	if m.edit(msg) {
		return m.changed()
	}
	return nil
}

// move goes to another field; one that means nothing is passed over.
func (m *Model) move(by int) {
	m.dataset.Clear()
	m.run.Clear()
	for {
		m.at = (m.at + field(by) + fieldCount) % fieldCount
		if m.off(m.at) == "" {
			return
		}
	}
}

// off says why a field means nothing now; "" when it does.
func (m *Model) off(f field) string {
	if f == fieldNumber && m.size == sizeAll {
		return "of a share or a number"
	}
	return ""
}

// edit changes the field under the cursor, and reports whether it took the key.
func (m *Model) edit(msg tea.KeyMsg) bool {
	switch m.at {
	case fieldDataset:
		was := m.dataset.Value()
		taken := m.dataset.Press(msg)
		if m.dataset.Value() != was {
			m.run.SetNames(m.runNames())
		}
		return taken
	case fieldRun:
		return m.run.Press(msg)
	case fieldFrom:
		taken := form.Turn(&m.from, populationNames(), msg)
		m.suggest()
		return taken
	case fieldSize:
		return form.Turn(&m.size, sizes[:], msg)
	case fieldNumber:
		return m.figure().Press(msg)
	case fieldOverlap:
		return m.overlap.Press(msg)
	case fieldName:
		m.named = true
		return edit(&m.name, msg, 60)
	case fieldGuideline:
		return edit(&m.guideline, msg, 400)
	case fieldCount:
	}
	return false
}

func (m *Model) figure() *form.Figure {
	if m.size == sizeShare {
		return &m.share
	}
	return &m.number
}

// edit changes a text at its end.
func edit(text *string, msg tea.KeyMsg, longest int) bool {
	switch msg.Type {
	case tea.KeyBackspace:
		r := []rune(*text)
		*text = string(r[:max(0, len(r)-1)])
	case tea.KeyRunes, tea.KeySpace:
		if more := widget.Line(string(msg.Runes)); len(*text)+len(more) <= longest {
			*text += more
		}
	default:
		return false
	}
	return true
}

func populationNames() []string {
	out := make([]string, len(populations))
	for i, p := range populations {
		out[i] = p.String()
		if p == annotate.FromAll {
			out[i] = "all answers"
		}
	}
	return out
}
