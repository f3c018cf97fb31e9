package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
)

// label is the action that gives a reading.
func label(r annotate.Reading) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return m.Work.Label(r) }
}

func choose(m *Model, key string) tea.Cmd {
	at, ok := labeloption.Find(m.Body().choices, key)
	switch {
	case !ok && labeloption.Scored(&m.Body().Item):
		m.Refusal = key + ": scores go from 1 to 5"
	case !ok:
		m.Refusal = key + ": no option has this key"
	case !m.item.turnTo(m.Body(), at):
		return m.Work.Label(m.Body().choices[at].Reading())
	}
	return nil
}

func startPicking(m *Model, _ string) tea.Cmd {
	m.Mode, m.item.picked = picking, make(map[eval.Choice]bool)
	return nil
}

func pick(m *Model, key string) tea.Cmd {
	at, ok := labeloption.Find(m.Body().choices, key)
	switch {
	case !ok:
		m.Refusal = key + ": no option has this key"
	case !m.item.turnTo(m.Body(), at):
		c := m.Body().choices[at].Choice
		m.item.picked[c] = !m.item.picked[c]
	}
	return nil
}

func savePicked(m *Model, _ string) tea.Cmd {
	r := annotate.Reading{Verdict: annotate.SaidAmbiguous}
	for _, c := range m.Body().choices {
		if m.item.picked[c.Choice] {
			r.Several = append(r.Several, c.Choice)
		}
	}
	m.Mode = annotation.Reading
	return m.Work.Label(r)
}
