package report

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// text prints the table for a terminal. Columns that say the same in every
// row move into the heading, so that what differs has room.
func (t Table) text(width int) []byte {
	var b strings.Builder
	if len(t.Rows) == 0 {
		fmt.Fprintf(&b, "%s: nothing to report\n", visible(t.Name))
	} else {
		same, shown := t.fold()
		caption(&b, append([]string{visible(t.Name)}, same...), width)
		grid := layout(shown)
		if width > 0 && grid.width() > width {
			grid = layout(shown.narrow())
		}
		grid.print(&b)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%s\n", visible(n))
	}
	return []byte(b.String())
}

// caption prints the parts on as few lines as the width allows.
func caption(b *strings.Builder, parts []string, width int) {
	const between = " · "
	used := 0
	for i, p := range parts {
		w := uniseg.StringWidth(p)
		switch {
		case i == 0:
		case width > 0 && used+len(between)+w > width:
			b.WriteString("\n  ")
			used = 2
		default:
			b.WriteString(between)
			used += uniseg.StringWidth(between)
		}
		b.WriteString(p)
		used += w
	}
	b.WriteString("\n")
}

// fold takes out the columns that say the same in every row that has them,
// and returns them as "name value". Rates always stay.
func (t Table) fold() (same []string, rest Table) {
	rest = Table{Name: t.Name, Notes: t.Notes, Rows: make([][]Cell, len(t.Rows))}
	var zero []string
	for i, c := range t.Columns {
		v, one := t.constant(i)
		switch {
		case one && v == "0":
			zero = append(zero, c.Name)
		case one && v == "":
		case one && (c.Kind == KindText || c.Name == "run"):
			same = append(same, c.Name+" "+visible(v))
		default:
			rest.Columns = append(rest.Columns, c)
			for j := range t.Rows {
				rest.Rows[j] = append(rest.Rows[j], t.Rows[j][i])
			}
		}
	}
	if len(zero) > 0 {
		same = append(same, "0 "+strings.Join(zero, ", "))
	}
	return same, rest
}

// constant is what all cells of a column say that say something.
func (t Table) constant(i int) (string, bool) {
	if t.Columns[i].Kind == KindRate {
		return "", false
	}
	value, seen := "", false
	for _, r := range t.Rows {
		s := r[i].String()
		switch {
		case r[i].kind == cellBlank:
		case !seen:
			value, seen = s, true
		case s != value:
			return "", false
		}
	}
	return value, true
}

// narrow leaves out the columns that can be spared.
func (t Table) narrow() Table {
	out := Table{Name: t.Name, Rows: make([][]Cell, len(t.Rows))}
	for i, c := range t.Columns {
		if c.Wide {
			continue
		}
		out.Columns = append(out.Columns, c)
		for j := range t.Rows {
			out.Rows[j] = append(out.Rows[j], t.Rows[j][i])
		}
	}
	return out
}

// grid is a table as text, every column of one width.
type grid struct {
	head   []string
	lines  [][]string
	widths []int
	right  []bool
}

func layout(t Table) grid {
	g := grid{widths: make([]int, len(t.Columns))}
	for _, c := range t.Columns {
		g.head = append(g.head, strings.ReplaceAll(c.Name, "_", " "))
		g.right = append(g.right, c.Kind == KindCount || c.Kind == KindNumber)
	}
	for range t.Rows {
		g.lines = append(g.lines, make([]string, len(t.Columns)))
	}
	for i := range t.Columns {
		left, right := split(t, i)
		for j := range t.Rows {
			g.lines[j][i] = visible(t.Rows[j][i].aligned(left, right))
			g.widths[i] = max(g.widths[i], uniseg.StringWidth(g.lines[j][i]))
		}
		g.widths[i] = max(g.widths[i], uniseg.StringWidth(g.head[i]))
	}
	return g
}

// split is how wide the two halves of a column's rates are: value with
// interval, and counts, so that each half lines up.
func split(t Table, i int) (left, right int) {
	for _, r := range t.Rows {
		if a, b, ok := strings.Cut(r[i].String(), "  "); ok && r[i].kind == cellRate {
			left, right = max(left, len(a)), max(right, len(b))
		}
	}
	return left, right
}

func (c Cell) aligned(left, right int) string {
	a, b, ok := strings.Cut(c.String(), "  ")
	if !ok || c.kind != cellRate {
		return c.String()
	}
	return fmt.Sprintf("%*s  %*s", left, a, right, b)
}

func (g *grid) width() int {
	n := 2 * (len(g.widths) - 1)
	for _, w := range g.widths {
		n += w
	}
	return n
}

func (g *grid) print(b *strings.Builder) {
	g.line(b, g.head)
	b.WriteString(strings.Repeat("─", max(0, g.width())) + "\n")
	for _, l := range g.lines {
		g.line(b, l)
	}
}

func (g *grid) line(b *strings.Builder, cells []string) {
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
