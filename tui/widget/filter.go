package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Words takes a filter apart: the words that a row must have, in lower case,
// and whether it is turned around by an exclamation mark at its beginning.
func Words(filter string) (words []string, not bool) {
	text, not := strings.CutPrefix(strings.ToLower(strings.TrimSpace(filter)), "!")
	return strings.Fields(text), not
}

// Having reports whether a text in lower case has all words in it.
func Having(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
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

// Start has the filter typed.
func (f *Filter) Start() { f.typing = true }

// Typing reports whether keys are the filter's text.
func (f *Filter) Typing() bool { return f.typing }

// On reports whether it may leave rows out.
func (f *Filter) On() bool { return len(f.words) > 0 }

// Words are the words that rows must have, in lower case, and whether the filter
// is turned around.
func (f *Filter) Words() (words []string, not bool) { return f.words, f.not }

// Clear leaves every row again, and reports whether there was anything to
// clear.
func (f *Filter) Clear() bool {
	was := f.typing || len(f.text) > 0
	*f = Filter{}
	return was
}

// Press takes a key while the filter is typed, and reports whether other words
// stand there now. Enter and down leave it as it is and go back to the list.
func (f *Filter) Press(msg tea.KeyMsg) bool {
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
			f.text = append(f.text, []rune(Line(string(msg.Runes)))...)
			f.text = f.text[:min(len(f.text), longestFilter)]
		}
	default:
	}
	f.words, f.not = Words(string(f.text))
	return string(f.text) != was
}

// Wants reports whether a row is left that is drawn with these cells.
func (f *Filter) Wants(cells []string) bool {
	if !f.On() {
		return true
	}
	return Having(strings.ToLower(plainText(strings.Join(cells, "\n"))), f.words) != f.not
}

// Sift are the rows that a filter leaves, in their order; with no words they
// are all, and the same slice.
func Sift[R any](f *Filter, rows []R, cells func(*R) []string) []R {
	if !f.On() {
		return rows
	}
	var out []R
	for i := range rows {
		if f.Wants(cells(&rows[i])) {
			out = append(out, rows[i])
		}
	}
	return out
}

// Filter draws what a list is narrowed down to, which stays to be seen; ""
// when it is not. Its end is where one types.
func (t *Theme) Filter(f *Filter, width int) string {
	text := string(f.text)
	for room := width - 4; text != "" && Width(text) > room; {
		text = string([]rune(text)[1:])
	}
	switch {
	case f.typing && text == "":
		return Cut(t.Key.Render("/")+" ▏"+t.Faint.Render("words; ! turns it around"), width)
	case f.typing:
		return Cut(t.Key.Render("/")+" "+text+"▏", width)
	case len(f.text) > 0:
		return Cut(t.Key.Render("/")+" "+t.Accent.Render(text)+"  "+t.Key.Render("esc")+t.Faint.Render(" clears"), width)
	}
	return ""
}

// FilterKeys are the keys while a filter is typed.
func FilterKeys() []key.Binding {
	return []key.Binding{
		Bind("enter", "keep it", "enter"), Bind("esc", "clear it", "esc"), Bind("!", "first: turns it around", "!"), Bind("ctrl+u", "no words", "ctrl+u"),
	}
}

// Bind makes a binding: how help writes its keys, what they do, and the keys.
func Bind(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

// SaveKey is the key that saves what is written, in every editor. ctrl+s, which
// stops the output of some terminals, saves where it arrives.
func SaveKey() key.Binding { return Bind("ctrl+k", "save", "ctrl+k", "ctrl+s") }

// Moves are the keys that move through a list or a text, the same everywhere.
type Moves struct {
	Up, Down, Top, Bottom, PageUp, PageDown key.Binding
}

// NewMoves makes the bindings of the conventions: arrows, vi's letters, pages.
func NewMoves() Moves {
	return Moves{
		Up:       Bind("↑/k", "up", "up", "k"),
		Down:     Bind("↓/j", "down", "down", "j"),
		Top:      Bind("g", "first", "g", "home"),
		Bottom:   Bind("G", "last", "G", "end"),
		PageUp:   Bind("ctrl+u", "page up", "ctrl+u", "pgup"),
		PageDown: Bind("ctrl+d", "page down", "ctrl+d", "pgdown"),
	}
}

// Keys are the bindings in the order of help.
func (m Moves) Keys() []key.Binding {
	return []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.PageUp, m.PageDown}
}

// By is how far a key moves: a line, a page, or all the way; false for a key
// that does not move.
func (m Moves) By(msg tea.KeyMsg, page, all int) (by int, ok bool) {
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
