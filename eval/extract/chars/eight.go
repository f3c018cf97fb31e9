package chars

import (
	"encoding/binary"
	"strings"
)

// A text is looked through eight bytes at a time where only the kind of its
// bytes counts: that takes a fifth of the time of a look at each byte.
const (
	lowBits  = 0x0101010101010101 // the lowest bit of each of eight bytes
	highBits = 0x8080808080808080
)

// Eight are the first eight bytes of s, the first one lowest. The compiler
// makes one load of it.
func Eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Four is eight for four bytes.
func Four(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// between marks by their highest bit, among others, those of eight ASCII bytes
// that are from first to last.
func between(ascii uint64, first, last byte) uint64 {
	return (ascii + lowBits*uint64(0x80-first)) ^ (ascii + lowBits*uint64(0x7f-last))
}

// Lower8 is lower for eight bytes.
func Lower8(x uint64) uint64 {
	return x | between(x&^highBits, 'A', 'Z')&^x&highBits>>2
}

// ofWords marks by their highest bit the letters and digits of ASCII among
// eight bytes.
func ofWords(x uint64) uint64 {
	a := x &^ highBits
	return (between(a|lowBits*0x20, 'a', 'z') ^ between(a, '0', '9')) &^ x & highBits
}

// pack puts the highest bits of eight bytes, which are all else 0, side by side.
func pack(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }

// WordBits has a bit for each of the up to 64 bytes of s from i: whether it is
// a letter or digit of ASCII.
func WordBits(s string, i int) uint64 {
	s = s[i:]
	if len(s) >= 64 {
		return wordBits32(s) | wordBits32(s[32:])<<32
	}
	var word uint64
	k := 0
	for ; k+8 <= len(s); k += 8 {
		word |= pack(ofWords(Eight(s[k:]))) << (k & 63)
	}
	for ; k < len(s); k++ {
		word |= uint64(wordBytes[s[k]]) << (k & 63)
	}
	return word
}

// wordBits32 is wordBits for the first 32 bytes, without a loop, so that the
// constants are loaded once: in half the time.
func wordBits32(s string) uint64 {
	_ = s[31]
	return pack(ofWords(Eight(s))) | pack(ofWords(Eight(s[8:])))<<8 |
		pack(ofWords(Eight(s[16:])))<<16 | pack(ofWords(Eight(s[24:])))<<24
}

// StartBits has a bit for each of the up to 64 bytes of s from i: whether a
// word of ASCII starts there, or it is part of a character beyond ASCII with
// no such word before. It returns whether the last byte is of a word, too, and
// takes that of the bytes before.
func StartBits(s string, i int, inWord uint64) (starts, last uint64) {
	s = s[i:min(len(s), i+64)]
	var word, wide uint64
	k := 0
	for ; k+8 <= len(s); k += 8 {
		x := Eight(s[k:])
		word |= pack(ofWords(x)) << (k & 63)
		wide |= pack(x&highBits) << (k & 63)
	}
	for ; k < len(s); k++ {
		word |= uint64(wordBytes[s[k]]) << (k & 63)
		wide |= uint64(s[k]>>7) << (k & 63)
	}
	return (word | wide) &^ (word<<1 | inWord), word >> 63
}

// ASCII reports whether all characters are ASCII.
func ASCII(s string) bool {
	for len(s) >= 32 {
		if (Eight(s)|Eight(s[8:])|Eight(s[16:])|Eight(s[24:]))&highBits != 0 {
			return false
		}
		s = s[32:]
	}
	seen := uint64(0)
	for len(s) >= 8 {
		seen |= Eight(s)
		s = s[8:]
	}
	for i := range len(s) {
		seen |= uint64(s[i])
	}
	return seen&highBits == 0
}

// AppendLower appends s in lower case.
func AppendLower(to []byte, s string) []byte {
	if !ASCII(s) {
		return append(to, strings.ToLower(s)...)
	}
	n := len(to)
	to = append(to, s...)
	b := to[n:]
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, Lower8(binary.LittleEndian.Uint64(b)))
		b = b[8:]
	}
	for i, c := range b {
		b[i] = ToLower(c)
	}
	return to
}
