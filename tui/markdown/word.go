package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"concord/tui/widget"
)

// Limit is the size in bytes up to which a text is laid out here. Nobody
// compares longer ones; widget.Text shows them.
const Limit = 16 << 10

// style is how a word is set; styles add up.
type style uint8

const (
	bold style = 1 << iota
	italic
	code
	struck
	aside // what is about the text: a marker, an address
	marked
)

// word is the smallest piece of a text that moves to the next line.
type word struct {
	text  string // fit to be shown, without white space
	gap   string // white space before it; with none it joins the word before it
	soft  bool   // a line may be broken before it all the same
	ends  bool   // it begins a new line of its block
	style style
	width int
}

// Doc is a text taken apart: blocks of words.
type Doc struct {
	words  []word
	blocks []block
}

// block is a paragraph, a line of code, a rule or a table.
type block struct {
	head, rest string // before its first line, and before the others
	from, to   int    // its words
	air        bool   // an empty line stands before it
	rule       bool   // a line across
	rows       [][]span
	right      []bool // columns that end at the same cell
}

// span is the words of a cell.
type span struct{ from, to int }

// writer makes a Doc of what it is given in order.
type writer struct {
	doc Doc
	gap string // white space since the last word
	end bool   // the next word begins a line
}

// text adds the words of one line.
func (w *writer) text(s string, st style) {
	for s = widget.Line(s); s != ""; {
		n := strings.IndexByte(s, ' ')
		switch n {
		case 0:
			rest := strings.TrimLeft(s, " ")
			w.gap, s = w.gap+s[:len(s)-len(rest)], rest
			continue
		case -1:
			n = len(s)
		}
		w.token(s[:n], st)
		s = s[n:]
	}
}

// token adds what has no white space in it. Between letters of two cells a
// line may be broken: their scripts have no spaces.
func (w *writer) token(s string, st style) {
	from := 0
	for at := 0; at < len(s); {
		if s[at] < utf8.RuneSelf {
			at++
			continue
		}
		cluster, width := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if width > 1 {
			w.add(s[from:at], st, false)
			w.add(cluster, st, true)
			from = at + len(cluster)
		}
		at += max(len(cluster), 1)
	}
	w.add(s[from:], st, false)
}

func (w *writer) add(s string, st style, wide bool) {
	if s == "" {
		return
	}
	words := w.doc.words
	soft := wide || len(words) > 0 && words[len(words)-1].soft && words[len(words)-1].width > 1
	w.doc.words = append(words, word{text: s, gap: w.gap, soft: soft, ends: w.end, style: st, width: widget.Width(s)})
	w.gap, w.end = "", false
}

// line has the next word begin a line of its block.
func (w *writer) line() { w.gap, w.end = "", true }

// block adds a block of what write adds.
func (w *writer) block(b block, write func()) {
	w.gap, w.end = "", false
	b.from = len(w.doc.words)
	write()
	b.to = len(w.doc.words)
	b.air = b.air && len(w.doc.blocks) > 0
	w.doc.blocks = append(w.doc.blocks, b)
}

// Plain is a text as it was written: its lines, its white space.
func Plain(text string) *Doc {
	var w writer
	for l := range strings.SplitSeq(strings.TrimRight(widget.Clean(text), "\n"), "\n") {
		w.block(block{}, func() { w.text(l, 0) })
	}
	return &w.doc
}
