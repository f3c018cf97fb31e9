package text

import (
	"fmt"
	"unicode"
)

// Rune is the form in which a rune of text from outside is shown, or that it
// ends a line: control characters have signs of their own, and what turns the
// direction of writing, tags letters that nobody sees or has no form is shown
// by its number. U+FFFD stands for bytes that are no text.
func Rune(r rune) (sign string, newline bool) {
	switch {
	case r == '\n', r == 0x2028, r == 0x2029:
		return "", true
	case r < 0x20:
		return string('␀' + r), false
	case r == 0x7f:
		return "␡", false
	case r == 0x200C, r == 0x200D, IsSelector(r):
		return "", false // they only choose between pictures of a letter, and terminals disagree on them
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0xAD:
		return "·", false
	case unicode.Is(unicode.Cf, r), r >= 0x80 && r < 0xA0, unfilled(r):
		return fmt.Sprintf("<U+%04X>", r), false
	}
	return string(r), false
}

// IsSelector tells the marks that only choose between pictures of a letter.
func IsSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// unfilled tells what has no form: letters that pass for blanks, marks that
// nobody sees, and what Unicode keeps free for more of these.
func unfilled(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0: // fillers of Hangul
		return true
	case 0x034F, 0x17B4, 0x17B5, 0x2065:
		return true
	}
	return r >= 0xFFF0 && r <= 0xFFF8 || r >= 0xE0000 && r <= 0xE0FFF
}
