package chars

import "unicode/utf8"

// The kinds of bytes that the scanners tell apart. A byte of a multi-byte
// character has the kind isWide; whether it is part of a word is asked of
// the whole character.
const (
	Space uint8 = 1 << iota // white space, line ends included
	Upper
	Lower
	Digit
	Wrap // marks that stand around a letter: emphasis, quotes, brackets
	End  // ends a sentence
	Wide
	Sign // may belong to a number

	Letter = Upper | Lower
	Word   = Letter | Digit
)

// Kind is the kind of each byte. It is read-only.
var Kind = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'A' && c <= 'Z':
			t[c] = Upper
		case c >= 'a' && c <= 'z':
			t[c] = Lower
		case c >= '0' && c <= '9':
			t[c] = Digit
		case c >= utf8.RuneSelf:
			t[c] = Wide
		}
	}
	for _, c := range " \t\r\n\v\f" {
		t[c] = Space
	}
	for _, c := range "*_`\"'$~()[]{}" {
		t[c] = Wrap
	}
	for _, c := range ".!?\n" {
		t[c] |= End
	}
	for _, c := range "+-/^=<>%|:" {
		t[c] |= Sign
	}
	return t
}()

// InWord tells which bytes a word is read through: letters, digits, wide
// characters and the apostrophe. It is read-only.
var InWord = func() (t [256]bool) {
	for c := range t {
		t[c] = Kind[c]&(Word|Wide) != 0 || c == '\''
	}
	return t
}()

// wordBytes is 1 for the letters and digits of ASCII. It is read-only.
var wordBytes = func() (t [256]uint8) {
	for c := range t {
		if Kind[c]&Word != 0 {
			t[c] = 1
		}
	}
	return t
}()

// WordAt reports whether the byte at i belongs to a word, as far as a letter
// beside it is concerned. Scripts that are written without spaces do not.
func WordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	k := Kind[s[i]]
	if k&Wide == 0 {
		return k&Word != 0
	}
	start := i
	for start > 0 && i-start < utf8.UTFMax-1 && !utf8.RuneStart(s[start]) {
		start--
	}
	r, _ := utf8.DecodeRuneInString(s[start:])
	return WordRune(r)
}

// SkipSpace returns the next position from i that is not white space.
func SkipSpace(s string, i int) int {
	for i < len(s) && Kind[s[i]]&Space != 0 {
		i++
	}
	return i
}

// ToLower is the byte in lower case, if it is a letter of ASCII.
func ToLower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
