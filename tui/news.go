package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// pause is how long the screen rests between two looks at the facts: ten times
// a second is as often as anybody reads.
const pause = time.Second / 10

type (
	changed struct{} // facts have changed
	moved   struct{} // somebody else has sat down, left or moved on
	// rested is that marks may be waited for again.
	rested struct {
		mark <-chan struct{}
		then tea.Msg
	}
)

// wait waits for a mark, and tells of it by a message.
func (m *Model) wait(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	ctx, calm := m.ctx, m.deps.Calm
	if mark == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case _, ok := <-mark:
			if !ok {
				return nil
			}
			if calm != nil {
				return later(ctx, calm(), then)
			}
			return then
		case <-ctx.Done():
			return nil
		}
	}
}

// later gives a message when a while has passed; nil when that ends before.
func later(ctx context.Context, d time.Duration, then tea.Msg) tea.Msg {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return then
	case <-ctx.Done():
		return nil
	}
}

// news lets the visible screen read again, and only then looks for the next
// mark: marks that come in between are one mark.
func (m *Model) news(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case changed:
		m.report.Stale()
		return tea.Batch(m.top().Refresh(), m.rest(m.deps.Changed, msg)), true
	case moved:
		return tea.Batch(m.top().Refresh(), m.rest(m.deps.Moved, msg)), true
	case rested:
		return m.wait(msg.mark, msg.then), true
	}
	return nil, false
}

// rest lets a while pass before the next mark is looked for.
func (m *Model) rest(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	return tea.Tick(pause, func(time.Time) tea.Msg { return rested{mark, then} })
}
