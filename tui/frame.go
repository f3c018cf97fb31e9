package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

const (
	footerHeight = 1
	tallFrom     = 16  // from here the header has its rule, and the tour its line
	roomy        = 120 // from here the footer has room for what is not of the screen
)

// headerLines is how many lines the header takes on a terminal of a height.
func headerLines(height int) int {
	if height < tallFrom {
		return 1
	}
	return 2
}

// bodyHeight is what is left for the screen.
func (m *Model) bodyHeight() int {
	return max(0, m.height-headerLines(m.height)-footerHeight-len(m.theme.Toasts(&m.toasts, m.width))-len(m.tour.lines(m.width, m.height)))
}

// resize gives the screens their room. The one that is seen may have to draw
// a picture anew for it.
func (m *Model) resize() tea.Cmd {
	m.nav.resize(m.width, m.bodyHeight())
	return m.nav.top().Refresh()
}

// faded tells that a notice may have had its time.
type faded struct{}

func (m *Model) notify(n widget.Notify) tea.Cmd {
	after := m.toasts.Add(n, m.deps.Now())
	cmd := m.resize()
	if after == 0 {
		return cmd
	}
	return tea.Batch(cmd, tea.Tick(after, func(time.Time) tea.Msg { return faded{} }))
}
