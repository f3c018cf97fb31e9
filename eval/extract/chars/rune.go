package chars

import (
	"unicode"
	"unicode/utf8"
)

// Joined reports whether two neighbours belong to one word. Scripts that are
// written without spaces have a word's end everywhere.
func Joined(a, b rune) bool { return WordRune(a) && WordRune(b) }

// WordRune reports whether the character belongs to a word that is written
// with spaces around it.
func WordRune(r rune) bool {
	if r == utf8.RuneError {
		return false
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !Unspaced(r)
}

// Unspaced reports whether the character is of a script without spaces.
func Unspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
