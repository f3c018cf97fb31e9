package widget

import (
	"fmt"
	"strconv"
	"strings"
	"time"
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

// Table draws rows under column titles. The row under the cursor bears a mark, seen without colours.
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

// DrawRow draws one row of a list in width cells: the one under the cursor bears a mark, another one
// where keys move elsewhere, so that without colours the list that has them is told too.
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
func (c *Cursor) MoveBy(by, n, height int) { c.MoveTo(c.At+by, n, height) }

// MoveTo moves to a row, as near as there is one.
func (c *Cursor) MoveTo(at, n, height int) {
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
	c.MoveTo(at, n, height)
	return true
}

// topRow is the first row to show so that the chosen one is seen and no space is wasted at the end.
func (c Cursor) topRow(n, height int) int {
	height = max(height, 1)
	top := min(c.Top, c.At)
	if c.At >= top+height {
		top = c.At - height + 1
	}
	return max(0, min(top, n-height))
}

// RowAt is the row under a cursor; nil where there is none.
func RowAt[R any](c *Cursor, rows []R) *R {
	if c.At < 0 || c.At >= len(rows) {
		return nil
	}
	return &rows[c.At]
}

// RowUnder is a copy of it; false where there is none.
func RowUnder[R any](c *Cursor, rows []R) (row R, ok bool) {
	if at := RowAt(c, rows); at != nil {
		return *at, true
	}
	return row, false
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

// FormatCount writes a number with its thousands set apart: 1,176.
func FormatCount(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// FormatPercent writes a share in percent with one digit: 67.7 %.
func FormatPercent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// ShareOf is how much k is of n, for bars; 0 of nothing.
func ShareOf[N int | int64](k, n N) float64 {
	if n <= 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// FormatShare writes k of n in percent; "–" when there is nothing to share.
func FormatShare(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return FormatPercent(float64(k) / float64(n))
}

// FormatDuration writes how long something takes, as coarse as people say it.
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d min", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// FormatRate writes how many of something happen in a second.
func FormatRate(f float64) string {
	if f >= 100 {
		return FormatCount(int(f+0.5)) + "/s"
	}
	return fmt.Sprintf("%.1f/s", f)
}

// FormatPlural writes a count with its noun: 1 item, 2 items.
func FormatPlural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return FormatCount(n) + " " + noun
}

// FormatMoney writes an amount: 1,204.50; small ones with as many digits as tell
// them apart. There is no sign of a currency: prices have none.
func FormatMoney(f float64) string {
	digits := 2
	if f > 0 && f < 0.095 {
		digits = 4
	}
	s := strconv.FormatFloat(f, 'f', digits, 64)
	whole, part, _ := strings.Cut(s, ".")
	if n, err := strconv.Atoi(whole); err == nil && n > 0 {
		whole = FormatCount(n)
	}
	return whole + "." + part
}

// FormatAbbreviated writes a large number in as few digits as are read: 12.3k, 4.56M.
func FormatAbbreviated(n int) string {
	f := float64(n)
	switch {
	case n < 10_000:
		return FormatCount(n)
	case f < 999_500:
		return formatSignificant(f/1e3) + "k"
	case f < 999.5e6:
		return formatSignificant(f/1e6) + "M"
	}
	return formatSignificant(f/1e9) + "G"
}

// formatSignificant writes three digits of a number below 1,000, or those before its point.
func formatSignificant(f float64) string {
	switch {
	case f < 9.995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	case f < 99.95:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return FormatCount(int(f + 0.5))
}
