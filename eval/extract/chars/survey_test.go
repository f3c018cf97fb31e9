package chars

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSurvey sets what is found eight bytes at a time against a look at each
// byte, on texts of every length with every byte in them.
func TestSurvey(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		b := make([]byte, n%150)
		for i := range b {
			b[i] = byte(r.Uint32() >> (r.Uint32() & 1)) // half of them ASCII
		}
		s := string(b)
		for i := range len(s) {
			word := WordBits(s, i)
			starts, last := StartBits(s, i, 0)
			for k := range min(64, len(s)-i) {
				c := s[i+k]
				start := c > 0x7f || wordBytes[c] == 1
				if start && k > 0 {
					start = wordBytes[s[i+k-1]] == 0
				}
				if byte(word>>k&1) != wordBytes[c] || starts>>k&1 == 1 != start || k == 63 && last != uint64(wordBytes[c]) {
					t.Fatalf("%q at %d: got word %b, starts %b", s, i+k, word, starts)
				}
			}
			if i+8 <= len(s) {
				for k := range 8 {
					if got := byte(LowerEight(LoadEight(s[i:])) >> (8 * k)); got != ToLower(s[i+k]) {
						t.Fatalf("%q: %q lowered is %q", s, s[i+k], got)
					}
				}
			}
		}
		if want := strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) < 0; IsASCII(s) != want {
			t.Fatalf("%q: ascii is %t", s, !want)
		}
	}
}
