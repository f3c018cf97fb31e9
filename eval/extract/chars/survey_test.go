package chars

import (
	"math/rand/v2"
	"slices"
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
			word := WordMaskAt(s, i)
			starts := slices.Collect(WordStarts(s[i:]))
			for k := range len(s) - i {
				c := s[i+k]
				inWord := Kind[c]&Word != 0
				start := (c > 0x7f || inWord) && (k == 0 || Kind[s[i+k-1]]&Word == 0)
				if k < 64 && word>>k&1 == 1 != inWord || slices.Contains(starts, k) != start {
					t.Fatalf("%q at %d: got word %b, starts %d", s, i+k, word, starts)
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
