package metric

import (
	"strings"
	"testing"
	"unicode"
)

func TestExactMatch(t *testing.T) {
	check := func(answer, reference string, want bool) {
		t.Helper()
		if got := IsExactMatch(answer, reference); got != want {
			t.Errorf("%q against %q: %t (%q, %q)", answer, reference, got, NormalizeAnswer(answer), NormalizeAnswer(reference))
		}
	}
	check("Two.", "2", true)
	check("none", "0", true)
	check("The  red-haired\nman!", "red haired man", true)
	check("1,000", "1000", true)
	check("U.S.", "us", true)
	check("3.5", "35", false)
	check("dont know", "Don’t know", true)
	check("its", "it's", false)
	check("It is a dog.", "dog", false)
	check("a", "the", false) // nothing is left to compare
	check("", "", false)
	check("50%", "50", false)
	check("\x1b[2Jdog", "[2jdog", true)
}

// What comes out is one line without control characters.
func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"The red-haired man, 1,000.5!", "dont", "a.b.c", "1,2,3", "..5", "none", "can't", "\x9b2J"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := NormalizeAnswer(s)
		for _, c := range got {
			if unicode.IsControl(c) {
				t.Errorf("%q becomes %q", s, got)
			}
		}
		if strings.Join(strings.Fields(got), " ") != got {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}
