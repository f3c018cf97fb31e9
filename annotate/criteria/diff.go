package criteria

import (
	"slices"
	"strings"
	"unicode"
)

// Op is what became of a part of a text. The zero value is unset.
type Op uint8

// What becomes of a part.
const (
	OpUnset Op = iota
	Same
	Removed
	Added
)

// Part is a run of words, with the white space behind them.
type Part struct {
	Op   Op
	Text string
}

// Diff tells word by word how one revision became another, as judges are
// shown them. The parts that are not Added make up the first text, those that
// are not Removed the second.
func Diff(from, to []Criterion) []Part { return DiffText(Text(from), Text(to)) }

// DiffText is Diff of any two texts.
func DiffText(from, to string) []Part {
	a, b := words(from), words(to)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out parts
	out.add(Same, a[:head]...)
	out.middle(a[head:len(a)-tail], b[head:len(b)-tail])
	out.add(Same, a[len(a)-tail:]...)
	return out
}

// words cuts a text behind the white space that follows each word, so that
// the words joined are the text.
func words(text string) []string {
	var out []string
	start, space := 0, false
	for i, r := range text {
		s := unicode.IsSpace(r)
		if space && !s {
			out = append(out, text[start:i])
			start = i
		}
		space = s
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

type parts []Part

// add appends words, and joins them to the last part of their kind.
func (p *parts) add(op Op, ws ...string) {
	if len(ws) == 0 {
		return
	}
	text := strings.Join(ws, "")
	if n := len(*p); n > 0 && (*p)[n-1].Op == op {
		(*p)[n-1].Text += text
		return
	}
	*p = append(*p, Part{Op: op, Text: text})
}

// diffCells bounds the table of the longest common subsequence: above it, as
// with texts of thousands of words that share neither end, the whole middle is
// one change. Criteria have a few dozen words.
const diffCells = 4 << 20

func (p *parts) middle(a, b []string) {
	if len(a)*len(b) > diffCells {
		p.add(Removed, a...)
		p.add(Added, b...)
		return
	}
	longest := subsequences(a, b)
	var gone, come []string // of the change under way: gone words stand first
	flush := func() {
		p.add(Removed, gone...)
		p.add(Added, come...)
		gone, come = gone[:0], come[:0]
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			flush()
			p.add(Same, a[i])
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			gone = append(gone, a[i])
			i++
		default:
			come = append(come, b[j])
			j++
		}
	}
	gone, come = slices.Concat(gone, a[i:]), slices.Concat(come, b[j:])
	flush()
}

// subsequences is the length of the longest common subsequence of a[i:] and
// b[j:], for each i and j.
func subsequences(a, b []string) [][]uint32 {
	out := make([][]uint32, len(a)+1)
	cells := make([]uint32, (len(a)+1)*(len(b)+1))
	for i := range out {
		out[i] = cells[i*(len(b)+1) : (i+1)*(len(b)+1)]
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				out[i][j] = out[i+1][j+1] + 1
			} else {
				out[i][j] = max(out[i+1][j], out[i][j+1])
			}
		}
	}
	return out
}
