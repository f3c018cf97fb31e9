package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// settled is how long an item has to be on the terminal before a key that is
// typed can be meant for it.
const settled = 80 * time.Millisecond

// Recorder is a screen whose keys record what people do to the item in front.
type Recorder interface {
	// InFront is what the frame has in front, to be compared: it changes with the
	// item, with what the keys mean, and with everything that is recorded. nil: an
	// item that the frame does not show whole.
	InFront() any
	// Records reports whether a key records something now.
	Records(key string) bool
}

// seen is what the terminal showed when the key was typed that is handled now,
// and how many keys were ignored since nobody can have meant them.
type seen struct {
	told    bool // the terminal's side has said so; else every key counts
	front   any
	age     time.Duration
	ignored int
}

// Front is what the frame has in front: what the keys of a screen are meant for.
// nil: nothing, or something else lies over it.
func (m *Model) Front() any {
	if widget.TooSmall(m.width, m.height) != "" || m.finder.isOpen() || m.manual.open {
		return nil
	}
	if r, ok := m.nav.top().(Recorder); ok {
		return r.InFront()
	}
	return nil
}

// Press takes a key, with what the terminal showed when it was typed, and for
// how long. Keys that record count only for what was seen; others are dropped
// and counted, and never kept for a later item.
func (m *Model) Press(msg tea.KeyMsg, front any, age time.Duration) (tea.Model, tea.Cmd) {
	m.seen.told, m.seen.front, m.seen.age = true, front, age
	defer func() { m.seen.told = false }()
	return m.Update(msg)
}

// unseen reports whether a key would record something on what was not on the
// terminal when it was typed; such a key is counted. now is what is in front.
func (s *seen) unseen(to Screen, now any, key string) bool {
	r, ok := to.(Recorder)
	if !ok || !s.told || !r.Records(key) || now != nil && now == s.front && s.age >= settled {
		s.ignored = 0
		return false
	}
	s.ignored++
	return true
}

// notice says how many keys were ignored.
func (s *seen) notice() string {
	if s.ignored == 0 {
		return ""
	}
	return " " + widget.Plural(s.ignored, "key") + " ignored: typed before this was on the screen "
}
