package markdown

import (
	"strings"

	"concord/tui/widget"
)

// leastColumn is how narrow a column of a table may become: below that, cells
// are easier to read one under the other.
const leastColumn = 9

// table sets a table in columns, those narrower that do not fit as they are,
// and else each row as a text.
func (s *setter) table(b *block, width int) []string {
	wide, ok := narrow(s.columns(b), width)
	if !ok {
		return s.rows(b, width)
	}
	faint := s.theme.Faint.Render
	var out []string
	for i, row := range b.rows {
		out = append(out, s.row(b, row, wide)...)
		if i == 0 {
			rules := make([]string, len(wide))
			for c, n := range wide {
				rules[c] = strings.Repeat("─", n)
			}
			out = append(out, faint(strings.Join(rules, "─┼─")))
		}
	}
	return out
}

// columns is how wide each column is when nothing of it wraps.
func (s *setter) columns(b *block) []int {
	var wide []int
	for _, row := range b.rows {
		for i, c := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			n := 0
			for k := c.from; k < c.to; k++ {
				n += s.words[k].width
				if k > c.from {
					n += len(s.words[k].gap)
				}
			}
			wide[i] = max(wide[i], n)
		}
	}
	return wide
}

// narrow takes cells from the widest columns until all fit, and reports
// whether they do.
func narrow(wide []int, width int) ([]int, bool) {
	sum := 3 * (len(wide) - 1)
	least := sum
	for i, n := range wide {
		wide[i] = min(n, width)
		sum += wide[i]
		least += min(n, leastColumn)
	}
	if least > width {
		return nil, false
	}
	for ; sum > width; sum-- {
		most := 0
		for i, n := range wide {
			if n > wide[most] {
				most = i
			}
		}
		wide[most]--
	}
	return wide, true
}

// row sets a row of a table, of as many lines as its longest cell.
func (s *setter) row(b *block, row []span, wide []int) []string {
	cells, high := make([][]string, len(wide)), 1
	for c := range min(len(row), len(wide)) {
		cells[c] = s.wrap(row[c].from, row[c].to, max(1, wide[c]))
		high = max(high, len(cells[c]))
	}
	out := make([]string, high)
	for k := range out {
		line := make([]string, len(wide))
		for c, n := range wide {
			text := ""
			if k < len(cells[c]) {
				text = cells[c][k]
			}
			if c < len(b.right) && b.right[c] {
				text = strings.Repeat(" ", max(0, n-widget.Width(text))) + text
			}
			line[c] = widget.Fit(text, n)
		}
		out[k] = strings.TrimRight(strings.Join(line, s.theme.Faint.Render(" │ ")), " ")
	}
	return out
}

// rows sets each cell of a table that is too wide on lines of its own, an
// empty line between the rows.
func (s *setter) rows(b *block, width int) []string {
	var out []string
	faint := s.theme.Faint.Render
	for i, row := range b.rows {
		if i > 0 {
			out = append(out, "")
		}
		for _, c := range row {
			if c.from == c.to {
				continue
			}
			for k, l := range s.wrap(c.from, c.to, max(1, width-2)) {
				before := faint("│ ")
				if k > 0 {
					before = "  "
				}
				if width <= 2 {
					before = ""
				}
				out = append(out, before+l)
			}
		}
	}
	return out
}
