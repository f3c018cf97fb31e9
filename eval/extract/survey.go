package extract

// A text is looked through eight bytes at a time where only the kind of its
// bytes counts: that takes a fifth of the time of a look at each byte.
const (
	lowBits  = 0x0101010101010101 // the lowest bit of each of eight bytes
	highBits = 0x8080808080808080
)

// eight are the first eight bytes of s, the first one lowest. The compiler
// makes one load of it.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// four is eight for four bytes.
func four(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// between marks by their highest bit those of eight ASCII bytes that are from
// first to last.
func between(ascii uint64, first, last byte) uint64 {
	return (ascii + lowBits*uint64(0x80-first)) &^ (ascii + lowBits*uint64(0x7f-last)) & highBits
}

// lower8 is lower for eight bytes.
func lower8(x uint64) uint64 {
	return x | between(x&^highBits, 'A', 'Z')&^x>>2
}

// wordBits has a bit for each of the up to 64 bytes of s from i: whether it is
// a letter or digit of ASCII.
func wordBits(s string, i int) uint64 {
	s = s[i:min(len(s), i+64)]
	var bits uint64
	k := 0
	for ; k+8 <= len(s); k += 8 {
		x := eight(s[k:])
		a := x &^ highBits
		w := (between(a|lowBits*0x20, 'a', 'z') | between(a, '0', '9')) &^ x
		bits |= w >> 7 * 0x0102040810204080 >> 56 << k // one bit of each byte, side by side
	}
	for ; k < len(s); k++ {
		bits |= uint64(wordBytes[s[k]]) << k
	}
	return bits
}

// wideBits has a bit for each of the up to 64 bytes of s from i: whether it is
// part of a character beyond ASCII.
func wideBits(s string, i int) uint64 {
	s = s[i:min(len(s), i+64)]
	var bits uint64
	k := 0
	for ; k+8 <= len(s); k += 8 {
		bits |= eight(s[k:]) & highBits >> 7 * 0x0102040810204080 >> 56 << k
	}
	for ; k < len(s); k++ {
		bits |= uint64(s[k]>>7) << k
	}
	return bits
}

// ascii reports whether all characters are ASCII.
func ascii(s string) bool {
	var seen uint64
	for len(s) >= 8 {
		seen |= eight(s)
		s = s[8:]
	}
	for i := range len(s) {
		seen |= uint64(s[i])
	}
	return seen&highBits == 0
}
