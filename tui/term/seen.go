package term

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// fronted is a model that says what its frame has in front: a value that can be
// compared, and that changes with all that a key may be meant for. nil: nothing.
type fronted interface{ Front() any }

// keyed is a model that is told with each key what the terminal showed when it was
// typed: front is what the frame there has in front, and age how long that had
// been there. A negative age is a key that was typed before.
type keyed interface {
	Press(msg tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd)
}

// gap is how long the program waits for a message at least before a key that
// came meanwhile counts as typed just now; backlog is the longest that a key is
// thought to have waited for its turn.
const (
	gap     = 200 * time.Microsecond
	backlog = 500 * time.Millisecond
)

func frontOf(m tea.Model) any {
	if f, ok := m.(fronted); ok {
		return f.Front()
	}
	return nil
}

// written notes what the frame that has been written has in front; nil: the
// screen shows something else.
func (p *Painter) written(front any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if front == nil || front != p.front {
		p.front, p.since = front, time.Now()
	}
}

// begins notes that a message is handled.
func (p *Painter) begins(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.idle) > gap {
		p.busy0 = now
	}
}

// ends notes that a message has been handled and the frame made.
func (p *Painter) ends(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = now
}

// shownAt is what the screen shows while a key is handled, and for how long it
// had done so when the key was typed. A program that was busy may have let the
// key wait since it began to be: then counts what was there at that moment.
func (p *Painter) shownAt(now time.Time) (front any, age time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	typed := p.busy0
	if now.Sub(typed) > backlog {
		typed = now.Add(-backlog)
	}
	return p.front, typed.Sub(p.since)
}
