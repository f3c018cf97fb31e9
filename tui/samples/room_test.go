package samples

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

func letter(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

// The part that is scrolled takes the other's room, half of it and all, from
// sample to sample and in the next list.
func TestTheScrolledPartFillsTheScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {80, 21}, {120, 37}, {200, 47}} {
		m, s := screen(t, 9)
		m.Resize(size[0], size[1])
		text := func() int { return strings.Count(m.View(), "long") }
		question := func() bool { return strings.Contains(m.View(), "what?") }
		fits := func(step string) {
			t.Helper()
			for _, l := range strings.Split(m.View(), "\n") {
				if widget.TextWidth(l) != size[0] {
					t.Fatalf("%v, %s: %d cells in %q", size, step, widget.TextWidth(l), l)
				}
			}
		}
		press(m, letter(">"), enter)
		normal := text()
		fits("normal")
		press(m, letter(">"))
		half := text()
		fits("half")
		press(m, letter(">"))
		full := text()
		fits("full")
		if half <= normal || full <= half || question() {
			t.Errorf("%v: %d words, then %d, then %d in\n%s", size, normal, half, full, m.View())
		}
		press(m, tab)
		if !question() || text() > 0 {
			t.Errorf("%v: the other part is\n%s", size, m.View())
		}
		fits("other part")
		press(m, tab, letter("n"), letter("n"), letter("n"))
		if text() != full {
			t.Errorf("%v: %d words of another sample", size, text())
		}
		next := New(t.Context(), m.Theme, s, "ada", NewRunQuery(s, 1, "a run"))
		t.Cleanup(next.Close)
		next.Resize(size[0], size[1])
		do(next, next.Init())
		press(next, enter)
		if n := strings.Count(next.View(), "long"); n != full {
			t.Errorf("%v: %d words in the next list", size, n)
		}
		press(m, letter("<"), letter("<"))
		if text() != normal {
			t.Errorf("%v: %d words again", size, text())
		}
	}
}
