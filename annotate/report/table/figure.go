package table

import (
	"strconv"
	"strings"

	"concord/eval/stat"
)

// FormatEstimate gives a figure with its interval and its n; one that was
// computed has no interval.
func (c Cell) FormatEstimate() string {
	e := c.estimate
	if reason := e.Reason(); reason != "" {
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
	return out + markFew(e.Warning())
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

// FormatSigned gives a difference in percentage points; what rounds to nothing has no
// sign.
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

// drawBar draws a share of the longest bar, in eighths of a cell.
func drawBar(share float64) string {
	eighths := int(min(max(share, 0), 1)*barWidth*8 + 0.5)
	if eighths == 0 && share > 0 {
		eighths = 1 // there is something
	}
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string(rune('█' + 8 - rest)) // the blocks stand from whole to an eighth
	}
	return out
}

// MakeBars draws rates beside each other, the largest as long as a bar gets.
func MakeBars(rates []stat.Rate) []Cell {
	most := 0.0
	for _, r := range rates {
		most = max(most, r.Value)
	}
	out := make([]Cell, len(rates))
	for i, r := range rates {
		if most > 0 && r.N > 0 {
			out[i] = Cell{kind: cellBar, num: r.Value / most}
		}
	}
	return out
}

// MarkBest finds the best cell of each column from one on; of equals all are.
// Where there is nothing to compare with, none is.
func (t *Table) MarkBest(from int) {
	for i := from; i < len(t.Columns); i++ {
		markBest(t.Rows, i)
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
