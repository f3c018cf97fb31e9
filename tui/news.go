package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// pause is how long the screen rests between two looks at the facts: ten times
// a second is as often as anybody reads.
const pause = time.Second / 10

type (
	changed struct{} // facts have changed
	rested  struct{} // and may be asked about again
)

// wait waits for the mark that facts have changed.
func (m *Model) wait() tea.Cmd {
	mark, ctx := m.deps.Changed, m.ctx
	if mark == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case _, ok := <-mark:
			if !ok {
				return nil
			}
			return changed{}
		case <-ctx.Done():
			return nil
		}
	}
}

// news lets the visible screen read again, and only then looks for the next
// mark: marks that come in between are one mark.
func (m *Model) news(msg tea.Msg) (tea.Cmd, bool) {
	switch msg.(type) {
	case changed:
		m.report.Stale()
		rest := tea.Tick(pause, func(time.Time) tea.Msg { return rested{} })
		return tea.Batch(m.top().Refresh(), rest), true
	case rested:
		return m.wait(), true
	}
	return nil, false
}
