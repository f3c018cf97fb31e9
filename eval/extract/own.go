package extract

import (
	"strings"

	"concord/eval/extract/chars"
)

// minOwn is how many letters and digits of an option's text must stand
// beside its letter to be taken for it, when the text is longer.
const minOwn = 18

// ownAfter looks for the option's own text behind its letter and returns
// where it ends, or 0.
func (a *answer) ownAfter(m *mark) int {
	s := a.text
	i := m.to
	for i < len(s) && skippable(s[i]) && i-m.to < 12 {
		i++
	}
	if i == len(s) {
		return 0
	}
	text := a.choices.textOf(m.letter)
	if text == "" {
		return 0
	}
	end, n, whole := samePrefix(s[i:], text)
	if n == 0 || !whole && n < minOwn || whole && n == 1 && len(text) == 1 && chars.Kind[text[0]]&chars.Letter != 0 {
		return 0
	}
	if whole && chars.WordAt(s, i+end) && chars.WordAt(s, i+end-1) {
		return 0
	}
	m.own = true
	if !whole {
		return 0
	}
	return i + end
}

// ownBefore reports whether the option's text stands before a letter in
// brackets: "the mental nerve (D)".
func (a *answer) ownBefore(m *mark) bool {
	s := a.text
	if m.from == m.at || s[m.from] != '(' && s[m.from] != '[' {
		return false
	}
	text := a.choices.textOf(m.letter)
	n := 0
	i, j := m.from, len(text)
	for {
		for i > 0 && skippable(s[i-1]) {
			i--
		}
		for j > 0 && skippable(text[j-1]) {
			j--
		}
		if i == 0 || j == 0 || chars.ToLower(s[i-1]) != chars.ToLower(text[j-1]) {
			break
		}
		i, j, n = i-1, j-1, n+1
	}
	return n > 0 && (j == 0 && (i == 0 || !chars.WordAt(s, i-1)) || n >= minOwn)
}

func skippable(c byte) bool { return chars.Kind[c]&(chars.Word|chars.Wide) == 0 }

// wordsIn is where the last character of a word in text ends, how many there
// are, counted up to two, and whether there is one.
func wordsIn(text string) (end, n int, some bool) {
	for i := len(text) - 1; i >= 0 && n < 2; i-- {
		if chars.Kind[text[i]]&(chars.Word|chars.Wide) == 0 {
			continue
		}
		if n++; end == 0 {
			end = i + 1
		}
	}
	return end, n, n > 0
}

// samePrefix compares s with text, passing over case, spaces and
// punctuation. It returns how far s was read, how many characters were the
// same (two stand for more where it was all), and whether that was all of text.
func samePrefix(s, text string) (end, n int, whole bool) {
	if strings.HasPrefix(s, text) { // most often
		return wordsIn(text)
	}
	i, j := 0, 0
	for {
		for i < len(s) && j < len(text) && s[i] == text[j] { // the common case
			if chars.Kind[s[i]]&(chars.Word|chars.Wide) != 0 {
				n++
				end = i + 1
			}
			i, j = i+1, j+1
		}
		for j < len(text) && skippable(text[j]) {
			j++
		}
		if j == len(text) {
			return end, n, n > 0
		}
		for i < len(s) && skippable(s[i]) {
			i++
		}
		if i == len(s) || chars.ToLower(s[i]) != chars.ToLower(text[j]) {
			return end, n, false
		}
		i, j, n = i+1, j+1, n+1
		end = i
	}
}
