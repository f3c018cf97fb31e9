package extract

import "unicode/utf8"

// The kinds of bytes that the scanners tell apart. A byte of a multi-byte
// character has the kind isWide; whether it is part of a word is asked of
// the whole character.
const (
	isSpace uint8 = 1 << iota // white space, line ends included
	isUpper
	isLower
	isDigit
	isWrap // marks that stand around a letter: emphasis, quotes, brackets
	isEnd  // ends a sentence
	isWide
	isSign // may belong to a number

	isLetter = isUpper | isLower
	isWord   = isLetter | isDigit
)

// bytesOf is the kind of each byte. It is read-only.
var bytesOf = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'A' && c <= 'Z':
			t[c] = isUpper
		case c >= 'a' && c <= 'z':
			t[c] = isLower
		case c >= '0' && c <= '9':
			t[c] = isDigit
		case c >= utf8.RuneSelf:
			t[c] = isWide
		}
	}
	for _, c := range " \t\r\n\v\f" {
		t[c] = isSpace
	}
	for _, c := range "*_`\"'$~()[]{}" {
		t[c] = isWrap
	}
	for _, c := range ".!?\n" {
		t[c] |= isEnd
	}
	for _, c := range "+-/^=<>%|:" {
		t[c] |= isSign
	}
	return t
}()

// inWord tells which bytes a word is read through: letters, digits, wide
// characters and the apostrophe. It is read-only.
var inWord = func() (t [256]bool) {
	for c := range t {
		t[c] = bytesOf[c]&(isWord|isWide) != 0 || c == '\''
	}
	return t
}()

// wordBytes is 1 for the letters and digits of ASCII. It is read-only.
var wordBytes = func() (t [256]uint8) {
	for c := range t {
		if bytesOf[c]&isWord != 0 {
			t[c] = 1
		}
	}
	return t
}()

// wordAt reports whether the byte at i belongs to a word, as far as a letter
// beside it is concerned. Scripts that are written without spaces do not.
func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	k := bytesOf[s[i]]
	if k&isWide == 0 {
		return k&isWord != 0
	}
	start := i
	for start > 0 && i-start < utf8.UTFMax-1 && !utf8.RuneStart(s[start]) {
		start--
	}
	r, _ := utf8.DecodeRuneInString(s[start:])
	return wordRune(r)
}

// skipSpace returns the next position from i that is not white space.
func skipSpace(s string, i int) int {
	for i < len(s) && bytesOf[s[i]]&isSpace != 0 {
		i++
	}
	return i
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
