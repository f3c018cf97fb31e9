package chars

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text is looked through eight bytes at a time where only the kind of its
// bytes counts: that takes a fifth of the time of a look at each byte.
const (
	lowBits  = 0x0101010101010101 // the lowest bit of each of eight bytes
	highBits = 0x8080808080808080
)

// LoadEight loads the first eight bytes of s, the first one lowest. The compiler makes one load of it.
func LoadEight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// LoadFour loads eight for four bytes.
func LoadFour(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// maskBytesBetween marks by their highest bit, among others, those of eight ASCII bytes
// that are from first to last.
func maskBytesBetween(ascii uint64, first, last byte) uint64 {
	return (ascii + lowBits*uint64(0x80-first)) ^ (ascii + lowBits*uint64(0x7f-last))
}

// LowerEight is lower for eight bytes.
func LowerEight(x uint64) uint64 { return x | maskBytesBetween(x&^highBits, 'A', 'Z')&^x&highBits>>2 }

// packHighBits puts the highest bits of eight bytes, which are all else 0, side by side.
func packHighBits(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }

// packWordBytes has a bit for each of eight bytes: whether it is a letter or digit of ASCII.
func packWordBytes(x uint64) uint64 {
	a := x &^ highBits
	return packHighBits((maskBytesBetween(a|lowBits*0x20, 'a', 'z') ^ maskBytesBetween(a, '0', '9')) &^ x & highBits)
}

// WordMaskAt has a bit for each of the up to 64 bytes of s from i: whether it is a letter or digit of ASCII.
func WordMaskAt(s string, i int) uint64 {
	word, _ := wordMask(s[i:min(len(s), i+64)])
	return word
}

// wordMask is WordMaskAt of all of s. It returns the bits that any byte has, too.
func wordMask(s string) (word, seen uint64) {
	if len(s) == 64 { // without a loop the constants are loaded once: in half the time
		a, b, c, d := LoadEight(s), LoadEight(s[8:]), LoadEight(s[16:]), LoadEight(s[24:])
		e, f, g, h := LoadEight(s[32:]), LoadEight(s[40:]), LoadEight(s[48:]), LoadEight(s[56:])
		return packWordBytes(a) | packWordBytes(b)<<8 | packWordBytes(c)<<16 | packWordBytes(d)<<24 |
			packWordBytes(e)<<32 | packWordBytes(f)<<40 | packWordBytes(g)<<48 | packWordBytes(h)<<56, a | b | c | d | e | f | g | h
	}
	k := 0
	for ; k+8 <= len(s); k += 8 {
		x := LoadEight(s[k:])
		word |= packWordBytes(x) << (k & 63)
		seen |= x
	}
	if k < len(s) {
		x := loadLastBytes(s, k)
		word |= packWordBytes(x) << (k & 63)
		seen |= x
	}
	return word, seen
}

// loadLastBytes is loadEight for the last bytes of s from i on, fewer than eight: the others are 0.
func loadLastBytes(s string, i int) (x uint64) {
	if len(s) >= 8 {
		return LoadEight(s[len(s)-8:]) >> (8 * (i + 8 - len(s)) & 63)
	}
	for k := len(s) - 1; k >= i; k-- {
		x = x<<8 | uint64(s[k])
	}
	return x
}

// WordStarts yields where the words of ASCII of s start, and the bytes of characters beyond it that have
// no such word before them.
func WordStarts(s string) iter.Seq[int] {
	return func(yield func(int) bool) {
		inWord := uint64(0) // whether the byte before is of a word
		for block := 0; block < len(s); block += 64 {
			word, seen := wordMask(s[block:min(len(s), block+64)])
			starts := word
			for k := block; seen&highBits != 0 && k < min(len(s), block+64); k++ {
				starts |= uint64(s[k]>>7) << (k & 63)
			}
			starts &^= word<<1 | inWord
			for inWord = word >> 63; starts != 0; starts &= starts - 1 {
				if !yield(block + bits.TrailingZeros64(starts)) {
					return
				}
			}
		}
	}
}

// IsASCII reports whether all characters are ASCII.
func IsASCII(s string) bool {
	for len(s) >= 32 {
		if (LoadEight(s)|LoadEight(s[8:])|LoadEight(s[16:])|LoadEight(s[24:]))&highBits != 0 {
			return false
		}
		s = s[32:]
	}
	seen := uint64(0)
	for ; len(s) >= 8; s = s[8:] {
		seen |= LoadEight(s)
	}
	return (seen|loadLastBytes(s, 0))&highBits == 0
}

// AppendLower appends s in lower case.
func AppendLower(to []byte, s string) []byte {
	if !IsASCII(s) {
		return append(to, strings.ToLower(s)...)
	}
	n := len(to)
	to = append(to, s...)
	b := to[n:]
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, LowerEight(binary.LittleEndian.Uint64(b)))
		b = b[8:]
	}
	for i, c := range b {
		b[i] = ToLower(c)
	}
	return to
}

// The kinds of bytes that the scanners tell apart. A byte of a multi-byte character has the kind
// isWide; whether it is part of a word is asked of the whole character.
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

// IsWordAt reports whether the byte at i belongs to a word, as far as a letter
// beside it is concerned. Scripts that are written without spaces do not.
func IsWordAt(s string, i int) bool {
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
	return IsWordRune(r)
}

// SkipSpace returns the next position from i that is not white space.
func SkipSpace(s string, i int) int {
	for i < len(s) && Kind[s[i]]&Space != 0 {
		i++
	}
	return i
}

// ToLower gives the byte in lower case, if it is a letter of ASCII.
func ToLower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// IsWordRune reports whether the character belongs to a word that is written with spaces around it.
func IsWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !IsUnspaced(r)
}

// IsUnspaced reports whether the character is of a script without spaces, or of one that
// joins particles to a letter without one.
func IsUnspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// Very long texts are read at both ends only: an answer opens a text or
// closes it, and the work stays bounded.
const (
	headBytes = 16 << 10
	tailBytes = 48 << 10
)

// FoldForRules gives the text in which the rules look: bounded in length, without the reasoning that a
// closing think tag ends, with full-width and styled characters as plain ones and the many kinds of
// spaces and quotes as one. A plain ASCII text of usual length is returned as it is.
func FoldForRules(text string) string {
	if len(text) > headBytes+tailBytes {
		text = keepHeadAndTail(text)
	}
	if len(text) > len("</think>") && strings.Contains(text, "</think>") { // a search from behind takes longer
		if i := strings.LastIndex(text, "</think>"); !IsBlank(text[i+len("</think>"):]) {
			text = text[i+len("</think>"):]
		}
	}
	if IsASCII(text) {
		return text
	}
	return foldNonASCII(text)
}

func keepHeadAndTail(text string) string {
	head, tail := headBytes, len(text)-tailBytes
	for head > 0 && !utf8.RuneStart(text[head]) && headBytes-head < utf8.UTFMax {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) && tail-(len(text)-tailBytes) < utf8.UTFMax {
		tail++
	}
	return text[:head] + "\n\n" + text[tail:]
}

// foldNonASCII copies what stays in runs, and nothing if all of the text stays.
func foldNonASCII(text string) string {
	var b strings.Builder
	var room [8]byte
	copied := 0 // of the text
	for i := 0; i < len(text); {
		if i+8 <= len(text) && LoadEight(text[i:])&highBits == 0 {
			i += 8
			continue
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0x4e00 || r > 0x9fff { // the commonest characters stay
			if folded := appendFolded(room[:0], r); string(folded) != text[i:i+size] {
				if copied == 0 {
					b.Grow(len(text) + 8)
				}
				b.WriteString(text[copied:i])
				b.Write(folded)
				copied = i + size
			}
		}
		i += size
	}
	if copied == 0 {
		return text
	}
	b.WriteString(text[copied:])
	return b.String()
}

func appendFolded(b []byte, r rune) []byte {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
		return append(b, byte(r-0xff01+'!'))
	case r >= 0x24b6 && r <= 0x24cf: // circled letters
		return append(b, byte(r-0x24b6+'A'))
	case r >= 0x1f130 && r <= 0x1f189 && (r-0x1f130)%0x20 < 26: // squared and circled letters
		return append(b, byte((r-0x1f130)%0x20+'A'))
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters
		k := (r - 0x1d400) % 52
		if k < 26 {
			return append(b, byte(k+'A'))
		}
		return append(b, byte(k-26+'a'))
	case r >= 0x2000 && r <= 0x200a, r == 0xa0, r == 0x202f, r == 0x205f, r == 0x3000:
		return append(b, ' ')
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0xfeff, r == 0xad, r >= 0xfe00 && r <= 0xfe0f:
		return b // invisible
	}
	switch r {
	case 0x2028, 0x2029, 0x85:
		return append(b, '\n')
	case '‘', '’', '‚', '′', 'ʼ':
		return append(b, '\'')
	case '“', '”', '„', '″', '「', '」', '『', '』', '《', '》', '«', '»':
		return append(b, '"')
	case '–', '—', '―', '−', '‐', '‑':
		return append(b, '-')
	case '。', '｡':
		return append(b, '.')
	case '、':
		return append(b, ',')
	case '【', '〔', '［':
		return append(b, '[')
	case '】', '〕', '］':
		return append(b, ']')
	case '…':
		return append(b, "..."...)
	case '•', '●', '▪', '‣', '◦', '✓', '✔', '✅', '☑':
		return append(b, '*')
	case '→', '⇒', '➡':
		return append(b, "->"...)
	}
	return utf8.AppendRune(b, r)
}

// IsBlank reports whether there is nothing but white space.
func IsBlank(s string) bool {
	for i := range len(s) {
		if Kind[s[i]]&Space == 0 {
			return false
		}
	}
	return true
}
