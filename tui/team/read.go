package team

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// How often the team is read: news comes as often as somebody labels, and times
// go on without any.
const (
	soonest = time.Second
	latest  = 5 * time.Second
)

// reading is where the page stands with reading the team.
type reading struct {
	n      int  // of readings begun
	under  bool // one is under way
	again  bool // news came meanwhile
	loaded bool
	at     time.Time // of the last one
	err    error
}

type (
	// team is what was read.
	team struct {
		of  *Model
		all []Member
		err error
	}
	// due says that the reading after the n-th is due.
	due struct {
		of *Model
		n  int
	}
)

// read reads the team.
func (m *Model) read() tea.Cmd {
	if m.closed {
		return nil
	}
	if m.people.reading.under {
		m.people.reading.again = true
		return nil
	}
	m.people.reading.n++
	m.people.reading.under, m.people.reading.again = true, false
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		all, err := source.Team(ctx)
		return team{m, all, err}
	}
}

// Refresh reads the team again, soon: there may be news ten times a second.
func (m *Model) Refresh() tea.Cmd {
	left := soonest - m.deps.Now().Sub(m.people.reading.at)
	if m.people.reading.under || !m.people.reading.loaded || left <= 0 {
		return m.read()
	}
	if m.people.reading.again {
		return nil // it is due already
	}
	m.people.reading.again = true
	return m.later(left)
}

// later reads the team again after a while, unless it was read meanwhile.
func (m *Model) later(after time.Duration) tea.Cmd {
	n := m.people.reading.n
	return tea.Tick(after, func(time.Time) tea.Msg { return due{m, n} })
}

// take takes the team up.
func (m *Model) take(msg team) tea.Cmd {
	again := m.people.reading.again
	m.people.reading.under, m.people.reading.again = false, false
	if m.ctx.Err() != nil || m.closed {
		return nil
	}
	if m.people.reading.at, m.people.reading.err = m.deps.Now(), msg.err; msg.err == nil {
		m.people.all, m.people.reading.loaded = msg.all, true
		m.people.sift()
	}
	if again {
		m.people.reading.again = true
		return m.later(soonest)
	}
	return m.later(latest)
}
