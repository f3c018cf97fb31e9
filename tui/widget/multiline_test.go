package widget

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// A text of several lines is laid out as it is read elsewhere, with the caret
// where the next letter goes; nothing that a terminal would obey is in it.
func TestSeveralLinesAreWritten(t *testing.T) {
	a := NewTextArea("first \x1b[31mline\nsecond\u202e line of more words")
	a.Focus()
	a.SetWidth(21)
	check := func(line int, want ...string) {
		t.Helper()
		lines, at := WrapWithCaret(&a, true, 20)
		if got := strings.Join(lines, "|"); at != line || got != strings.Join(want, "|") {
			t.Errorf("line %d of %q, want %d of %q", at, lines, line, want)
		}
	}
	check(2, "first [31mline", "second line of more", "words▏")
	a, _ = a.Update(tea.KeyMsg{Type: tea.KeyEnter})
	a, _ = a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("é")})
	check(3, "first [31mline", "second line of more", "words", "é▏")
	a.Blur()
	if lines, _ := WrapWithCaret(&a, false, 20); strings.Contains(strings.Join(lines, ""), caret) {
		t.Errorf("a text that is not written has a caret: %q", lines)
	}
}
