package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"concord/eval"
)

// bestMark is why a figure is marked in its column. The zero value is not marked.
type bestMark uint8

const (
	bestNot     bestMark = iota
	bestBeside           // stands beside those that are compared, and is none of them
	bestAlone            // the largest, where some figure has no interval
	bestReached          // the interval reaches that of the largest
	bestPaired           // differences over the same samples do not tell it from the largest
)

// boldWords say what the marks mean.
var boldWords = [...]string{
	bestAlone:   "the largest alone: some figure has no interval, so that others may not be separable from it",
	bestReached: "every figure whose interval overlaps that of the largest: some of these may be lower all the same",
	bestPaired:  "every figure that is not separable from the best of its column at 95 %, by the differences over the same samples",
}

// Separator tells which of some figures are not separable from the best of them; nil where it cannot.
type Separator func([]Cell) []bool

// StyleForPeople is the table with the best of each column marked, in a style. Which figures are not
// separable from the best the separator tells, if any, else their own intervals.
func (t Table) StyleForPeople(s Style, separate Separator) Table {
	return t.markBest(separate).applyStyle(s)
}

// markBest marks the best figures of each column in which more is better, among the rows that can be
// compared: those that say the same in every column but the ones that name who is compared. Of one
// alone nothing is the best. The cells of t stay as they are.
func (t Table) markBest(separate Separator) Table {
	rows := t.Rows
	t.Rows = eval.Map(rows, slices.Clone[[]Cell])
	for i, c := range t.Columns {
		key := t.comparisonKey
		switch {
		case c.compared: // all with all
			key = func([]Cell) string { return "" }
		case !c.isMoreBetter() || slices.ContainsFunc(t.Rows, func(r []Cell) bool { return r[i].IsBest() }):
			continue
		}
		for _, rows := range GroupBy(t.Rows, key) {
			markBest(rows, i, separate)
		}
	}
	return t
}

// markBest marks those of a column whose interval reaches that of the largest. Two intervals that do not
// overlap tell their figures apart however these depend on each other; where two overlap, only what they
// share could tell, which the separator looks at. Without an interval the largest is all that is known.
func markBest(rows [][]Cell, column int, separate Separator) {
	var some []*Cell
	for _, r := range rows {
		if _, ok := r[column].comparableValue(); ok {
			some = append(some, &r[column])
		}
	}
	if len(some) < 2 {
		return
	}
	value := func(c *Cell) float64 {
		v, _ := c.comparableValue()
		return v
	}
	top := slices.MaxFunc(some, func(a, b *Cell) int { return cmp.Compare(value(a), value(b)) })
	var paired []bool
	if separate != nil {
		paired = separate(eval.Map(some, func(c *Cell) Cell { return *c }))
	}
	bare := slices.ContainsFunc(some, func(c *Cell) bool { return c.kind == cellExternal })
	for i, c := range some {
		switch {
		case paired != nil:
			c.best = eval.Either(paired[i], bestPaired, bestNot)
		case bare:
			c.best = eval.Either(value(c) == value(top), bestAlone, bestNot)
		default:
			c.best = eval.Either(c.estimate.High >= top.estimate.Low, bestReached, bestNot)
		}
	}
}

// MarkAsBest marks a figure as not separable from its column's best, or as one that is not compared.
func (c Cell) MarkAsBest(best bool) Cell {
	c.best = eval.Either(best, bestPaired, bestBeside)
	return c
}

// comparableValue is what the best cell of a column is found by; false without one.
func (c Cell) comparableValue() (float64, bool) {
	if c.best == bestBeside {
		return 0, false
	}
	switch c.kind {
	case cellRate, cellScore:
		return c.estimate.Value, c.estimate.WhyUndefined() == "" && !c.estimate.Exact
	case cellExternal:
		if c.share {
			return c.num / 100, true // beside rates
		}
		return c.num, true
	default:
		return 0, false
	}
}

// explainBold says what bold figures are, and of several kinds in which columns.
func (t Table) explainBold() []string {
	var in [len(boldWords)][]string
	kinds := 0
	for i, c := range t.Columns {
		for _, r := range t.Rows {
			if m := r[i].best; r[i].IsBest() {
				kinds += eval.Either(in[m] == nil, 1, 0)
				in[m] = eval.AppendUnique(in[m], c.ReadableName())
			}
		}
	}
	var out []string
	for m, names := range in {
		if len(names) > 0 {
			out = append(out, "Bold"+eval.Either(kinds > 1, " in "+strings.Join(names, ", "), "")+": "+boldWords[m]+".")
		}
	}
	return out
}

// isMoreBetter reports whether more of the column is better. Shares that only
// describe (of a label, of yes, of an undecided vote) are not in it.
func (c Column) isMoreBetter() bool {
	return (c.Kind == KindRate || c.Kind == KindScore) && slices.Contains([]string{
		"accuracy", "accuracy_plus", "accuracy_after", "vanilla", "circular", "win_rate", "rate", "score",
		"perception", "cognition", "total", "alignment", "with_alignment", "agreement", "exact_match", "mean", "corrected", "step1", "step2",
	}, c.Name)
}

// GroupBy deals rows out by a key, in the order in which keys come.
func GroupBy[T any](rows []T, key func(T) string) (out [][]T) {
	at := make(map[string]int)
	for _, r := range rows {
		i := eval.GetOrAdd(at, key(r), func() int {
			out = append(out, nil)
			return len(out) - 1
		})
		out[i] = append(out[i], r)
	}
	return out
}

// comparisonKey is what rows have in common that can be compared.
func (t *Table) comparisonKey(row []Cell) string {
	var out []string
	for i, c := range t.Columns {
		switch c.Name {
		case "model", "extractor", "rules", "judge", "runs", "source", "method", "undefined":
			continue
		}
		if c.Kind == KindText && !slices.Contains(modelColumns, c.Name) {
			out = append(out, row[i].String())
		}
	}
	return strings.Join(out, "\x00")
}

// SelectWithRows are those of the tables that have any.
func SelectWithRows(all ...Table) []Table {
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows) == 0 })
}

// printText writes the table, and where it is too wide for the terminal, in blocks one below the other:
// each starts with the columns that name a row, and leaves out the rows of which it would say nothing.
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
// each has those that name its rows. Of names alone the last one is dealt out, and where names leave no
// room for a figure what else is known of a model.
func (t Table) splitBlocks(fits func(Table) bool) []Table {
	names := 0
	for names < len(t.Columns)-1 && (t.Columns[names].Kind == KindText || t.Columns[names].Name == "run") {
		names++
	}
	if i := slices.IndexFunc(t.Columns[:names], func(c Column) bool { return slices.Contains(modelColumns, c.Name) }); i > 0 && !fits(t.blockOf(names, names, names+1)) {
		names = i
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

// modelColumns are what is known of a model beside its name.
var modelColumns = []string{SizeColumn, "parameters", "trainable", "language_base", "vision", "open"}

// blockOf is the naming columns and those from one to before another, of rows that say something there.
func (t Table) blockOf(names, from, to int) Table {
	out := Table{Columns: slices.Concat(t.Columns[:names], t.Columns[from:to])}
	for _, r := range t.Rows {
		if slices.ContainsFunc(r[from:to], func(c Cell) bool { return c.kind != cellBlank }) {
			out.Rows = append(out.Rows, append(slices.Clip(r[:names]), r[from:to]...))
		}
	}
	return out
}

// moveReasonsToNotes moves the long reasons of undefined figures below the table, and returns them.
func (t Table) moveReasonsToNotes() []string {
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

// ShortenText cuts a text that would push everything else off the screen. Other formats have it whole.
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
		if a, b, _, ok := r[i].splitParts(); ok {
			left, right = max(left, len(a)), max(right, len(b))
		}
	}
	return left, right
}

func (c Cell) alignText(left, right int) string {
	a, b, remark, ok := c.splitParts()
	if !ok {
		return c.String()
	}
	return fmt.Sprintf("%*s  %*s%s", left, a, right, b, remark)
}

// splitParts gives a figure apart from its counts, and these from what is said
// behind them (few, deff); false for other cells.
func (c Cell) splitParts() (figure, counts, remark string, ok bool) {
	if !slices.Contains([]cellKind{cellRate, cellPoints, cellScore, cellExpected}, c.kind) {
		return "", "", "", false
	}
	figure, counts, ok = strings.Cut(c.String(), "  ")
	at := min(len("n "), len(counts)) // which stands before a count alone
	if i := strings.IndexByte(counts[at:], ' '); i >= 0 {
		counts, remark = counts[:at+i], counts[at+i:]
	}
	return figure, counts, remark, ok
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
