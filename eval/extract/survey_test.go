package extract

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
			word := wordBits(s, i)
			starts, last := startBits(s, i, 0)
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
					if got := byte(lower8(eight(s[i:])) >> (8 * k)); got != lower(s[i+k]) {
						t.Fatalf("%q: %q lowered is %q", s, s[i+k], got)
					}
				}
			}
		}
		if want := strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) < 0; ascii(s) != want {
			t.Fatalf("%q: ascii is %t", s, !want)
		}
	}
}

// TestDictionary finds every word of the lexicon in any case, and none else.
func TestDictionary(t *testing.T) {
	want := map[string]class{}
	for _, l := range lexicon {
		for _, w := range strings.Fields(l.words) {
			want[w] |= l.class
		}
	}
	for w, c := range want {
		if len(w) > longestWord {
			t.Errorf("%q is longer than %d bytes", w, longestWord)
		}
		for _, form := range []string{w, strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} {
			if got := wordClass(form); got != c {
				t.Errorf("%q: got class %b, want %b", form, got, c)
			}
		}
		for _, other := range []string{w + "\x00", w + "x", w[1:], w[:len(w)-1]} {
			if got := wordClass(other); got != want[other] {
				t.Errorf("%q: got class %b, want %b", other, got, want[other])
			}
		}
	}
}

// TestPhrasebook finds every phrase at the start of words, wherever it stands
// to a block of 64 bytes.
func TestPhrasebook(t *testing.T) {
	for _, list := range [][]string{nones, inabilities, undetermined, ignorances} {
		for _, w := range list {
			for before := range 66 {
				for lead, want := range map[string]bool{" ": true, "é": true, "x": false, "1": false} {
					s, found := strings.Repeat("-", before)+lead+strings.ToUpper(w), false
					for i, p := range declinePhrases.in(s) {
						found = found || p.text == w && i == before+len(lead)
					}
					if found != want {
						t.Fatalf("%q in %q: found is %t", w, s, found)
					}
				}
			}
		}
	}
}
