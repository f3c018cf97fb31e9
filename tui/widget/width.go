package widget

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes; styles take none. Every line of a frame is
// measured several times, and nearly all of them hold nothing but ASCII, the
// signs that frames are drawn with, and colours: these are counted here, since
// finding the letters of all scripts takes longer than all the rest of drawing.
func Width(s string) int {
	cells := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 0x20 && c < 0x7f:
			cells++
			i++
		case c == 0x1b:
			n := colour(s[i:])
			if n == 0 {
				return ansi.StringWidth(s)
			}
			i += n
		case c < utf8.RuneSelf:
			return ansi.StringWidth(s)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !isSign(r) {
				return ansi.StringWidth(s)
			}
			cells++
			i += n
		}
	}
	return cells
}

// colour is the length of the escape that sets a style at the start of s; 0
// when there is no such one.
func colour(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// isSign tells the signs that frames are drawn with: each takes one cell, and
// none of them joins what stands beside it.
func isSign(r rune) bool {
	return r >= 0x2500 && r <= 0x25fc || // lines, blocks, shapes
		r == '·' || r >= 0x2010 && r <= 0x2026 || r == '‹' || r == '›' || r == '“' || r == '”' ||
		r >= 0x2190 && r <= 0x2193 || r == '✓' || r == '✗' || r >= 0x2400 && r <= 0x2426
}
