package table

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text from outside safe to print: control characters, those
// that turn the direction of text and bytes that are no text become marks.
func Visible(s string) string {
	clean := true
	for _, r := range s {
		if hidden(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x20:
			b.WriteRune('␀' + r) // the control pictures stand in the same order
		case r == 0x7f:
			b.WriteRune('␡')
		case hidden(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports a rune that a terminal would act on or that nobody sees.
func hidden(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == '\u2028' || r == '\u2029'
}
