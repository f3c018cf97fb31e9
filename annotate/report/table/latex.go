package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"concord/eval"
	"concord/eval/text"
)

// TextWidth is the width of the text of RenderLaTeX's class article, in points.
const TextWidth = 345

// longTable is how many rows of one line a page takes.
const longTable = 40

// RenderLaTeX prints the table with booktabs, so that it fits the text of the class article: what is
// the same in every row goes to the caption, or to a comment without one; then the letters get smaller,
// intervals and counts move below their figures, and the columns are dealt out to tables one below the
// other. What still is too wide says how wide it is. Tables of more than a page are longtables. There
// is a rule between groups of models by size.
func (t Table) RenderLaTeX(p *Paper) []byte {
	p = cmp.Or(p, &Paper{})
	var b strings.Builder
	same, shown := t.FoldConstantColumns()
	if len(shown.Columns) == 0 {
		same, shown = nil, t
	}
	constants, notes := strings.Join(same, ", "), append(shown.moveReasonsToNotes(), shown.explainBold()...)
	if t.Title != "" {
		writeComment(&b, t.heading())
	}
	for _, n := range t.Notes {
		writeComment(&b, n)
	}
	caption := ""
	if p.Caption == "" {
		if constants != "" {
			writeComment(&b, "In every row: "+constants)
		}
		for _, n := range notes {
			writeComment(&b, n)
		}
	} else {
		caption = p.formatCaption(constants, notes)
	}
	if slices.ContainsFunc(shown.Rows, func(r []Cell) bool { return strings.ContainsFunc(fmt.Sprint(r), isWide) }) {
		b.WriteString("% Some letters are not Latin: xelatex with \\usepackage{xeCJK}, or lualatex with luatexja, has fonts for them.\n")
	}
	s := shown.chooseSetting()
	s.printParts(&b, s.splitParts(shown), caption)
	return []byte(b.String())
}

// formatCaption gives that of a float, with what is the same in every row and the notes of figures.
func (p *Paper) formatCaption(constants string, notes []string) string {
	words := strings.TrimRight(p.Caption, ". ")
	if constants != "" {
		words += " (" + constants + ")"
	}
	out := `\caption{` + escapeLaTeX(strings.Join(append([]string{words}, notes...), ". ")+".") + "}"
	if p.Label != "" {
		out += `\label{` + strings.Map(cleanLabelRune, p.Label) + "}"
	}
	return out
}

func writeComment(b *strings.Builder, s string) { fmt.Fprintf(b, "%% %s\n", escapeLaTeX(s)) }

// cleanLabelRune keeps what a label may hold.
func cleanLabelRune(r rune) rune {
	if strings.ContainsRune(":-_.", r) || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return '-'
}

// latexSetting is how a table is set: the size of its letters, the room beside each column, whether
// long names are broken into lines, and whether intervals are below their figures.
type latexSetting struct {
	size             string
	scale, gap       float64
	wrapped, stacked bool
	widest           float64 // of a column of texts in points: longer ones are broken into lines
}

var settings = []latexSetting{
	{"", 1, 6, false, false, 0},
	{`\small`, .925, 4, false, false, 0},
	{`\footnotesize`, .85, 3, false, false, 0},
	{`\small`, .925, 4, true, false, 90},
	{`\footnotesize`, .85, 3, true, false, 90},
	{`\small`, .925, 4, true, true, 90},
	{`\footnotesize`, .85, 3, true, true, 90},
	{`\scriptsize`, belowScale, 2, true, true, 50},
}

const tooWide = ", of the %d of a text: see --columns, --no-intervals and --no-counts."

// ListTooWide lists what LaTeX that was rendered says of tables that are wider than the text.
func ListTooWide(latex []byte) []string {
	return eval.Select(strings.Split(string(latex), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "% About ") && strings.HasSuffix(line, fmt.Sprintf(tooWide, TextWidth))
	})
}

// chooseSetting chooses the first setting in which the table is no wider than the text, or of the two
// smallest the one in which its parts are not.
func (t Table) chooseSetting() latexSetting {
	for _, s := range settings {
		if !s.isTooWide(t) {
			return s
		}
	}
	last := len(settings) - 1
	dealt := slices.ContainsFunc(settings[last-1].splitParts(t), settings[last-1].isTooWide)
	return settings[eval.Either(dealt, last, last-1)]
}

func (s latexSetting) isTooWide(t Table) bool {
	const off = 6 // what a width is measured less than it is set, at most
	return s.measureWidth(t) > TextWidth-off
}

// splitParts gives the tables that the columns are dealt out to; each has those that name its rows.
func (s latexSetting) splitParts(t Table) []Table {
	if !s.isTooWide(t) {
		return []Table{t}
	}
	return t.splitBlocks(func(part Table) bool { return !s.isTooWide(part) })
}

// measureWidth measures how wide the table is set, in points.
func (s latexSetting) measureWidth(t Table) float64 {
	sum := 2 * s.gap * float64(len(t.Columns))
	for i := range t.Columns {
		w, _ := s.measureColumn(t, i)
		sum += w
	}
	return sum
}

// measureColumn measures how wide a column is set, in points, as wide as the letters of Computer
// Modern are, bold ones a sixth wider; and its head, in lines that are no wider than
// what is below where the column's figures are stacked.
func (s latexSetting) measureColumn(t Table, i int) (width float64, head []string) {
	longest := 0.0 // of what is not broken
	for _, r := range t.Rows {
		for n, line := range s.cellLines(r[i]) {
			for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" /-._:", r) }) {
				longest = max(longest, textPoints(piece+"__"))
			}
			w := textPoints(line)
			if n > 0 {
				w *= belowScale / s.scale
			}
			if r[i].IsBest() {
				w *= 7. / 6
			}
			width = max(width, w)
		}
	}
	head = []string{t.Columns[i].ReadableName()}
	if words := strings.Fields(head[0]); s.stacked && len(words) > 0 {
		head = words[:1:1]
		for _, w := range words {
			width = max(width, textPoints(w))
		}
		for _, w := range words[1:] {
			if last := &head[len(head)-1]; textPoints(*last+" "+w) <= width {
				*last += " " + w
			} else {
				head = append(head, w)
			}
		}
	}
	for _, h := range head {
		width = max(width, textPoints(h))
	}
	width *= s.scale
	if s.wrapped && t.Columns[i].Kind == KindText {
		width = max(min(width, s.widest), longest*s.scale)
	}
	return width, head
}

// belowScale is how wide the lines below a figure are set, in \scriptsize whatever is around them.
const belowScale = .8

// cellLines are those of a cell: one, or the figure, its interval and its counts.
func (s latexSetting) cellLines(c Cell) []string {
	whole := c.String()
	if !s.stacked || c.kind == cellText || c.estimate.WhyUndefined() != "" {
		return []string{whole}
	}
	figure, counts, _ := strings.Cut(whole, "  ")
	value, interval, some := strings.Cut(figure, " [")
	out := []string{value}
	if some {
		out = append(out, "["+interval)
	}
	if counts != "" {
		out = append(out, counts)
	}
	return out
}

// widths are those of the letters of Computer Modern Roman at ten points, from the blank, in tenths of one.
var widths = [...]uint8{
	33, 28, 50, 83, 50, 83, 78, 28, 39, 39, 50, 78, 28, 33, 28, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 28, 28, 78, 78, 78, 47, 78,
	75, 71, 72, 76, 68, 65, 78, 75, 36, 51, 78, 63, 92, 75, 78, 68, 78, 74, 56, 72, 75, 75, 103, 75, 75, 61, 28, 50, 28, 50, 50, 28,
	50, 56, 44, 56, 44, 31, 50, 56, 28, 31, 53, 28, 83, 56, 50, 56, 53, 39, 39, 39, 56, 53, 72, 53, 53, 44, 50, 28, 50, 50,
}

func textPoints(s string) (sum float64) {
	for _, r := range s {
		switch {
		case r >= ' ' && int(r-' ') < len(widths):
			sum += float64(widths[r-' ']) / 10
		case isWide(r):
			sum += 10
		default:
			sum += 5.5
		}
	}
	return sum
}

// isWide reports a letter that takes a square: RenderLaTeX needs a font for it.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0xff00 && r <= 0xff60
}

// printParts prints the parts, in a float where there is a caption.
func (s latexSetting) printParts(b *strings.Builder, parts []Table, caption string) {
	long := len(parts[0].Rows) > longTable || s.wrapped && len(parts[0].Rows) > longTable/3
	open, shut := "", ""
	switch {
	case caption != "" && !long:
		open, shut = "\\begin{table}\n\\centering\n"+caption+"\n", "\\end{table}\n"
	case s.size != "":
		open, shut = "{", "}\n"
	}
	b.WriteString(open)
	if s.size != "" {
		fmt.Fprintf(b, "%s\\setlength{\\tabcolsep}{%gpt}\n", s.size, s.gap)
	}
	for i, part := range parts {
		if i > 0 {
			b.WriteString("\n\\medskip\n\n")
		}
		if w := s.measureWidth(part); w > TextWidth {
			writeComment(b, fmt.Sprintf("About %.0f points wide"+tooWide, w, TextWidth))
		}
		kind, first := "tabular", ""
		if long {
			kind = "longtable"
		}
		if long && caption != "" && i == 0 {
			first = caption + ` \\` + "\n"
		}
		s.printTabular(b, part, kind, first)
	}
	b.WriteString(shut)
}

func (s latexSetting) printTabular(b *strings.Builder, t Table, kind, first string) {
	spec, head, broken := "", make([]string, len(t.Columns)), make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		w, lines := s.measureColumn(t, i)
		for j := range lines {
			lines[j] = escapeLaTeX(lines[j])
		}
		at := "r"
		switch {
		case c.Kind == KindText && s.wrapped && w >= s.widest:
			at, lines, broken[i] = fmt.Sprintf("p{%.4gpt}", w), []string{escapeLaTeX(c.ReadableName())}, true
		case c.Kind == KindText:
			at = "l"
		}
		spec += at
		if head[i] = lines[0]; len(lines) > 1 {
			head[i] = `\shortstack[` + at + `]{` + strings.Join(lines, `\\`) + `}`
		}
	}
	fmt.Fprintf(b, "\\begin{%s}{%s}\n%s\\toprule\n%s \\\\\n\\midrule\n", kind, spec, first, strings.Join(head, " & "))
	if kind == "longtable" {
		b.WriteString("\\endhead\n")
	}
	for n, row := range t.Rows {
		if n > 0 && t.sizeGroup(n) != t.sizeGroup(n-1) {
			b.WriteString("\\midrule\n")
		}
		cells := make([]string, len(row))
		for i, c := range row {
			if cells[i] = s.formatCell(c); broken[i] {
				cells[i] = `{\raggedright ` + breaks.Replace(cells[i]) + `\par}`
			}
		}
		fmt.Fprintf(b, "%s \\\\\n", strings.Join(cells, " & "))
	}
	fmt.Fprintf(b, "\\bottomrule\n\\end{%s}\n", kind)
}

// breaks lets names end a line behind what joins their parts.
var breaks = strings.NewReplacer(`\_`, `\_\allowbreak{}`, "/", `/\allowbreak{}`, ":", `:\allowbreak{}`, "-", `-\allowbreak{}`, ".", `.\allowbreak{}`)

func (s latexSetting) formatCell(c Cell) string {
	lines := s.cellLines(c)
	for i := range lines {
		// A leading bracket would be read as the argument of the \\ before.
		lines[i] = strings.ReplaceAll(escapeLaTeX(lines[i]), "[", "{[}")
		if i > 0 {
			lines[i] = `{\scriptsize ` + lines[i] + `}`
		}
	}
	if c.IsBest() {
		lines[0] = `\textbf{` + lines[0] + `}`
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return `\begin{tabular}[t]{@{}r@{}}` + strings.Join(lines, `\\`) + `\end{tabular}`
}

func escapeLaTeX(s string) string {
	return strings.ReplaceAll(text.Outside(s).ForLaTeX(), Dagger, `\textdagger{}`)
}
