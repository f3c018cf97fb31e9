package widget

import (
	"strings"
)

// Column is a column of a Table.
type Column struct {
	Title string
	Width int  // cells, at least
	Grow  int  // share of the cells that are left over; 0: stays at Width
	Right bool // numbers stand at the right
	Least int  // table width from which on the column is shown; 0: always
	Name  bool // it is not cut while other columns have cells that they do not need
}

// Table draws rows under column titles. The row under the cursor bears a
// mark, so that it is seen without colours.
type Table struct {
	Columns []Column
	Rows    int                  // how many there are
	Row     func(i int) []string // the cells of one, asked for those shown only
	Cursor  Cursor
	Focused bool
	Empty   string // what to do when there are no rows
}

// gap is how many cells stand between columns; cross marks the chosen row of the
// list in which keys move, and away that of another.
const (
	gap   = 2
	lead  = 2
	cross = "› "
	away  = "· "
)

// DrawTable lays the table out in exactly width by height cells.
func (t *Theme) DrawTable(tb Table, width, height int) []string {
	if height <= 0 || width <= 0 {
		return nil
	}
	if tb.Rows == 0 {
		lines := WrapText(tb.Empty, max(1, width-lead))
		for i := range lines {
			lines[i] = strings.Repeat(" ", lead) + t.Faint.Render(lines[i])
		}
		return FitBox(lines, width, height)
	}
	top := tb.Cursor.topRow(tb.Rows, height-1)
	rows := make([][]string, min(tb.Rows-top, height-1))
	for i := range rows {
		rows[i] = tb.Row(top + i)
	}
	widths := tb.columnWidths(width - lead)
	tb.widenColumns(widths, rows)
	out := make([]string, 0, height)
	out = append(out, strings.Repeat(" ", lead)+t.drawTitles(tb.Columns, widths))
	for i, cells := range rows {
		line := joinCells(tb.Columns, widths, cells)
		out = append(out, t.DrawRow(line, top+i == tb.Cursor.At, tb.Focused, width))
	}
	return FitBox(out, width, height)
}

func (t *Theme) drawTitles(columns []Column, widths []int) string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = t.Faint.Render(c.Title)
	}
	return joinCells(columns, widths, cells)
}

// DrawRow draws one row of a list in width cells: the one under the cursor bears a
// mark, another one where keys move elsewhere, so that without colours the list
// that has them is told too.
func (t *Theme) DrawRow(line string, here, focused bool, width int) string {
	switch {
	case here && focused:
		return t.Selected.Render(FitWidth(cross+stripStyles(line), width))
	case here:
		return t.Accent.Render(away) + line
	}
	return strings.Repeat(" ", lead) + line
}

// columnWidths shares width out over the columns that are shown; 0 hides one.
func (tb *Table) columnWidths(width int) []int {
	out := make([]int, len(tb.Columns))
	used, grow := -gap, 0
	for i, c := range tb.Columns {
		if c.Least > width+lead {
			continue
		}
		out[i] = c.Width
		used += c.Width + gap
		grow += c.Grow
	}
	left := width - used
	for i, c := range tb.Columns {
		if out[i] == 0 || c.Grow == 0 || left <= 0 {
			continue
		}
		more := left * c.Grow / grow
		out[i] += more
		left -= more
		grow -= c.Grow
	}
	return out
}

func joinCells(columns []Column, widths []int, cells []string) string {
	var b strings.Builder
	for i, c := range columns {
		if widths[i] == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		if c.Right {
			cell = CutWidth(cell, widths[i])
			b.WriteString(strings.Repeat(" ", widths[i]-TextWidth(cell)) + cell)
		} else {
			b.WriteString(FitWidth(cell, widths[i]))
		}
	}
	return b.String()
}

// Cursor is a place in a list: the row that is chosen, and the first shown.
type Cursor struct{ At, Top int }

// MoveBy moves by some rows of n, of which height are shown.
func (c *Cursor) MoveBy(by, n, height int) { c.Set(c.At+by, n, height) }

// Set moves to a row, as near as there is one.
func (c *Cursor) Set(at, n, height int) {
	c.At = max(0, min(at, n-1))
	c.Top = c.topRow(n, height)
}

// SelectAt chooses the row that is drawn at a line of the list, the first shown
// one being line 0; false where there is none.
func (c *Cursor) SelectAt(line, n, height int) bool {
	at := c.topRow(n, height) + line
	if line < 0 || line >= height || at >= n {
		return false
	}
	c.Set(at, n, height)
	return true
}

// topRow is the first row to show so that the chosen one is seen and no space
// is wasted at the end.
func (c Cursor) topRow(n, height int) int {
	height = max(height, 1)
	top := min(c.Top, c.At)
	if c.At >= top+height {
		top = c.At - height + 1
	}
	return max(0, min(top, n-height))
}

// RowUnder is the row under a cursor; false where there is none.
func RowUnder[R any](c *Cursor, rows []R) (row R, ok bool) {
	if c.At < 0 || c.At >= len(rows) {
		return row, false
	}
	return rows[c.At], true
}

// widenColumns widens columns of names that would be cut by the cells that the rows
// shown leave empty in the others. While nothing would be cut every column stays
// where it is, so that a list does not move while it is scrolled.
func (tb *Table) widenColumns(widths []int, rows [][]string) {
	var lack []int
	for i, c := range tb.Columns {
		if !c.Name || widths[i] == 0 {
			continue
		}
		if n := widestEntry(rows, i) - widths[i]; n > 0 {
			if lack == nil {
				lack = make([]int, len(widths))
			}
			lack[i] = n
		}
	}
	if lack == nil {
		return
	}
	spare := make([]int, len(widths))
	for i, c := range tb.Columns {
		if widths[i] > 0 && lack[i] == 0 {
			spare[i] = max(0, widths[i]-max(TextWidth(c.Title), widestEntry(rows, i)))
		}
	}
	for to := range lack {
		for from := indexOfLargest(spare); lack[to] > 0 && spare[from] > 0; from = indexOfLargest(spare) {
			widths[to]++
			widths[from]--
			lack[to]--
			spare[from]--
		}
	}
}

// widestEntry gives the width in cells of the widest entry of a column.
func widestEntry(rows [][]string, column int) int {
	n := 0
	for _, cells := range rows {
		if column < len(cells) {
			n = max(n, TextWidth(cells[column]))
		}
	}
	return n
}

func indexOfLargest(numbers []int) int {
	at := 0
	for i, n := range numbers {
		if n > numbers[at] {
			at = i
		}
	}
	return at
}
