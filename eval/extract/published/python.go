package published

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kit is a Python program, so its results hang on Python's idea of white
// space, of case and of length. These functions have that idea; nothing but
// the modes that reproduce the kit uses them.

// pySpace is str.isspace for one character, which split and \s use too.
func pySpace(r rune) bool {
	return r >= 0x1c && r <= 0x1f || unicode.IsSpace(r)
}

// pySpaces skips one or more white space characters.
func pySpaces(s string) (string, bool) {
	rest := strings.TrimLeftFunc(s, pySpace)
	return rest, len(rest) < len(s)
}

// pyFold skips word (in lower-case ASCII) at the start of s as re.IGNORECASE
// compares it: the letters i and s have more forms than two.
func pyFold(s, word string) (string, bool) {
	for i := range len(word) {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case size == 0:
			return s, false
		case r < utf8.RuneSelf && (byte(r) == word[i] || byte(r) == word[i]-0x20):
		case word[i] == 'i' && (r == 0x130 || r == 0x131):
		case word[i] == 's' && r == 0x17f:
		default:
			return s, false
		}
		s = s[size:]
	}
	return s, true
}

// pyLower is str.lower: full Unicode lowering, in which U+0130 becomes two
// code points and a capital sigma at the end of a word a final one.
func pyLower(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch r {
		case 0x130:
			b.WriteString("i\u0307")
		case 0x3a3:
			if pyFinalSigma(s, i) {
				b.WriteRune(0x3c2)
			} else {
				b.WriteRune(0x3c3)
			}
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// pyFinalSigma is the condition Final_Sigma of the Unicode standard
// (section 3.13) for the capital sigma at byte i.
func pyFinalSigma(s string, i int) bool {
	before := false
	for j := i; j > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:j])
		j -= size
		if caseIgnorable(r) {
			continue
		}
		before = cased(r)
		break
	}
	if !before {
		return false
	}
	for _, r := range s[i+2:] {
		if !caseIgnorable(r) {
			return !cased(r)
		}
	}
	return true
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// caseIgnorable has the marks, formats and modifiers, and the characters of
// the word-break classes MidLetter, MidNumLet and Single_Quote.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027,
		0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
