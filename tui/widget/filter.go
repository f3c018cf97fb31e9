package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// SplitFilter takes a filter apart: the words that a row must have, in lower case,
// and whether it is turned around by an exclamation mark at its beginning.
func SplitFilter(filter string) (words []string, not bool) {
	text, not := strings.CutPrefix(strings.ToLower(strings.TrimSpace(filter)), "!")
	return strings.Fields(text), not
}

// ContainsWords reports whether a text in lower case has all words in it.
func ContainsWords(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// longestFilter is how many characters a filter has at most.
const longestFilter = 200

// Filter narrows a list down in place, to the rows that have all its words in
// what is seen of them: a row that is sealed gives nothing away. The zero value
// leaves every row.
type Filter struct {
	text   []rune
	typing bool
	words  []string
	not    bool
}

// StartTyping has the filter typed.
func (f *Filter) StartTyping() { f.typing = true }

// Typing reports whether keys are the filter's text.
func (f *Filter) Typing() bool { return f.typing }

// IsOn reports whether it may leave rows out.
func (f *Filter) IsOn() bool { return len(f.words) > 0 }

// FilterWords gives the words that rows must have, in lower case, and whether the filter
// is turned around.
func (f *Filter) FilterWords() (words []string, not bool) { return f.words, f.not }

// ClearText leaves every row again, and reports whether there was anything to
// clear.
func (f *Filter) ClearText() bool {
	was := f.typing || len(f.text) > 0
	*f = Filter{}
	return was
}

// HandleKey takes a key while the filter is typed, and reports whether other words
// stand there now. Enter and down leave it as it is and go back to the list.
func (f *Filter) HandleKey(msg tea.KeyMsg) bool {
	was := string(f.text)
	switch msg.Type {
	case tea.KeyEnter, tea.KeyDown:
		f.typing = false
	case tea.KeyBackspace:
		f.text = f.text[:max(0, len(f.text)-1)]
	case tea.KeyCtrlU:
		f.text = nil
	case tea.KeyCtrlW:
		at := strings.LastIndex(strings.TrimRight(was, " "), " ") + 1
		f.text = []rune(was[:at])
	case tea.KeyRunes, tea.KeySpace:
		if !msg.Alt {
			f.text = append(f.text, []rune(CleanLine(string(msg.Runes)))...)
			f.text = f.text[:min(len(f.text), longestFilter)]
		}
	default:
	}
	f.words, f.not = SplitFilter(string(f.text))
	return string(f.text) != was
}

// MatchesRow reports whether a row is left that is drawn with these cells.
func (f *Filter) MatchesRow(cells []string) bool {
	return !f.IsOn() || ContainsWords(strings.ToLower(stripStyles(strings.Join(cells, "\n"))), f.words) != f.not
}

// FilterRows gives the rows that a filter leaves, in their order; with no words they
// are all, and the same slice.
func FilterRows[R any](f *Filter, rows []R, cells func(*R) []string) []R {
	if !f.IsOn() {
		return rows
	}
	var out []R
	for i := range rows {
		if f.MatchesRow(cells(&rows[i])) {
			out = append(out, rows[i])
		}
	}
	return out
}

// DrawFilter draws what a list is narrowed down to, which stays to be seen; ""
// when it is not. Its end is where one types.
func (t *Theme) DrawFilter(f *Filter, width int) string {
	text := string(f.text)
	for room := width - 4; text != "" && TextWidth(text) > room; {
		text = string([]rune(text)[1:])
	}
	switch {
	case f.typing && text == "":
		return CutWidth(t.Key.Render("/")+" ▏"+t.Faint.Render("words; ! turns it around"), width)
	case f.typing:
		return CutWidth(t.Key.Render("/")+" "+text+"▏", width)
	case len(f.text) > 0:
		return CutWidth(t.Key.Render("/")+" "+t.Accent.Render(text)+"  "+t.Key.Render("esc")+t.Faint.Render(" clears"), width)
	}
	return ""
}

// FilterKeys gives the keys while a filter is typed.
func FilterKeys() []key.Binding {
	return []key.Binding{
		NewBinding("enter", "keep it", "enter"), NewBinding("esc", "clear it", "esc"), NewBinding("!", "first: turns it around", "!"), NewBinding("ctrl+u", "no words", "ctrl+u"),
	}
}

// NewBinding makes a binding: how help writes its keys, what they do, and the keys.
func NewBinding(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

// SaveKey is the key that saves what is written, in every editor. ctrl+s, which
// stops the output of some terminals, saves where it arrives.
func SaveKey() key.Binding { return NewBinding("ctrl+k", "save", "ctrl+k", "ctrl+s") }

// Moves are the keys that move through a list or a text, the same everywhere.
type Moves struct {
	Up, Down, Top, Bottom, PageUp, PageDown key.Binding
}

// NewMoves makes the bindings of the conventions: arrows, vi's letters, pages.
func NewMoves() Moves {
	return Moves{
		Up:       NewBinding("↑/k", "up", "up", "k"),
		Down:     NewBinding("↓/j", "down", "down", "j"),
		Top:      NewBinding("g", "first", "g", "home"),
		Bottom:   NewBinding("G", "last", "G", "end"),
		PageUp:   NewBinding("ctrl+u", "page up", "ctrl+u", "pgup"),
		PageDown: NewBinding("ctrl+d", "page down", "ctrl+d", "pgdown"),
	}
}

// Bindings are the bindings in the order of help.
func (m Moves) Bindings() []key.Binding {
	return []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.PageUp, m.PageDown}
}

// MoveBy is how far a key moves: a line, a page, or all the way; false for a key
// that does not move.
func (m Moves) MoveBy(msg tea.KeyMsg, page, all int) (by int, ok bool) {
	switch {
	case key.Matches(msg, m.Up):
		return -1, true
	case key.Matches(msg, m.Down):
		return 1, true
	case key.Matches(msg, m.PageUp):
		return -page, true
	case key.Matches(msg, m.PageDown):
		return page, true
	case key.Matches(msg, m.Top):
		return -all, true
	case key.Matches(msg, m.Bottom):
		return all, true
	}
	return 0, false
}
