package markdown

import (
	"strings"
	"unicode"
)

// DiffPart is a run of words with the white space behind them: in both texts ('='), in
// the first alone ('-') or in the second ('+').
type DiffPart struct {
	Op   rune
	Text string
}

// DiffWords tells word by word how one text became another; a text of more than most
// words as a whole.
func DiffWords(from, to string) (out []DiffPart) {
	add := func(op rune, words []string) {
		if len(words) > 0 {
			out = append(out, DiffPart{op, strings.Join(words, "")})
		}
	}
	a, b := splitAfterSpace(from), splitAfterSpace(to)
	if len(a) > most || len(b) > most {
		add('-', a)
		add('+', b)
		return out
	}
	var at commonPassage
	for _, p := range findCommon(a, b) {
		add('-', a[at.a:p.a])
		add('+', b[at.b:p.b])
		add('=', a[p.a:p.a+p.size])
		at = commonPassage{a: p.a + p.size, b: p.b + p.size}
	}
	return out
}

// splitAfterSpace cuts a text behind the white space that follows each word, so that the
// words joined are the text.
func splitAfterSpace(text string) (out []string) {
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
