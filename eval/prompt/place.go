package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"concord/eval"
)

// A picture's place goes through the template as a mark of characters that
// stand for nothing: what is not the item's own, a worked example or an answer,
// may name pictures that are not there.
const (
	markOpen  = '\uFDD0'
	markClose = '\uFDD1'
)

// marked is the item with the first mark of each of so many pictures made one
// that takeMarks finds.
func (i Item) marked(pictures int) Item {
	seen := make([]bool, pictures+1)
	mark := func(text string) string {
		var b strings.Builder
		for _, p := range eval.Parts(text, pictures) {
			switch {
			case p.Picture == 0:
				b.WriteString(strings.ReplaceAll(p.Text, string(markOpen), ""))
			case seen[p.Picture]:
				b.WriteString(eval.ImageMark(p.Picture))
			default:
				seen[p.Picture] = true
				b.WriteRune(markOpen)
				b.WriteRune(rune(p.Picture))
				b.WriteRune(markClose)
			}
		}
		return b.String()
	}
	i.Hint, i.Question = mark(i.Hint), mark(i.Question)
	i.Options = slices.Clone(i.Options)
	for k := range i.Options {
		i.Options[k].Text = mark(i.Options[k].Text)
	}
	return i
}

// takeMarks takes the marks out of a text and gives the places where they
// stood. What a template shows twice is marked again as text.
func takeMarks(text *string) []eval.Place {
	var out []eval.Place
	var b strings.Builder
	rest := *text
	for {
		before, after, found := strings.Cut(rest, string(markOpen))
		b.WriteString(before)
		if !found {
			break
		}
		n, size := utf8.DecodeRuneInString(after)
		if slices.ContainsFunc(out, func(p eval.Place) bool { return p.Picture == int(n)-1 }) {
			b.WriteString(eval.ImageMark(int(n)))
		} else {
			out = append(out, eval.Place{Picture: int(n) - 1, At: b.Len()})
		}
		rest = strings.TrimPrefix(after[size:], string(markClose))
	}
	*text = b.String()
	return out
}
