package table

import (
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/stat"
)

// WithDetail gives the cell with what it was counted over, which whoever opens the cell
// asks for again. The table does not look into it.
func (c Cell) WithDetail(detail any) Cell {
	c.detail = detail
	return c
}

// Detail is what With gave the cell; nil: there is nothing to open.
func (c Cell) Detail() any { return c.detail }

// Kind is the kind of column that the cell is made for.
func (c Cell) Kind() ColumnKind {
	return map[cellKind]ColumnKind{
		cellRate: KindRate, cellCoefficient: KindCoefficient, cellCount: KindCount, cellNumber: KindNumber,
		cellPoints: KindPoints, cellScore: KindScore, cellExpected: KindScore, cellBar: KindBar,
	}[c.kind]
}

// CountUnits counts how many units an estimate, a rate or a coefficient is over.
func (c Cell) CountUnits() int { return c.estimate.N }

// MakeSquareTable makes everybody beside everybody: a line and a column for each of the names.
func MakeSquareTable(name, title, corner string, names []string, cell func(i, j int) Cell) Table {
	t := Table{Name: name, Title: title, Columns: ParseColumns(corner)}
	for i, n := range names {
		t.Columns = append(t.Columns, Column{Name: n, Kind: KindNumber})
		cells := eval.MapIndexed(names, func(j int, _ string) Cell { return cell(i, j) })
		t.Rows = append(t.Rows, append([]Cell{NewText(n)}, cells...))
	}
	return t
}

// Count gives the figure of a cell that holds a count.
func (c Cell) Count() (n int, ok bool) { return c.count, c.kind == cellCount }

// Rate is the figure of a cell that holds a rate.
func (c Cell) Rate() (r stat.Rate, ok bool) { return c.rate, c.kind == cellRate }

// IsExternal reports a score that was measured elsewhere.
func (c Cell) IsExternal() bool { return c.kind == cellExternal }

// IsUnknown reports a name that nobody gave.
func (c Cell) IsUnknown() bool { return c.kind == cellUnknown }

// IsBest reports the best figure of its column.
func (c Cell) IsBest() bool { return c.best > bestBeside }

// IsFigure reports a cell that is no name and not left blank.
func (c Cell) IsFigure() bool {
	return c.isEstimate() || c.kind == cellCount || c.kind == cellNumber || c.kind == cellExternal
}

func (c Cell) isEstimate() bool { return c.kind >= cellRate && c.kind <= cellExpected }

// WhyUndefined is why the cell has no value; "" where it has one.
func (c Cell) WhyUndefined() string {
	if c.isEstimate() {
		return c.estimate.WhyUndefined()
	}
	return ""
}

// IsEmpty reports a cell that counts nothing.
func (c Cell) IsEmpty() bool {
	return !c.IsFigure() || c.kind == cellExternal || c.kind == cellCount && c.count == 0 || c.WhyUndefined() != ""
}

// CountNameColumns counts how many of the first columns name a row: they hold no figure that opens.
func (t Table) CountNameColumns() int {
	for i, c := range t.Columns {
		figure := c.Kind != KindText && c.Kind != KindCount
		for _, r := range t.Rows {
			figure = figure || r[i].detail != nil
		}
		if figure {
			return i
		}
	}
	return len(t.Columns)
}

// RenderLines gives the table as a terminal shows it: safe to print, a column's figures one below another.
func (t Table) RenderLines() (head []string, lines [][]string) {
	g := newTextGrid(t)
	return g.head, g.lines
}

// FormatEstimate gives a figure with its interval and its n; one that was computed has no interval.
func (c Cell) FormatEstimate() string {
	e := c.estimate
	if reason := e.WhyUndefined(); reason != "" {
		return "- (" + reason + ")"
	}
	write := FormatPercent
	unit := "%"
	switch c.kind {
	case cellPoints:
		write, unit = FormatSigned, ""
	case cellScore:
		write, unit = func(v float64) string { return strconv.FormatFloat(v, 'f', max(c.places, 1), 64) }, ""
	default: // a share
	}
	out := write(e.Value) + unit
	if c.marked {
		out += Dagger
	}
	if !e.Exact {
		out += " [" + sequenceMark(e.Sequence) + write(e.Low) + ", " + write(e.High) + "]"
	}
	if e.N > 0 {
		out += "  n " + FormatGrouped(e.N)
	}
	return out + fewUnitsMark(e.Warning())
}

// Dagger stands behind figures that were measured elsewhere.
const Dagger = "†"

// formatExternal gives a score as its source prints it, marked.
func (c Cell) formatExternal() string {
	out := strconv.FormatFloat(c.num, 'f', -1, 64)
	if c.share {
		out += "%"
	}
	out += Dagger
	if c.count > 0 {
		out += "  n " + FormatGrouped(c.count)
	}
	return out
}

// FormatSigned gives a difference in percentage points; what rounds to nothing has no sign.
func FormatSigned(v float64) string {
	s := FormatPercent(v)
	switch {
	case s == "-0.0":
		return "0.0"
	case v > 0 && s != "0.0":
		return "+" + s
	}
	return s
}

// barWidth is how many cells the longest bar takes.
const barWidth = 16

// drawBar draws a share of the longest bar to half a cell, thinner than a row, so that
// the bars of neighbouring rows stay apart.
func drawBar(share float64) string {
	halves := int(min(max(share, 0), 1)*barWidth*2 + 0.5)
	if halves == 0 && share > 0 {
		halves = 1 // there is something
	}
	return strings.Repeat("━", halves/2) + strings.Repeat("╸", halves%2)
}

// MakeBars draws rates beside each other, the largest as long as a bar gets.
func MakeBars(rates []stat.Rate) []Cell {
	most := eval.MaxOf(rates, func(r stat.Rate) float64 { return r.Value })
	out := make([]Cell, len(rates))
	for i, r := range rates {
		if most > 0 && r.N > 0 {
			out[i] = Cell{kind: cellBar, num: r.Value / most}
		}
	}
	return out
}

// CompareFromColumn has the figures of each column from one on compared, all with all.
func (t *Table) CompareFromColumn(from int) {
	for i := from; i < len(t.Columns); i++ {
		t.Columns[i].compared = true
	}
}

// SizeColumn names the column of the group of models that a row is in.
const SizeColumn = "size"

// sizeGroup is the group of models that a row is in; "" in tables without.
func (t Table) sizeGroup(row int) string {
	for i, c := range t.Columns {
		if c.Name == SizeColumn {
			return t.Rows[row][i].String()
		}
	}
	return ""
}
