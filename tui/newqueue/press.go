package newqueue

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
)

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if !m.loaded || m.making || m.whyEmpty() != "" {
		return nil
	}
	if msg.Type == tea.KeyEnter {
		return m.drawQueue()
	}
	was := m.queueOrder()
	if !form.StepField(m.formFields(), &m.at, msg) && m.currentField().HandleKey(msg) {
		m.trouble = ""
	}
	return m.drawing.NoteChange(was)
}

// formFields are the lines of the form as they stand.
func (m *Model) formFields() []form.Field {
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
		{Label: "which", Names: populationNames(), At: &m.from, Then: m.suggestName},
		{Label: "sample size", Names: sizes[:], At: &m.size},
		many,
		{Label: "annotators", Figure: &m.overlap, Note: "per item"},
		{Label: "name", Line: &m.name, Most: 60, Note: "a name", Then: func() { m.named = true }},
		{Label: "guideline", Line: &m.guideline, Most: 400, Note: "a text file; without one the standard guideline"},
	}
}

// currentField is the one that keys go to.
func (m *Model) currentField() *form.Field { return &m.formFields()[m.at] }

// showRuns offers the runs of another dataset.
func (m *Model) showRuns() {
	if m.runsOf != m.dataset.Value() {
		m.runsOf = m.dataset.Value()
		m.run.SetNames(append([]string{everyRun}, eval.Map(m.chosenPool().Runs, func(r Run) string { return r.Name })...))
	}
}

func populationNames() []string {
	out := make([]string, len(populations))
	for i, p := range populations {
		out[i] = p.DisplayName()
		if p == annotate.FromAll {
			out[i] = "all answers"
		}
	}
	return out
}
