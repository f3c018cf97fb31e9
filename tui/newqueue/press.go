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
	if m.field().Press(msg) {
		return m.changed()
	}
	return nil
}

// move goes to another field; one that means nothing is passed over.
func (m *Model) move(by int) {
	m.dataset.Clear()
	m.run.Clear()
	for fields := m.fields(); ; {
		m.at = (m.at + by + len(fields)) % len(fields)
		if fields[m.at].Off == "" {
			return
		}
	}
}

// fields are the lines of the form as they stand.
func (m *Model) fields() []form.Field {
	many := form.Field{Figure: &m.number, Note: "predictions"}
	switch m.size {
	case sizeShare:
		many = form.Field{Figure: &m.share, Note: "% of them"}
	case sizeAll:
		many.Off = "of a percentage or a number"
	}
	return []form.Field{
		{Label: "dataset", Pick: &m.dataset, Then: m.showRuns},
		{Label: "model", Pick: &m.run},
		{Label: "which", Names: populationNames(), At: &m.from, Then: m.suggest},
		{Label: "sample size", Names: sizes[:], At: &m.size},
		many,
		{Label: "annotators", Figure: &m.overlap, Note: "per item"},
		{Label: "name", Line: &m.name, Most: 60, Note: "a name", Then: func() { m.named = true }},
		{Label: "guideline", Line: &m.guideline, Most: 400, Note: "a text file; without one the standard guideline"},
	}
}

// field is the one that keys go to.
func (m *Model) field() *form.Field { return &m.fields()[m.at] }

// showRuns offers the runs of another dataset.
func (m *Model) showRuns() {
	if m.runsOf != m.dataset.Value() {
		m.runsOf = m.dataset.Value()
		m.run.SetNames(m.runNames())
	}
}

func populationNames() []string {
	out := make([]string, len(populations))
	for i, p := range populations {
		out[i] = p.Word()
		if p == annotate.FromAll {
			out[i] = "all answers"
		}
	}
	return out
}
