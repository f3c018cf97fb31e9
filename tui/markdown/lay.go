package markdown

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"concord/tui/widget"
)

// room is the least width that text keeps beside the marks before it.
const room = 12

// LayOut sets a document in lines of at most width cells. Words that are marked (nil: none) are
// underlined; where a terminal cannot do that, they stand in «these».
func (d *Doc) LayOut(t *widget.Theme, width int, marks []bool) []string {
	s := textSetter{theme: t, width: max(1, width), words: d.words}
	if marks != nil {
		s.words = d.markWords(marks, t.ColourProfile() == termenv.Ascii)
	}
	for i := range d.blocks {
		s.layOutBlock(&d.blocks[i])
	}
	return s.lines
}

// markWords gives the marked words their style, or the signs that stand for it.
func (d *Doc) markWords(marks []bool, signs bool) []word {
	words := slices.Clone(d.words)
	run := func(from, to int) {
		for i := from; i < to; i++ {
			if !marks[i] {
				continue
			}
			w := &words[i]
			w.style |= marked
			if !signs {
				continue
			}
			if i == from || !marks[i-1] {
				w.text = "«" + w.text
			}
			if i == to-1 || !marks[i+1] {
				w.text += "»"
			}
			w.width = widget.TextWidth(w.text)
		}
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.rows == nil {
			run(b.from, b.to)
		}
		for _, row := range b.rows {
			for _, c := range row {
				run(c.from, c.to)
			}
		}
	}
	return words
}

// textSetter sets words in lines.
type textSetter struct {
	theme *widget.Theme
	width int
	words []word
	lines []string
}

func (s *textSetter) layOutBlock(b *block) {
	if b.air {
		s.lines = append(s.lines, "")
	}
	head, rest := b.head, b.rest
	if s.width-widget.TextWidth(rest) < min(room, s.width/2) {
		head, rest = "", ""
	}
	faint := s.theme.Faint.Render
	wide := max(1, s.width-widget.TextWidth(rest))
	var body []string
	switch {
	case b.rule:
		body = []string{faint(strings.Repeat("─", min(wide, 20)))}
	case b.rows != nil:
		body = s.layOutTable(b, wide)
	default:
		body = s.wrapWords(b.from, b.to, wide)
	}
	for i, l := range body {
		before := rest
		if i == 0 {
			before = head
		}
		if before != "" {
			before = faint(before)
		}
		s.lines = append(s.lines, widget.IsolateLine(before+l))
	}
}

// piece is text of one style.
type piece struct {
	text  string
	style style
}

// wrapWords sets words in lines of at most width cells; no words are an empty line.
func (s *textSetter) wrapWords(from, to, width int) []string {
	var out []string
	var line []piece
	col := 0
	flush := func() {
		out = append(out, s.renderPieces(line))
		line, col = nil, 0
	}
	for i := from; i < to; {
		j := i + 1 // the words up to j stay together
		for j < to && s.words[j].gap == "" && !s.words[j].soft && !s.words[j].ends {
			j++
		}
		n := 0
		for _, w := range s.words[i:j] {
			n += w.width
		}
		first := &s.words[i]
		gap := len(first.gap)
		switch {
		case first.ends && i > from:
			flush()
			gap = min(gap, width/2)
		case col == 0:
			gap = min(gap, width/2)
		case col+gap+n > width:
			flush()
			gap = 0
		}
		if gap > 0 {
			line, col = append(line, piece{strings.Repeat(" ", gap), s.gapStyle(i, from)}), col+gap
		}
		for _, w := range s.words[i:j] {
			if col+w.width <= width {
				line, col = append(line, piece{w.text, w.style}), col+w.width
				continue
			}
			for k, part := range cutLongWord(w.text, width-col, width) { // wider than what is left of a line
				if k > 0 {
					flush()
				}
				line, col = append(line, piece{part, w.style}), col+widget.TextWidth(part)
			}
		}
		i = j
	}
	if line != nil || len(out) == 0 {
		flush()
	}
	return out
}

// gapStyle is the style of the white space before a word: that of what stands on both sides of it.
func (s *textSetter) gapStyle(i, from int) style {
	if i == from {
		return 0
	}
	return s.words[i].style & s.words[i-1].style
}

// cutLongWord cuts a word that is wider than a line: its first part has first cells.
func cutLongWord(s string, first, width int) []string {
	if first < width/2 {
		return append([]string{""}, widget.WrapText(s, width)...)
	}
	head := widget.WrapText(s, first)
	if len(head) < 2 {
		return head
	}
	return append(head[:1:1], widget.WrapText(strings.TrimPrefix(s, head[0]), width)...)
}

// renderPieces gives pieces their styles, neighbours of one style together.
func (s *textSetter) renderPieces(line []piece) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		st, text := line[i].style, ""
		for ; i < len(line) && line[i].style == st; i++ {
			text += line[i].text
		}
		if st == 0 {
			b.WriteString(text)
		} else {
			b.WriteString(s.newStyle(st).Render(text))
		}
	}
	return b.String()
}

func (s *textSetter) newStyle(st style) lipgloss.Style {
	t := s.theme
	out := t.Text.Style
	switch {
	case st&aside != 0:
		out = t.Faint.Style
	case st&code != 0:
		out = t.Accent.Style
	}
	if st&marked != 0 {
		out = t.Warn.Underline(true)
	}
	if st&bold != 0 {
		out = out.Bold(true)
	}
	if st&italic != 0 {
		out = out.Italic(true)
	}
	if st&struck != 0 {
		out = out.Strikethrough(true)
	}
	return out
}

// DiffPart is a run of words with the white space behind them: in both texts ('='), in
// the first alone ('-') or in the second ('+').
type DiffPart struct {
	Op   rune
	Text string
}

// DiffWords tells word by word how one text became another; a text of more than most words as a whole.
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
	for _, p := range findCommonPassages(a, b) {
		add('-', a[at.a:p.a])
		add('+', b[at.b:p.b])
		add('=', a[p.a:p.a+p.size])
		at = commonPassage{a: p.a + p.size, b: p.b + p.size}
	}
	return out
}

// splitAfterSpace cuts a text behind the white space after each word, so that they join to the text.
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
