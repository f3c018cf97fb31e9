package palette

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Entry is one thing that can be chosen.
type Entry struct {
	Kind  string // what it is, in one word
	Title string
	Words string  // further words by which it is found; they are not shown
	Hint  string  // its keys, or how it is called
	Off   bool    // it cannot be done now
	Do    tea.Msg // what choosing it sends; nil does nothing
}

// Search finds more by a text, at most as many as somebody reads. It is called
// in a command, and ends with ctx. It is true when it did not look everywhere.
type Search func(ctx context.Context, text string) (found []Entry, more bool, err error)

// rest is how long nothing is typed before it is searched.
const rest = 150 * time.Millisecond

// least is how many characters are searched for.
const least = 2

// Model is the dialog while it is open.
type Model struct {
	ctx    context.Context
	theme  *widget.Theme
	search Search

	text    []rune
	entries []Entry
	shown   []int   // places of the entries that match, the best first
	found   []Entry // by the search
	at      widget.Cursor
	height  int // of the list, when it was drawn last

	seq     int // of what was typed last
	stop    context.CancelFunc
	seeking bool
	more    bool
	err     error
}

type (
	// rested tells that nothing was typed since.
	rested struct {
		of  *Model
		seq int
	}
	// found is what a search gave.
	found struct {
		of      *Model
		seq     int
		entries []Entry
		more    bool
		err     error
	}
)

// New opens the dialog. search may be nil; ctx ends what it does.
func New(ctx context.Context, t *widget.Theme, search Search, entries []Entry) *Model {
	m := &Model{ctx: ctx, theme: t, search: search, height: 10}
	m.Add(entries)
	return m
}

// Add takes more entries. The one under the cursor stays under it.
func (m *Model) Add(entries []Entry) {
	was, ok := m.under()
	m.entries = append(m.entries, entries...)
	m.shown = match(string(m.text), m.entries)
	if !ok || m.at.At == 0 {
		m.at.Set(0, m.count(), m.height)
		return
	}
	for i := range m.count() {
		if e := m.entry(i); e.Kind == was.Kind && e.Title == was.Title && e.Hint == was.Hint {
			m.at.Set(i, m.count(), m.height)
			return
		}
	}
}

// Close ends what is under way.
func (m *Model) Close() {
	m.seq++
	if m.stop != nil {
		m.stop()
		m.stop = nil
	}
}

// Update takes what came of a search.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rested:
		if msg.of == m && msg.seq == m.seq {
			return m.seek()
		}
	case found:
		if msg.of == m && msg.seq == m.seq {
			m.seeking, m.found, m.more, m.err = false, msg.entries, msg.more, msg.err
		}
	}
	return nil
}

// seek searches for what stands there.
func (m *Model) seek() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.stop = stop
	search, text, seq := m.search, string(m.text), m.seq
	return func() tea.Msg {
		out := found{of: m, seq: seq}
		out.entries, out.more, out.err = search(ctx, text)
		return out
	}
}

// Press takes a key. It returns the entry that was chosen, if one was; esc is
// its opener's.
func (m *Model) Press(msg tea.KeyMsg) (chosen *Entry, cmd tea.Cmd) {
	switch msg.String() {
	case "enter":
		if e, ok := m.under(); ok {
			return &e, nil
		}
		return nil, nil
	case "up", "ctrl+p", "shift+tab":
		m.at.Move(-1, m.count(), m.height)
	case "down", "ctrl+n", "tab":
		m.at.Move(1, m.count(), m.height)
	case "pgup":
		m.at.Move(-m.height, m.count(), m.height)
	case "pgdown":
		m.at.Move(m.height, m.count(), m.height)
	case "backspace":
		if n := len(m.text); n > 0 {
			return nil, m.typed(m.text[:n-1])
		}
	case "ctrl+u":
		return nil, m.typed(nil)
	default:
		if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
			text := []rune(widget.Line(string(msg.Runes)))
			return nil, m.typed(append(m.text[:len(m.text):len(m.text)], text...))
		}
	}
	return nil, nil
}

// longest is how much can be typed.
const longest = 200

// typed takes another text, and has it searched for once nothing more is
// typed.
func (m *Model) typed(text []rune) tea.Cmd {
	m.text = text[:min(len(text), longest)]
	m.Close()
	m.found, m.more, m.err, m.seeking = nil, false, nil, false
	m.shown = match(string(m.text), m.entries)
	m.at.Set(0, m.count(), m.height)
	if m.search == nil || len(m.text) < least {
		return nil
	}
	m.seeking = true
	seq := m.seq
	return tea.Tick(rest, func(time.Time) tea.Msg { return rested{m, seq} })
}

func (m *Model) count() int { return len(m.shown) + len(m.found) }

func (m *Model) entry(i int) *Entry {
	if i < len(m.shown) {
		return &m.entries[m.shown[i]]
	}
	return &m.found[i-len(m.shown)]
}

func (m *Model) under() (Entry, bool) {
	if m.at.At < 0 || m.at.At >= m.count() {
		return Entry{}, false
	}
	return *m.entry(m.at.At), true
}
