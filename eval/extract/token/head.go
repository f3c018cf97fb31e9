package token

import (
	"strings"

	"concord/eval/extract/chars"
)

// Heads are how words begin, and numbers, as bits of a hash: a word or a number whose bit is not set is
// not among them. To collect those of a text takes a fifth of the time of making tokens.
type Heads struct {
	bits [16]uint64
	all  bool // any word may be among them
}

// NewHeads gives the heads of a text: all, if it is not ASCII.
func NewHeads(s string) (h Heads) {
	if h.all = !chars.IsASCII(s); h.all {
		return h
	}
	for i := range chars.WordStarts(s) {
		bit, end := headBitAt(s, i)
		h.add(bit)
		if end > i {
			h.add(hashHead(s[end:])) // "3cats"
		}
	}
	return h
}

func (h *Heads) add(bit uint32) { h.bits[bit>>6] |= 1 << (bit & 63) }

func (h *Heads) mayHaveWord(bit uint32) bool { return h.all || h.bits[bit>>6]>>(bit&63)&1 != 0 }

// AddFirstWordOf adds the word or the number with which an option begins, articles aside.
func (h *Heads) AddFirstWordOf(option string) {
	for i := range chars.WordStarts(option) {
		end := findWordEnd(option, i)
		if IsArticle(option, i, end) && (end > i+1 || !isNameLetter(strings.ToLower(option[end:]))) {
			continue
		}
		bit, _ := headBitAt(option, i)
		h.add(bit)
		h.all = h.all || chars.Kind[option[i]]&chars.Wide != 0
		return
	}
	h.all = true
}

// HasAt reports whether the word or the number that starts at i in s may be among the heads.
func (h *Heads) HasAt(s string, i int) bool {
	bit, _ := headBitAt(s, i)
	return h.mayHaveWord(bit)
}

// MayHoldOption reports whether a text of such heads may have all tokens of an option.
func (h *Heads) MayHoldOption(option string) bool {
	end := 0
	for i := range chars.WordStarts(option) {
		if i < end || chars.Kind[option[i]]&chars.Word == 0 {
			continue
		}
		var bit uint32
		if bit, end = headBitAt(option, i); !h.mayHaveWord(bit) && !needsNoHead(option, i) {
			return false
		}
	}
	return true
}

// needsNoHead reports whether a text may have the word of an option at i without having its head: an
// article, which is left out, or a sign.
func needsNoHead(option string, i int) bool {
	end := findWordEnd(option, i)
	return IsArticle(option, i, end) || numberOfWord(option[i:end]) == "%"
}

// headBitAt is the bit of the word or the number that starts at i in s, and where the number ends. A number
// has the bit of the word for it, if there is one.
func headBitAt(s string, i int) (bit uint32, end int) {
	if chars.Kind[s[i]]&chars.Digit == 0 {
		return hashHead(s[i:]), i
	}
	end, n := readNumberAt(s, i)
	if w := numberNames[n]; w != "" {
		return hashHead(w), end
	}
	for k := range len(n) {
		bit = bit*31 + uint32(n[k])
	}
	return bit * 0x9e3779b1 >> 22, end
}

// hashHead hashes the first three letters of a word, whatever their case.
func hashHead(w string) (bit uint32) {
	for k := 0; k < min(3, len(w)) && chars.Kind[w[k]]&chars.Word != 0; k++ {
		bit = bit<<8 | uint32(w[k]|0x20)
	}
	return bit * 0x9e3779b1 >> 22
}
