package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number, a sign or a character of a script without
// spaces, in the form in which answers and options are compared.
type token struct {
	text string
	kind tokenKind
	// glued: no space stands before it.
	glued bool
	// starts: a clause starts with it.
	starts bool
	// asked: a question mark stands behind it.
	asked bool
	// stop: a sentence starts with it.
	stop bool
}

type tokenKind uint8

const (
	_ tokenKind = iota
	word
	number
	sign // arithmetic: its neighbours belong to it
	ideograph
)

// numberWord is the number that an English word is compared by, or empty.
func numberWord(w string) string {
	if len(w) < 3 || len(w) > 9 {
		return ""
	}
	switch w {
	case "zero":
		return "0"
	case "one":
		return "1"
	case "two":
		return "2"
	case "three":
		return "3"
	case "four":
		return "4"
	case "five":
		return "5"
	case "six":
		return "6"
	case "seven":
		return "7"
	case "eight":
		return "8"
	case "nine":
		return "9"
	case "ten":
		return "10"
	case "eleven":
		return "11"
	case "twelve":
		return "12"
	case "thirteen":
		return "13"
	case "fourteen":
		return "14"
	case "fifteen":
		return "15"
	case "sixteen":
		return "16"
	case "seventeen":
		return "17"
	case "eighteen":
		return "18"
	case "nineteen":
		return "19"
	case "twenty":
		return "20"
	case "percent":
		return "%"
	}
	return ""
}

// tokens appends the first tokens of a folded text to out, at most limit.
// Articles are left out.
func tokens(out []token, s string, limit int) []token {
	low, first := strings.ToLower(s), len(out)
	gluedNext, starts, stop := false, true, true
	for i := 0; i < len(low) && len(out)-first < limit; {
		c := low[i]
		switch k := bytesOf[c]; {
		case k&isDigit != 0:
			end, text := numberAt(low, i)
			out = append(out, token{text: text, kind: number, glued: gluedNext, starts: starts, stop: stop})
			i, gluedNext, starts, stop = end, true, false, false
		case k&isLower != 0 || k&isWide != 0:
			r, size := utf8.DecodeRuneInString(low[i:])
			switch {
			case unspaced(r):
				out = append(out, token{text: low[i : i+size], kind: ideograph, glued: gluedNext, starts: starts, stop: stop})
				i, gluedNext, starts, stop = i+size, true, false, false
			case k&isLower != 0 || unicode.IsLetter(r):
				end := wordEnd(low, i)
				text := low[i:end]
				if n := numberWord(text); n == "1" { // often a pronoun
					out = append(out, token{text: n, kind: word, glued: gluedNext, starts: starts, stop: stop})
					starts, stop = false, false
				} else if n != "" {
					out = append(out, token{text: n, kind: number, glued: gluedNext, starts: starts, stop: stop})
					starts, stop = false, false
				} else if text != "a" && text != "an" && text != "the" {
					out = append(out, token{text: text, kind: word, glued: gluedNext, starts: starts, stop: stop})
					starts, stop = false, false
				}
				i, gluedNext = end, true
			default:
				if !unicode.IsSpace(r) && !unicode.IsPunct(r) && r != utf8.RuneError {
					out = append(out, token{text: low[i : i+size], kind: sign, glued: gluedNext, starts: starts, stop: stop})
				}
				i, gluedNext = i+size, false
			}
		case k&isSign != 0 && arithmetic(low, i):
			out = append(out, token{text: low[i : i+1], kind: sign, glued: gluedNext, starts: starts, stop: stop})
			i, gluedNext = i+1, true
		default:
			if c == '?' && len(out) > first {
				out[len(out)-1].asked = true
			}
			stop = stop || k&isEnd != 0
			starts = starts || k&isEnd != 0 || c == '}' || c == ',' || c == ';' || c == ':' || c == '('
			i, gluedNext = i+1, false
		}
	}
	return out
}

// arithmetic reports whether the sign at i has a number beside it.
func arithmetic(s string, i int) bool {
	after := i+1 < len(s) && bytesOf[s[i+1]]&isDigit != 0
	before := i > 0 && bytesOf[s[i-1]]&isDigit != 0
	if s[i] == '%' {
		return before
	}
	if s[i] == '-' && after { // a minus, not a dash between words
		return i == 0 || bytesOf[s[i-1]]&isWord != 0 || bytesOf[s[i-1]]&isSpace != 0 || s[i-1] == '('
	}
	return after && (before || s[i] != ':') || before && strings.IndexByte("^/=+", s[i]) >= 0
}

// numberAt reads digits with their decimal point, without the separators of
// thousands.
func numberAt(s string, i int) (int, string) {
	end, commas := i, false
	for end < len(s) {
		switch c := s[end]; {
		case bytesOf[c]&isDigit != 0:
		case c == '.' && end+1 < len(s) && bytesOf[s[end+1]]&isDigit != 0:
		case c == ',' && end+3 < len(s) && threeDigits(s[end+1:]):
			commas = true
		default:
			goto done
		}
		end++
	}
done:
	text := s[i:end]
	if commas {
		text = strings.ReplaceAll(text, ",", "")
	}
	if strings.IndexByte(text, '.') > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return end, text
}

func threeDigits(s string) bool {
	for k := range 3 {
		if bytesOf[s[k]]&isDigit == 0 {
			return false
		}
	}
	return len(s) == 3 || bytesOf[s[3]]&isDigit == 0
}

func wordEnd(s string, i int) int {
	for i < len(s) {
		switch k := bytesOf[s[i]]; {
		case k&isWord != 0, s[i] == '\'' && i+1 < len(s) && bytesOf[s[i+1]]&isLower != 0:
			i++
		case k&isWide != 0:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !wordRune(r) && !unicode.IsMark(r) {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return i
}
