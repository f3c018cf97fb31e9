package table

import "concord/eval/stat"

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

// MakeMatrix makes everybody beside everybody: a line and a column for each of the names.
func MakeMatrix(name, title, corner string, names []string, cell func(i, j int) Cell) Table {
	t := Table{Name: name, Title: title, Columns: ParseColumns(corner)}
	for i, n := range names {
		t.Columns = append(t.Columns, Column{Name: n, Kind: KindNumber})
		line := []Cell{NewText(n)}
		for j := range names {
			line = append(line, cell(i, j))
		}
		t.Rows = append(t.Rows, line)
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

// Best reports the best figure of its column.
func (c Cell) Best() bool { return c.best }

// IsFigure reports a cell that is no name and not left blank.
func (c Cell) IsFigure() bool {
	return c.isEstimate() || c.kind == cellCount || c.kind == cellNumber || c.kind == cellExternal
}

// isEstimate reports a cell of an estimate, a rate or a coefficient.
func (c Cell) isEstimate() bool { return c.kind >= cellRate && c.kind <= cellExpected }

// WhyUndefined is why the cell has no value; "" where it has one.
func (c Cell) WhyUndefined() string {
	if c.isEstimate() {
		return c.estimate.Reason()
	}
	return ""
}

// IsEmpty reports a cell that counts nothing.
func (c Cell) IsEmpty() bool {
	return !c.IsFigure() || c.kind == cellExternal || c.kind == cellCount && c.count == 0 || c.WhyUndefined() != ""
}

// CountNameColumns counts how many of the first columns name a row: they hold no figure that
// opens anything.
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

// RenderLines gives the table as a terminal shows it: safe to print, figures of a
// column one below the other.
func (t Table) RenderLines() (head []string, lines [][]string) {
	g := newTextGrid(t)
	return g.head, g.lines
}
