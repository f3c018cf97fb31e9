package token

import (
	"slices"
	"strings"

	"concord/eval/extract/chars"
)

// Heads are how the words of a text begin, as bits of a hash, and its first digits: a word of three
// letters or more whose bit is not set is not in the text. To collect them takes a tenth of the time of
// making tokens.
type Heads struct {
	words  [16]uint64
	digits uint16
}

// NewHeads gives the heads of the words of an ASCII text.
func NewHeads(s string) (h Heads) {
	for i := range chars.WordStarts(s) {
		w := s[i:]
		if d := w[0] - '0'; d < 10 {
			h.digits |= 1 << d
		} else if len(w) >= headSize {
			bit := headOf(w)
			h.words[bit>>6] |= 1 << (bit & 63)
		}
	}
	return h
}

// headSize is how many letters a word has at least that is looked for.
const headSize = 3

// has reports whether a word of the text may begin as w does.
func (h *Heads) has(w string) bool {
	if len(w) < headSize {
		return true
	}
	bit := headOf(w)
	return h.words[bit>>6]>>(bit&63)&1 != 0
}

// headOf hashes the first three letters of a word, whatever their case.
func headOf(w string) uint32 {
	return ((uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16) | 0x202020) * 0x9e3779b1 >> 22
}

// MayHold reports whether the text may have all tokens of an option. It asks for the words up to the
// first number, which may be written in other ways, and for how that begins.
func (h *Heads) MayHold(option string) bool {
	if !chars.IsASCII(option) {
		return true
	}
	for i := 0; i < len(option); {
		k := chars.Kind[option[i]]
		switch {
		case k&chars.Letter != 0:
			end := findWordEnd(option, i)
			w := option[i:end]
			if n := numberOfWord(w); n != "" {
				return i > 0 || h.hasNumber(n[0])
			}
			if !h.has(w) && !strings.EqualFold(w, "the") {
				return false
			}
			i = end
		case k&chars.Digit != 0:
			return h.hasNumber(option[i])
		default:
			i++
		}
	}
	return true
}

// hasNumber reports whether the text may have a number that is compared by digits of which this is the
// first.
func (h *Heads) hasNumber(first byte) bool {
	if d := first - '0'; d < 10 && h.digits>>d&1 != 0 {
		return true
	}
	return slices.ContainsFunc(numberWordsBy[first], h.has)
}
