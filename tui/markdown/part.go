package markdown

import (
	"strings"
	"unicode"
)

// Part is a run of words with the white space behind them: in both texts ('='), in
// the first alone ('-') or in the second ('+').
type Part struct {
	Op   rune
	Text string
}

// Parts tells word by word how one text became another; a text of more than most
// words as a whole.
func Parts(from, to string) (out []Part) {
	add := func(op rune, words []string) {
		if len(words) > 0 {
			out = append(out, Part{op, strings.Join(words, "")})
		}
	}
	a, b := spaced(from), spaced(to)
	if len(a) > most || len(b) > most {
		add('-', a)
		add('+', b)
		return out
	}
	var at passage
	for _, p := range common(a, b) {
		add('-', a[at.a:p.a])
		add('+', b[at.b:p.b])
		add('=', a[p.a:p.a+p.size])
		at = passage{a: p.a + p.size, b: p.b + p.size}
	}
	return out
}

// spaced cuts a text behind the white space that follows each word, so that the
// words joined are the text.
func spaced(text string) (out []string) {
	start, space := 0, false
	for i, r := range text {
		if s := unicode.IsSpace(r); s || !space {
			space = s
			continue
		}
		out, start, space = append(out, text[start:i]), i, false
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}
