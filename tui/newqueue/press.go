package newqueue

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/form"
)

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if !m.loaded || m.making || m.empty() != "" {
		return nil
	}
	if msg.Type == tea.KeyEnter {
		return m.make()
	}
	was := m.order()
	if !form.Step(m.fields(), &m.at, msg) && m.field().Press(msg) {
		m.trouble = ""
	}
	return m.drawing.Changed(was)
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
