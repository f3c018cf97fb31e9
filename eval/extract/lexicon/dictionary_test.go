package lexicon

import (
	"strings"
	"testing"
)

// TestDictionary finds every word of the lexicon in any case, and none else.
func TestDictionary(t *testing.T) {
	want := map[string]Class{}
	for _, l := range lists {
		for _, w := range strings.Fields(l.words) {
			want[w] |= l.class
		}
	}
	for w, c := range want {
		if len(w) > LongestWord {
			t.Errorf("%q is longer than %d bytes", w, LongestWord)
		}
		for _, form := range []string{w, strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} {
			if got := ClassOfWord(form); got != c {
				t.Errorf("%q: got class %b, want %b", form, got, c)
			}
		}
		for _, other := range []string{w + "\x00", w + "x", w[1:], w[:len(w)-1]} {
			if got := ClassOfWord(other); got != want[other] {
				t.Errorf("%q: got class %b, want %b", other, got, want[other])
			}
		}
	}
}
