package label

import (
	"fmt"
	"strings"

	"concord/tui/labeloption"
	"concord/tui/widget"
)

// leastOption is how wide an option is at least, with its mark and keys, where
// several stand in a line.
const leastOption = 14

// optionBlock is the options as the frame has them. They never scroll: where
// there is no room for their whole texts each has a line, else they stand in
// columns, else in pages, and the key of one on another page turns to it.
type optionBlock struct {
	lines    []string
	from, to int // which of the choices stand there
	each     int // how many a page has; 0: all stand there
}

// fold lays the options out in rows lines at most, if they need more.
func (iv *itemView) fold(pg *page, width, rows int) optionBlock {
	if all := iv.options(pg, width); len(all) <= rows {
		return optionBlock{lines: all, to: len(pg.choices)}
	}
	var foot []string
	if !labeloption.Scored(&pg.Item) && rows > 1 {
		foot = []string{widget.Cut(iv.verdictRow(verdictKeys(), iv.answered(), ""), width)}
	}
	rows, n := max(1, rows-len(foot)), len(pg.choices)
	columns := max(1, (n+rows-1)/rows)
	most := max(1, width/leastOption)
	if columns <= most {
		return optionBlock{lines: append(iv.optionRows(pg, 0, n, (n+columns-1)/columns, width), foot...), to: n}
	}
	if len(foot) == 0 && rows > 1 {
		foot, rows = []string{""}, rows-1
	}
	each := rows * most
	from := min(iv.turned*each, (n-1)/each*each)
	to := min(n, from+each)
	lines := iv.optionRows(pg, from, to, rows, width)
	if len(foot) > 0 {
		hint := fmt.Sprintf("  page %d of %d: other keys turn it", from/each+1, (n+each-1)/each)
		foot[0] = widget.Cut(foot[0]+iv.Theme.Faint.Render(hint), width)
	}
	return optionBlock{append(lines, foot...), from, to, each}
}

// optionRows are some of the options in rows lines, column by column. Columns
// are as wide as what stands in them if that fits, else all are the same.
func (iv *itemView) optionRows(pg *page, from, to, rows, width int) []string {
	own := iv.answered()
	columns := max(1, (to-from+rows-1)/rows)
	cells, wide, all := make([]string, to-from), make([]int, columns), 0
	for i := range cells {
		c := &pg.choices[from+i]
		keys := strings.TrimLeft(c.Digit+" "+c.Letter, " ")
		cells[i] = iv.Theme.Good.Render(iv.mark(c, own)) + iv.Theme.Key.Render(keys) + " " + widget.Line(bounded(c.Text))
		wide[i/rows] = max(wide[i/rows], widget.Width(cells[i])+1)
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
		out[i%rows] += widget.Fit(widget.Cut(cells[i], max(1, w-1)), w)
	}
	return out
}

// turnTo shows the page with a choice, and reports whether another one was shown.
func (iv *itemView) turnTo(pg *page, choice int) bool {
	_, v := iv.arrange(pg)
	o := v.options
	if choice >= o.from && choice < o.to || o.each == 0 {
		return false
	}
	iv.turned = choice / o.each
	iv.Turns++
	return true
}
