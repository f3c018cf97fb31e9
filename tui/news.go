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

// news waits for marks that something has changed.
type news struct {
	ctx     context.Context
	calm    func() time.Duration // how long a mark waits to be looked at; nil: not at all
	changed <-chan struct{}      // one-slot mark that facts have changed; nil: they do not
	moved   <-chan struct{}      // the same, that somebody else has sat down, left or moved on
}

// Init waits for the first marks.
func (n *news) Init() tea.Cmd {
	return tea.Batch(n.wait(n.changed, changed{}), n.wait(n.moved, moved{}))
}

// wait waits for a mark, and tells of it by a message.
func (n *news) wait(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	ctx, calm := n.ctx, n.calm
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

// Update reports whether a message is a mark, by which the visible screen reads
// again, and looks for the next one only then: marks that come in between are
// one mark.
func (n *news) Update(msg tea.Msg) (cmd tea.Cmd, mark bool) {
	switch msg := msg.(type) {
	case changed:
		return rest(n.changed, msg), true
	case moved:
		return rest(n.moved, msg), true
	case rested:
		return n.wait(msg.mark, msg.then), false
	}
	return nil, false
}

// rest lets a while pass before the next mark is looked for.
func rest(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	return tea.Tick(pause, func(time.Time) tea.Msg { return rested{mark, then} })
}
