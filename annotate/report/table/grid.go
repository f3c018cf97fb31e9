package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// printText writes the table, and where it is too wide for the terminal, in
// blocks one below the other: each starts with the columns that name a row,
// and leaves out the rows of which it would say nothing.
func (t Table) printText(b *strings.Builder, width int) {
	whole := newTextGrid(t)
	if width <= 0 || whole.width() <= width {
		whole.printGrid(b)
		return
	}
	for i, part := range t.splitBlocks(func(part Table) bool { return newTextGrid(part).width() <= width }) {
		if i > 0 {
			b.WriteString("\n")
		}
		newTextGrid(part).printGrid(b)
	}
}

// splitBlocks gives the tables that the columns are dealt out to, as many to each as fit;
// each has those that name its rows. Of names alone the last one is dealt out.
func (t Table) splitBlocks(fits func(Table) bool) []Table {
	names := 0
	for names < len(t.Columns)-1 && (t.Columns[names].Kind == KindText || t.Columns[names].Name == "run") {
		names++
	}
	var out []Table
	for from := names; from < len(t.Columns); {
		to := from + 1
		for to < len(t.Columns) && fits(t.blockOf(names, from, to+1)) {
			to++
		}
		out = append(out, t.blockOf(names, from, to))
		from = to
	}
	return out
}

// blockOf is the naming columns and the columns from one to before another, of
// the rows that say something there.
func (t Table) blockOf(names, from, to int) Table {
	out := Table{Columns: slices.Concat(t.Columns[:names], t.Columns[from:to])}
	for _, r := range t.Rows {
		for _, c := range r[from:to] {
			if c.kind != cellBlank {
				out.Rows = append(out.Rows, append(slices.Clip(r[:names]), r[from:to]...))
				break
			}
		}
	}
	return out
}

// takeFootnotes moves the long reasons of undefined figures below the table, and
// returns them.
func (t Table) takeFootnotes() []string {
	const long = 24
	var notes []string
	marks := make(map[string]string)
	for _, r := range t.Rows {
		for i := range r {
			reason := r[i].WhyUndefined()
			if len(reason) <= long {
				continue
			}
			mark, ok := marks[reason]
			if !ok {
				mark = fmt.Sprintf("- [%d]", len(marks)+1)
				marks[reason] = mark
				notes = append(notes, fmt.Sprintf("[%d] %s", len(marks), reason))
			}
			r[i] = NewText(mark)
		}
	}
	return notes
}

// textGrid is a table as text, every column of one width.
type textGrid struct {
	head   []string
	lines  [][]string
	widths []int
	right  []bool
}

func newTextGrid(t Table) textGrid {
	g := textGrid{widths: make([]int, len(t.Columns))}
	for _, c := range t.Columns {
		g.head = append(g.head, ShortenText(visibleText(c.ReadableName())))
		g.right = append(g.right, c.Kind == KindCount || c.Kind == KindNumber)
	}
	for range t.Rows {
		g.lines = append(g.lines, make([]string, len(t.Columns)))
	}
	for i := range t.Columns {
		left, right := splitWidths(t, i)
		for j := range t.Rows {
			g.lines[j][i] = ShortenText(visibleText(t.Rows[j][i].alignText(left, right)))
			g.widths[i] = max(g.widths[i], uniseg.StringWidth(g.lines[j][i]))
		}
		g.widths[i] = max(g.widths[i], uniseg.StringWidth(g.head[i]))
	}
	return g
}

// ShortenText cuts a text that would push everything else off the screen. Other
// formats have it whole.
func ShortenText(s string) string {
	const most = 60
	if uniseg.StringWidth(s) <= most {
		return s
	}
	width, rest, state := 0, s, -1
	for {
		_, tail, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if width += w; width >= most {
			return s[:len(s)-len(rest)] + "…"
		}
		rest, state = tail, next
	}
}

// splitWidths gives how wide the two halves of a column's rates are: value with
// interval, and counts, so that each half lines up.
func splitWidths(t Table, i int) (left, right int) {
	for _, r := range t.Rows {
		if a, b, ok := r[i].splitHalves(); ok {
			left, right = max(left, len(a)), max(right, len(b))
		}
	}
	return left, right
}

func (c Cell) alignText(left, right int) string {
	a, b, ok := c.splitHalves()
	if !ok {
		return c.String()
	}
	return fmt.Sprintf("%*s  %*s", left, a, right, b)
}

// splitHalves gives a figure apart from its counts; false for other cells.
func (c Cell) splitHalves() (figure, counts string, ok bool) {
	switch c.kind {
	case cellRate, cellPoints, cellScore, cellExpected:
		return strings.Cut(c.String(), "  ")
	default:
		return "", "", false
	}
}

func (g textGrid) width() int {
	n := 2 * (len(g.widths) - 1)
	for _, w := range g.widths {
		n += w
	}
	return n
}

func (g textGrid) printGrid(b *strings.Builder) {
	g.printLine(b, g.head)
	b.WriteString(strings.Repeat("─", max(0, g.width())) + "\n")
	for _, l := range g.lines {
		g.printLine(b, l)
	}
}

func (g textGrid) printLine(b *strings.Builder, cells []string) {
	var line strings.Builder
	for i, s := range cells {
		if i > 0 {
			line.WriteString("  ")
		}
		pad := strings.Repeat(" ", max(0, g.widths[i]-uniseg.StringWidth(s)))
		if g.right[i] {
			line.WriteString(pad + s)
		} else {
			line.WriteString(s + pad)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}
