package table

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"concord/eval"
	"concord/eval/stat"
	"concord/eval/text"
)

// RenderText prints the table for a terminal. Columns that say the same in every
// row move into the heading, so that what differs has room.
func (t Table) RenderText(width int) []byte {
	var b strings.Builder
	if len(t.Rows) == 0 {
		fmt.Fprintf(&b, "%s: nothing to report\n", visibleText(t.Name))
	} else {
		same, shown := t.FoldConstantColumns()
		head := []string{visibleText(t.Name)}
		if t.Title != "" {
			head = append(head, visibleText(t.Title))
		}
		printCaption(&b, append(head, same...), width)
		t.Notes = slices.Concat(shown.moveReasonsToNotes(), t.Notes)
		shown.printText(&b, width)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%s\n", visibleText(n))
	}
	return []byte(b.String())
}

// printCaption prints the parts on as few lines as the width allows; one that is
// wider than a line is broken behind its commas.
func printCaption(b *strings.Builder, parts []string, width int) {
	const between, indent = " · ", "\n  "
	used := 0
	for i, p := range parts {
		before := between
		pieces := eval.Either(width > 0 && uniseg.StringWidth(p) > width-2, strings.Split(p, ", "), []string{p})
		for j, piece := range pieces {
			if j < len(pieces)-1 {
				piece += ","
			}
			w := uniseg.StringWidth(piece)
			switch {
			case i == 0 && used == 0:
			case width > 0 && used+uniseg.StringWidth(before)+w > width:
				b.WriteString(indent)
				used = 2
			default:
				b.WriteString(before)
				used += uniseg.StringWidth(before)
			}
			b.WriteString(piece)
			used += w
			before = " "
		}
	}
	b.WriteString("\n")
}

// FoldConstantColumns takes out the columns that say the same in every row that has them,
// and returns them as "name value". Rates stay where any row has one.
func (t Table) FoldConstantColumns() (same []string, rest Table) {
	var zero []string
	rest = t.selectColumns(func(i int) bool {
		c := t.Columns[i]
		v, one := t.constantText(i)
		switch {
		case one && v == "0":
			zero = append(zero, c.ReadableName())
		case one && v == "":
		case one && (c.Kind == KindText || c.Name == "run"):
			same = append(same, c.ReadableName()+" "+ShortenText(visibleText(v)))
		default:
			return true
		}
		return false
	})
	if len(zero) > 0 {
		same = append(same, "0 "+strings.Join(zero, ", "))
	}
	return same, rest
}

// constantText is what all cells of a column say that say something.
func (t Table) constantText(i int) (string, bool) {
	value, seen := "", false
	for _, r := range t.Rows {
		s := r[i].String()
		switch {
		case r[i].kind == cellBlank:
		case t.Columns[i].Kind == KindRate:
			return "", false
		case !seen:
			value, seen = s, true
		case s != value:
			return "", false
		}
	}
	return value, true
}

// visibleText is text from outside in a cell, a title or a note.
func visibleText(s string) string { return text.Outside(s).ForCell() }

// View is a table as the page's template reads it.
type View struct {
	Title   string
	Columns []pageColumn
	Rows    [][]pageCell
	Notes   []string
}

type (
	pageColumn struct {
		Name   string
		Number bool
	}
	pageCell struct {
		Text         string
		Number, Best bool
	}
)

// View is the table without what only a terminal shows.
func (t Table) View() View {
	t = t.WithoutTerminalColumns()
	out := View{Title: visibleText(t.Name), Rows: make([][]pageCell, len(t.Rows))}
	if t.Title != "" {
		out.Title = visibleText(t.heading())
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, pageColumn{visibleText(c.ReadableName()), c.Kind != KindText})
	}
	for i, row := range t.Rows {
		for j, c := range row {
			out.Rows[i] = append(out.Rows[i], pageCell{visibleText(c.String()), t.Columns[j].Kind != KindText, c.IsBest()})
		}
	}
	for _, n := range append(t.explainBold(), t.Notes...) {
		out.Notes = append(out.Notes, visibleText(n))
	}
	return out
}

// BarGroup is a group of rates drawn one below the other.
type BarGroup struct {
	Title    string
	Baseline string // what its baselines are; "": people's most frequent class
	lines    []barLine
	left     []string // what has no bar, and why
}

type barLine struct {
	name           string
	rate, baseline stat.Rate
}

// AddRate draws a rate below the others, or says why it has none.
func (b *BarGroup) AddRate(name string, rate, baseline stat.Rate) {
	if rate.N == 0 {
		b.left = append(b.left, name+": "+rate.Undefined)
		return
	}
	b.lines = append(b.lines, barLine{name, rate, baseline})
}

// DrawBarChart draws the groups for a terminal of some width; nothing where there is no room.
func DrawBarChart(all []BarGroup, width int) []byte {
	const (
		indent, gap = 2, 2
		least, most = 16, 60
		longest     = 32
	)
	name, figure := 0, 0
	for _, g := range all {
		for _, l := range g.lines {
			name = max(name, uniseg.StringWidth(ShortenText(visibleText(l.name))))
			figure = max(figure, len(formatBar(l.rate)))
		}
	}
	name = min(name, longest)
	wide := min(most, width-indent-name-figure-2*gap)
	if name == 0 || wide < least {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s0%s50%%%s100%%\n", strings.Repeat(" ", indent+name+gap), strings.Repeat(" ", wide/2-3), strings.Repeat(" ", wide-wide/2-5))
	for _, g := range all {
		fmt.Fprintf(&b, "%s\n", visibleText(g.Title))
		for _, l := range g.lines {
			label := fitWidth(visibleText(l.name), name)
			fmt.Fprintf(&b, "%*s%s  %s  %s\n", indent, "", label, drawWhiskers(&l, wide), formatBar(l.rate))
		}
		for _, s := range g.left {
			fmt.Fprintf(&b, "%*sleft out: %s\n", indent, "", visibleText(s))
		}
	}
	fmt.Fprintf(&b, "├─●─┤ the alignment and its interval, ▽ %s (▼ the same as the alignment)\n", cmp.Or(all[0].Baseline, "always people's most frequent class"))
	return b.Bytes()
}

func formatBar(r stat.Rate) string { return FormatPercent(r.Value) + "%  n " + FormatGrouped(r.N) }

// fitWidth gives a name in so many cells.
func fitWidth(s string, width int) string {
	for uniseg.StringWidth(s) > width {
		r := []rune(strings.TrimSuffix(s, "…"))
		s = string(r[:len(r)-1]) + "…"
	}
	return s + strings.Repeat(" ", width-uniseg.StringWidth(s))
}

// drawWhiskers draws a rate with its interval and its baseline.
func drawWhiskers(l *barLine, width int) string {
	at := func(v float64) int { return min(width-1, int(v*float64(width))) }
	low, value, high := at(l.rate.Low), at(l.rate.Value), at(l.rate.High)
	cells := make([]rune, width)
	for i := range cells {
		switch {
		case i < low:
			cells[i] = '█'
		case i > high:
			cells[i] = '·'
		default:
			cells[i] = '─'
		}
	}
	cells[low], cells[high] = '├', '┤'
	cells[value] = '●'
	if l.baseline.N > 0 {
		mark := eval.Either(at(l.baseline.Value) == value, '▼', '▽')
		cells[at(l.baseline.Value)] = mark
	}
	return string(cells)
}

// Style is what figures are printed without, in tables for people. Papers
// often print the value alone; CSV and JSON keep everything.
type Style struct {
	NoIntervals, NoCounts bool
}

// cutFigure leaves out of a figure what the style does without: counts stand behind
// two blanks, an interval in the first brackets.
func (s Style) cutFigure(figure string) string {
	mark := ""
	if whole, marked := strings.CutSuffix(figure, fewMark); marked {
		if figure = whole; !s.NoIntervals { // of which it warns
			mark = fewMark
		}
	}
	value, counts, counted := strings.Cut(figure, "  ")
	if s.NoIntervals {
		if before, rest, ok := strings.Cut(value, " ["); ok {
			if _, after, ok := strings.Cut(rest, "]"); ok {
				value = before + after
			}
		}
	}
	return eval.Either(!counted || s.NoCounts, value+mark, value+"  "+counts+mark)
}

// applyStyle gives the style to the figures of a table, whose names stay whole.
func (t Table) applyStyle(s Style) Table {
	if s == (Style{}) {
		return t
	}
	rows := t.Rows
	t.Rows = make([][]Cell, len(rows))
	for i, r := range rows {
		for _, c := range r {
			if c.kind != cellText {
				c.style = s
			}
			t.Rows[i] = append(t.Rows[i], c)
		}
	}
	return t
}

// Paper is what a table takes on its way into a paper.
type Paper struct {
	Caption string                    // makes a float of a RenderLaTeX table; "": none
	Label   string                    // of that float
	Columns []string                  // the only ones, in this order, by the names of columns; empty: all
	Display func(model string) string // a model's name as it is printed, "" for its own; nil: all have theirs
}

// ApplyPaper is the table with the columns and names that a paper wants.
func (t Table) ApplyPaper(p *Paper) Table {
	t = t.OnlyPaperColumns(p)
	if p == nil || p.Display == nil {
		return t
	}
	rows := t.Rows
	t.Rows = make([][]Cell, len(rows))
	for j, r := range rows {
		t.Rows[j] = slices.Clone(r)
		for i := range r {
			if r[i].kind == cellText {
				t.Rows[j][i].text = cmp.Or(p.Display(r[i].text), r[i].text)
			}
		}
	}
	return t
}

// OnlyPaperColumns is the table with the columns that a paper wants. One that has none of them stays bare.
func (t Table) OnlyPaperColumns(p *Paper) Table {
	if p == nil || len(p.Columns) == 0 {
		return t
	}
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for _, name := range p.Columns {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			continue
		}
		out.Columns = append(out.Columns, t.Columns[i])
		for j, r := range t.Rows {
			out.Rows[j] = append(out.Rows[j], r[i])
		}
	}
	return out
}

// ForNthTable is what the n-th table of a report takes: each has its title in the caption, and
// from the second on its number in the label.
func (p *Paper) ForNthTable(n int, title string) *Paper {
	if p == nil || p.Caption == "" {
		return p
	}
	one := *p
	if title != "" {
		one.Caption = strings.TrimRight(p.Caption, ". ") + ": " + title
	}
	if p.Label != "" && n > 1 {
		one.Label = fmt.Sprintf("%s-%d", p.Label, n)
	}
	return &one
}
