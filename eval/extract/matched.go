package extract

import (
	"unicode/utf8"

	"concord/eval"
)

// mostMatched bounds the texts in which it is looked for what matched, in bytes: they
// are read some dozens of times.
const mostMatched = 64 << 10

// FindMatched finds the part of a text, in bytes, out of which a reader reads its choice: the
// text without what can be left out at its end, then at its beginning, so that the
// same choice is read by the same method. It is empty where none is read.
func FindMatched(r eval.Reader, kind eval.Kind, options []eval.Option, text string) (from, to int) {
	want := eval.ReadText(r, kind, options, text)
	if !want.IsFound() || want.Method == eval.Fallback || len(text) > mostMatched {
		return 0, 0
	}
	same := func(from, to int) bool { return eval.ReadText(r, kind, options, text[from:to]) == want }
	from, to = 0, len(text)
	for step := len(text) / 2; step > 0; step /= 2 {
		for at := nextBoundary(text, to-step); at > from && at < to && same(from, at); at = nextBoundary(text, to-step) {
			to = at
		}
	}
	for step := (to - from) / 2; step > 0; step /= 2 {
		for at := nextBoundary(text, from+step); at < to && at > from && same(at, to); at = nextBoundary(text, from+step) {
			from = at
		}
	}
	return from, to
}

// nextBoundary gives the first place from one on at which no letter is cut in two.
func nextBoundary(text string, at int) int {
	for at = max(0, at); at < len(text) && !utf8.RuneStart(text[at]); {
		at++
	}
	return at
}
