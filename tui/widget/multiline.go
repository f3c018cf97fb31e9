package widget

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textarea"
)

// caret is where the next letter goes. It stands between letters, so that it
// is seen without colours.
const caret = "▏"

// LongestText is how many characters a text may have that is written here.
const LongestText = 20_000

// Multiline is a text of several lines that is edited. It is drawn by Written,
// never by itself: so no style of bubbles' default renderer shows, and nobody's
// control characters do either.
func Multiline(value string) textarea.Model {
	a := textarea.New()
	a.ShowLineNumbers, a.Prompt, a.Placeholder = false, "", ""
	a.CharLimit, a.MaxHeight = LongestText, 0
	a.Cursor.SetMode(cursor.CursorStatic)
	a.SetValue(Tame(value))
	return a
}

// Tame makes what would be obeyed rather than shown visible, and leaves all
// else as it was written.
func Tame(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0x200C || r == 0x200D || !unicode.Is(unicode.Cf, r) && (r < 0x80 || r >= 0xA0) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Written lays the text out for a width, with the caret in it, and says in
// which line that is.
func Written(a *textarea.Model, focused bool, width int) (lines []string, at int) {
	if !focused {
		return Wrap(a.Value(), width), 0
	}
	before, after := around(a)
	lines = Wrap(before+caret+after, width)
	for at < len(lines)-1 && !strings.Contains(lines[at], caret) {
		at++
	}
	return lines, at
}

// around is the text before and behind the caret.
func around(a *textarea.Model) (before, after string) {
	value := a.Value()
	info := a.LineInfo()
	line, column := a.Line(), info.StartColumn+info.ColumnOffset
	at := 0
	for range line {
		n := strings.IndexByte(value[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	for i, r := range value[at:] {
		if column == 0 || r == '\n' {
			return value[:at+i], value[at+i:]
		}
		column--
	}
	return value, ""
}
