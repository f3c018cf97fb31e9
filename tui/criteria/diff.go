package criteria

import (
	"strings"

	"concord/annotate/criteria"
	"concord/tui/widget"
)

// diffLines lays out what changed between two revisions, word by word: what
// went stands in [- -], what came in {+ +}, so that no colour is needed.
func diffLines(t *widget.Theme, from, to []criteria.Criterion, width int) []string {
	var p pen
	p.width = max(4, width)
	for _, part := range criteria.Diff(from, to) {
		switch part.Op {
		case criteria.Removed:
			p.write(marked("[-", part.Text, "-]"), t.Bad.Render)
		case criteria.Added:
			p.write(marked("{+", part.Text, "+}"), t.Good.Render)
		case criteria.Same, criteria.OpUnset:
			p.write(part.Text, t.Text.Render)
		}
	}
	out := append(p.lines, p.line)
	if retyped := typesChanged(from, to); retyped != "" {
		out = append(out, t.Faint.Render(widget.Cut(retyped, width)))
	}
	return out
}

// marked sets marks around the words, before the white space at the end.
func marked(open, text, end string) string {
	words := strings.TrimRight(text, " \t\n")
	return open + words + end + text[len(words):]
}

func typesChanged(from, to []criteria.Criterion) string {
	for i := range min(len(from), len(to)) {
		if from[i].Type != to[i].Type {
			return "types changed too: " + kinds(from) + " → " + kinds(to)
		}
	}
	return ""
}

func kinds(cs []criteria.Criterion) string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Type.Title()
	}
	return strings.Join(out, ", ")
}

// pen writes styled words into lines of a width.
type pen struct {
	width int
	lines []string
	line  string
	used  int
}

func (p *pen) write(text string, style func(...string) string) {
	for n, row := range strings.Split(widget.Clean(text), "\n") {
		if n > 0 {
			p.end()
		}
		for _, word := range strings.SplitAfter(row, " ") {
			p.word(word, style)
		}
	}
}

func (p *pen) word(word string, style func(...string) string) {
	bare := strings.TrimRight(word, " ")
	if p.used > 0 && p.used+widget.Width(bare) > p.width {
		p.end()
	}
	for widget.Width(bare) > p.width { // a word longer than a line
		first := beginning(bare, p.width)
		p.line += style(first)
		p.end()
		bare = bare[len(first):]
		word = word[len(first):]
	}
	if word == "" {
		return
	}
	if p.used+widget.Width(word) > p.width {
		word = bare
	}
	p.line += style(word)
	p.used += widget.Width(word)
}

func (p *pen) end() {
	p.lines = append(p.lines, p.line)
	p.line, p.used = "", 0
}

// beginning is as much of a word as fits, and at least a letter.
func beginning(word string, width int) string {
	for i := range word {
		if i > 0 && widget.Width(word[:i]) >= width {
			return word[:i]
		}
	}
	return word
}
