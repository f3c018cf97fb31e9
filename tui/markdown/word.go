package markdown

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/sergi/go-diff/diffmatchpatch"

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

// docWriter makes a Doc of what it is given in order.
type docWriter struct {
	doc Doc
	gap string // white space since the last word
	end bool   // the next word begins a line
}

// addText adds the words of one line.
func (w *docWriter) addText(s string, st style) {
	for s = widget.CleanLine(s); s != ""; {
		n := strings.IndexByte(s, ' ')
		switch n {
		case 0:
			rest := strings.TrimLeft(s, " ")
			w.gap, s = w.gap+s[:len(s)-len(rest)], rest
			continue
		case -1:
			n = len(s)
		}
		w.addToken(s[:n], st)
		s = s[n:]
	}
}

// addToken adds what has no white space in it. Between letters of two cells a
// line may be broken: their scripts have no spaces.
func (w *docWriter) addToken(s string, st style) {
	from := 0
	for at := 0; at < len(s); {
		if s[at] < utf8.RuneSelf {
			at++
			continue
		}
		cluster, width := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if width > 1 {
			w.addWord(s[from:at], st, false)
			w.addWord(cluster, st, true)
			from = at + len(cluster)
		}
		at += max(len(cluster), 1)
	}
	w.addWord(s[from:], st, false)
}

func (w *docWriter) addWord(s string, st style, wide bool) {
	if s == "" {
		return
	}
	words := w.doc.words
	soft := wide || len(words) > 0 && words[len(words)-1].soft && words[len(words)-1].width > 1
	w.doc.words = append(words, word{text: s, gap: w.gap, soft: soft, ends: w.end, style: st, width: widget.TextWidth(s)})
	w.gap, w.end = "", false
}

// breakLine has the next word begin a line of its block.
func (w *docWriter) breakLine() { w.gap, w.end = "", true }

func (w *docWriter) addBlock(b block, write func()) {
	w.gap, w.end = "", false
	b.from = len(w.doc.words)
	write()
	b.to = len(w.doc.words)
	b.air = b.air && len(w.doc.blocks) > 0
	w.doc.blocks = append(w.doc.blocks, b)
}

// ParsePlain gives a text as it was written: its lines, its white space.
func ParsePlain(text string) *Doc {
	var w docWriter
	for l := range strings.SplitSeq(strings.TrimRight(widget.CleanText(text), "\n"), "\n") {
		w.addBlock(block{}, func() { w.addText(l, 0) })
	}
	return &w.doc
}

// most is how many words of a text are compared: more take seconds.
const most = 4000

// Difference is where two texts differ, word by word.
type Difference struct {
	A, B   []bool // of each word: the other text does not have it here
	Common int    // words that both have
}

// CompareDocs compares two documents by their words, whatever their case and punctuation. It looks for
// the fewest words to take out and put in (Myers), and takes words that meet by chance, one or two
// between long differences, for different too. It reports false when a text is too long.
func CompareDocs(a, b *Doc) (Difference, bool) {
	if len(a.words) > most || len(b.words) > most {
		return Difference{}, false
	}
	d := Difference{A: make([]bool, len(a.words)), B: make([]bool, len(b.words))}
	for i := range d.A {
		d.A[i] = true
	}
	for i := range d.B {
		d.B[i] = true
	}
	both := findCommonPassages(normalizedWords(a), normalizedWords(b))
	endA, endB := 0, 0 // behind the last passage that both have
	for i, m := range both[:len(both)-1] {
		next := both[i+1]
		around := m.a - endA + m.b - endB + next.a - m.a - m.size + next.b - m.b - m.size
		if m.size < 3 && around > 6*m.size {
			continue // by chance
		}
		endA, endB = m.a+m.size, m.b+m.size
		for k := range m.size {
			d.A[m.a+k], d.B[m.b+k] = false, false
		}
		d.Common += m.size
	}
	unmarkPunctuation(a, d.A)
	unmarkPunctuation(b, d.B)
	return d, true
}

// commonPassage is words that two texts have: where it begins in each, and how many.
type commonPassage struct{ a, b, size int }

// findCommonPassages finds the passages that two texts have, in their order, and behind them an empty one at
// both ends. Each different word is a character of what the library compares.
func findCommonPassages(a, b []string) []commonPassage {
	numbers := make(map[string]rune)
	encode := func(words []string) []rune {
		out := make([]rune, len(words))
		for i, w := range words {
			numbers[w] = cmp.Or(numbers[w], rune(len(numbers)+1))
			out[i] = numbers[w]
		}
		return out
	}
	compare := diffmatchpatch.New()
	compare.DiffTimeout = 0 // the same marks on every machine
	var out []commonPassage
	var at commonPassage
	for _, d := range compare.DiffMainRunes(encode(a), encode(b), false) {
		at.size = utf8.RuneCountInString(d.Text)
		if d.Type == diffmatchpatch.DiffEqual {
			out = append(out, at)
		}
		if d.Type != diffmatchpatch.DiffInsert {
			at.a += at.size
		}
		if d.Type != diffmatchpatch.DiffDelete {
			at.b += at.size
		}
	}
	return append(out, commonPassage{a: at.a, b: at.b})
}

// unmarkPunctuation takes the marks off what is punctuation alone.
func unmarkPunctuation(d *Doc, marks []bool) {
	for i := range marks {
		marks[i] = marks[i] && strings.Trim(d.words[i].text, silent) != ""
	}
}

// silent is the punctuation that says nothing by itself: "50", "50.", "(50)"
// are the same word, but "-50" and "50%" are not.
const silent = ".,;:!?\"'()[]…“”‘’«»"

// normalizedWords gives the words as they are compared.
func normalizedWords(d *Doc) []string {
	out := make([]string, len(d.words))
	for i := range d.words {
		s := d.words[i].text
		out[i] = strings.ToLower(strings.Trim(s, silent))
		out[i] = cmp.Or(out[i], s)
	}
	return out
}

// leastColumn is how narrow a column of a table may become: below that, cells
// are easier to read one under the other.
const leastColumn = 9

// layOutTable sets a table in columns, narrower where they do not fit, and else each row as a text.
func (s *textSetter) layOutTable(b *block, width int) []string {
	wide, ok := narrowColumns(s.columnWidths(b), width)
	if !ok {
		return s.layOutRowsAsText(b, width)
	}
	faint := s.theme.Faint.Render
	var out []string
	for i, row := range b.rows {
		out = append(out, s.layOutRow(b, row, wide)...)
		if i == 0 {
			rules := make([]string, len(wide))
			for c, n := range wide {
				rules[c] = strings.Repeat("─", n)
			}
			out = append(out, faint(strings.Join(rules, "─┼─")))
		}
	}
	return out
}

// columnWidths is how wide each column is when nothing of it wraps.
func (s *textSetter) columnWidths(b *block) []int {
	var wide []int
	for _, row := range b.rows {
		for i, c := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			n := 0
			for k := c.from; k < c.to; k++ {
				n += s.words[k].width
				if k > c.from {
					n += len(s.words[k].gap)
				}
			}
			wide[i] = max(wide[i], n)
		}
	}
	return wide
}

// narrowColumns takes cells from the widest columns until all fit, and reports whether they do.
func narrowColumns(wide []int, width int) ([]int, bool) {
	sum := 3 * (len(wide) - 1)
	least := sum
	for i, n := range wide {
		wide[i] = min(n, width)
		sum += wide[i]
		least += min(n, leastColumn)
	}
	if least > width {
		return nil, false
	}
	for ; sum > width; sum-- {
		most := 0
		for i, n := range wide {
			if n > wide[most] {
				most = i
			}
		}
		wide[most]--
	}
	return wide, true
}

// layOutRow sets a row of a table, of as many lines as its longest cell.
func (s *textSetter) layOutRow(b *block, row []span, wide []int) []string {
	cells, high := make([][]string, len(wide)), 1
	for c := range min(len(row), len(wide)) {
		cells[c] = s.wrapWords(row[c].from, row[c].to, max(1, wide[c]))
		high = max(high, len(cells[c]))
	}
	out := make([]string, high)
	for k := range out {
		line := make([]string, len(wide))
		for c, n := range wide {
			text := ""
			if k < len(cells[c]) {
				text = cells[c][k]
			}
			if c < len(b.right) && b.right[c] {
				text = strings.Repeat(" ", max(0, n-widget.TextWidth(text))) + text
			}
			line[c] = widget.FitWidth(text, n)
		}
		out[k] = strings.TrimRight(strings.Join(line, s.theme.Faint.Render(" │ ")), " ")
	}
	return out
}

// layOutRowsAsText sets each cell of a too wide table on lines of its own, rows an empty line apart.
func (s *textSetter) layOutRowsAsText(b *block, width int) []string {
	var out []string
	faint := s.theme.Faint.Render
	for i, row := range b.rows {
		if i > 0 {
			out = append(out, "")
		}
		for _, c := range row {
			if c.from == c.to {
				continue
			}
			for k, l := range s.wrapWords(c.from, c.to, max(1, width-2)) {
				before := faint("│ ")
				if k > 0 {
					before = "  "
				}
				if width <= 2 {
					before = ""
				}
				out = append(out, before+l)
			}
		}
	}
	return out
}
