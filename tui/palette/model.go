package palette

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

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

	seq           int // of what was typed last
	stop          context.CancelFunc
	seeking, more bool
	err           error
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New opens the dialog. search may be nil; ctx ends what it does.
func New(ctx context.Context, t *widget.Theme, search Search, entries []Entry) *Model {
	m := &Model{ctx: ctx, theme: t, search: search, height: 10}
	m.AddEntries(entries)
	return m
}

// AddEntries takes more entries. The one under the cursor stays under it.
func (m *Model) AddEntries(entries []Entry) {
	was, ok := m.currentEntry()
	m.entries = append(m.entries, entries...)
	m.shown = matchEntries(string(m.text), m.entries)
	if !ok || m.at.At == 0 {
		m.at.MoveTo(0, m.countEntries(), m.height)
		return
	}
	for i := range m.countEntries() {
		if e := m.entryAt(i); e.Kind == was.Kind && e.Title == was.Title && e.Hint == was.Hint {
			m.at.MoveTo(i, m.countEntries(), m.height)
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
	if done, ok := msg.(outcome); ok {
		return done()
	}
	return nil
}

func (m *Model) startSearch() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.stop = stop
	search, text, seq := m.search, string(m.text), m.seq
	return func() tea.Msg {
		entries, more, err := search(ctx, text)
		return outcome(func() tea.Cmd {
			if seq == m.seq {
				m.seeking, m.found, m.more, m.err = false, entries, more, err
			}
			return nil
		})
	}
}

// HandleKey takes a key. It returns the entry that was chosen, if one was; esc is its opener's.
func (m *Model) HandleKey(msg tea.KeyMsg) (chosen *Entry, cmd tea.Cmd) {
	switch msg.String() {
	case "enter":
		if e, ok := m.currentEntry(); ok {
			return &e, nil
		}
		return nil, nil
	case "up", "ctrl+p", "shift+tab":
		m.at.MoveBy(-1, m.countEntries(), m.height)
	case "down", "ctrl+n", "tab":
		m.at.MoveBy(1, m.countEntries(), m.height)
	case "pgup":
		m.at.MoveBy(-m.height, m.countEntries(), m.height)
	case "pgdown":
		m.at.MoveBy(m.height, m.countEntries(), m.height)
	case "backspace":
		if n := len(m.text); n > 0 {
			return nil, m.setSearchText(m.text[:n-1])
		}
	case "ctrl+u":
		return nil, m.setSearchText(nil)
	default:
		if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
			text := []rune(widget.CleanLine(string(msg.Runes)))
			return nil, m.setSearchText(append(m.text[:len(m.text):len(m.text)], text...))
		}
	}
	return nil, nil
}

// longest is how much can be typed.
const longest = 200

// setSearchText takes another text, and has it searched for once nothing more is typed.
func (m *Model) setSearchText(text []rune) tea.Cmd {
	m.text = text[:min(len(text), longest)]
	m.Close()
	m.found, m.more, m.err, m.seeking = nil, false, nil, false
	m.shown = matchEntries(string(m.text), m.entries)
	m.at.MoveTo(0, m.countEntries(), m.height)
	if m.search == nil || len(m.text) < least {
		return nil
	}
	m.seeking = true
	seq := m.seq
	return tea.Tick(rest, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd {
			if seq != m.seq {
				return nil
			}
			return m.startSearch()
		})
	})
}

func (m *Model) countEntries() int { return len(m.shown) + len(m.found) }

func (m *Model) entryAt(i int) *Entry {
	if i < len(m.shown) {
		return &m.entries[m.shown[i]]
	}
	return &m.found[i-len(m.shown)]
}

func (m *Model) currentEntry() (Entry, bool) {
	if m.at.At < 0 || m.at.At >= m.countEntries() {
		return Entry{}, false
	}
	return *m.entryAt(m.at.At), true
}

// entryTitles are the titles of entries, as they are matched loosely.
type entryTitles []Entry

func (n entryTitles) Len() int            { return len(n) }
func (n entryTitles) String(i int) string { return n[i].Title }

// matchEntries gives the places of the entries that a text means, the best first; all of them for no
// text. Spaces part words that may stand in any order: each is a piece of what the entry says of
// itself, or its characters stand in the title in their order, and not too far apart.
func matchEntries(text string, entries []Entry) []int {
	out := make([]int, len(entries))
	for i := range entries {
		out[i] = i
	}
	parts := strings.Fields(strings.ToLower(text))
	if len(parts) == 0 {
		return out
	}
	scores, hits := make([]int, len(entries)), make([]int, len(entries))
	for _, part := range parts {
		loose := make(map[int]int)
		for _, m := range fuzzy.FindFromNoSort(part, entryTitles(entries)) {
			if m.Score > 0 {
				loose[m.Index] = m.Score
			}
		}
		for i := range entries {
			if s := scoreWordInEntry(&entries[i], part, loose[i]); s > 0 {
				hits[i]++
				scores[i] += s
			}
		}
	}
	out = slices.DeleteFunc(out, func(i int) bool { return hits[i] < len(parts) })
	slices.SortStableFunc(out, func(a, b int) int { return scores[b] - scores[a] })
	return out
}

// What a match is worth: a piece of the title, at its beginning or that of a
// word, before a piece of the other words, before scattered characters.
const (
	first  = 4000
	begins = 3000
	piece  = 2000
	beside = 1000
)

// scoreWordInEntry gives what one word of the text is worth for an entry; 0 when it is not
// meant. loose is what its characters are worth that stand apart.
func scoreWordInEntry(e *Entry, part string, loose int) int {
	title := strings.ToLower(e.Title)
	switch at := strings.Index(title, part); {
	case at == 0:
		return first
	case at > 0 && title[at-1] == ' ':
		return begins
	case at > 0:
		return piece
	case strings.Contains(strings.ToLower(e.Kind+" "+e.Words), part):
		return beside
	}
	return min(loose, beside-1)
}

// The rows and cells that the dialog takes of a screen: four fifths of a large one.
const (
	leastRows = 20
	kindWidth = 8
	leastWide = 110
)

// View draws the dialog over the lines of a screen: it takes what it needs, and the rest stays in sight.
func (m *Model) View(screen []string, width, height int) []string {
	if width < 8 || height < 6 {
		return widget.FitBox(screen, width, height)
	}
	inner := min(width-4, max(leastWide, width*4/5))
	m.height = max(1, min(height-5, max(leastRows, height*4/5)))
	m.at.MoveTo(m.at.At, m.countEntries(), m.height)
	lines := append([]string{m.drawField(inner), ""}, m.drawRows(inner)...)
	lines = append(lines, m.theme.Faint.Render(widget.FitWidth(m.formatNote(), inner)))
	box := widget.DrawBox(m.theme, "Go to, or do", lines, inner, width)
	out := widget.FitBox(screen, width, height)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "═", "─") // keys act in the box
		if i < len(box) {
			out[i] = widget.FitWidth(box[i], width)
		}
	}
	return out
}

func (m *Model) drawField(width int) string {
	text := string(m.text)
	for widget.TextWidth(text) > width-4 {
		text = string([]rune(text)[1:]) // its end is where one types
	}
	if text == "" {
		return m.theme.Key.Render("› ") + "▏" + m.theme.Faint.Render(widget.CutWidth("a part of its name", width-4))
	}
	return m.theme.Key.Render("› ") + text + "▏"
}

// drawRows are as much of the list as fits.
func (m *Model) drawRows(width int) []string {
	n := m.countEntries()
	top := max(0, min(m.at.Top, n-m.height))
	out := make([]string, m.height)
	for i := range out {
		if at := top + i; at < n {
			out[i] = m.drawRow(m.entryAt(at), at == m.at.At, width)
		}
	}
	if n == 0 {
		out[0] = m.theme.Faint.Render(widget.CutWidth("  nothing has this name", width))
	}
	return out
}

func (m *Model) drawRow(e *Entry, under bool, width int) string {
	t := m.theme
	hint := widget.CleanLine(e.Hint)
	if e.Off {
		hint = strings.TrimSpace(hint + " (not now)")
	}
	room := max(0, width-2-kindWidth-1)
	hint = widget.CutWidth(hint, room/2)
	title := widget.FitWidth(widget.CleanLine(e.Title), room-widget.TextWidth(hint)-1)
	kind := widget.FitWidth(e.Kind, kindWidth)
	switch {
	case under:
		return t.Key.Render("› ") + t.Selected.Render(kind+" "+title+" "+hint)
	case e.Off:
		return "  " + t.Disabled.Render(kind+" "+title+" "+hint)
	}
	return "  " + t.Faint.Render(kind) + " " + title + " " + t.KeyText.Render(hint)
}

// formatNote gives the line below the list.
func (m *Model) formatNote() string {
	out := widget.FormatCount(len(m.shown)) + " of " + widget.FormatCount(len(m.entries))
	if len(m.found) > 0 {
		out += ", and " + widget.FormatPlural(len(m.found), "sample") + " below"
	}
	switch {
	case m.err != nil:
		out += " · samples: ✗ " + widget.CleanLine(m.err.Error())
	case m.seeking:
		out += " · looking for samples…"
	case m.more:
		out += "; not all were looked at"
	}
	return out
}
