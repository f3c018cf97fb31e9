package annotation

import (
	"strings"

	"concord/tui/labeloption"
	"concord/tui/widget"
)

// LeastOption is how wide an option is at least, in cells with its mark and
// keys, where several stand in a line.
const LeastOption = 14

// DrawOptionRows draws options in rows lines, column by column, each behind its mark
// and its keys. Columns are as wide as what stands in them if that fits, else all
// are the same.
func DrawOptionRows(t *widget.Theme, some []labeloption.Option, mark func(*labeloption.Option) string, rows, width int) []string {
	columns := max(1, (len(some)+rows-1)/rows)
	cells, wide, all := make([]string, len(some)), make([]int, columns), 0
	for i := range cells {
		c := &some[i]
		cells[i] = t.Good.Render(mark(c)) + t.Key.Render(strings.TrimLeft(c.Digit+" "+c.Letter, " ")) + " " + widget.CleanLine(c.Text[:min(len(c.Text), 4*width)])
		wide[i/rows] = max(wide[i/rows], widget.TextWidth(cells[i])+1)
	}
	for _, w := range wide {
		all += w
	}
	out := make([]string, min(rows, len(cells)))
	for i := range cells {
		w := wide[i/rows]
		if all > width {
			w = width / columns
		}
		out[i%rows] += widget.FitWidth(widget.CutWidth(cells[i], max(1, w-1)), w)
	}
	return out
}
