package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"concord/eval/text"
)

// Text prints the table for a terminal. Columns that say the same in every
// row move into the heading, so that what differs has room.
func (t Table) Text(width int) []byte {
	var b strings.Builder
	if len(t.Rows) == 0 {
		fmt.Fprintf(&b, "%s: nothing to report\n", visible(t.Name))
	} else {
		same, shown := t.fold()
		head := []string{visible(t.Name)}
		if t.Title != "" {
			head = append(head, visible(t.Title))
		}
		caption(&b, append(head, same...), width)
		t.Notes = slices.Concat(shown.footnotes(), t.Notes)
		shown.print(&b, width)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%s\n", visible(n))
	}
	return []byte(b.String())
}

// caption prints the parts on as few lines as the width allows; one that is
// wider than a line is broken behind its commas.
func caption(b *strings.Builder, parts []string, width int) {
	const between, indent = " · ", "\n  "
	used := 0
	for i, p := range parts {
		before := between
		pieces := []string{p}
		if width > 0 && uniseg.StringWidth(p) > width-2 {
			pieces = strings.Split(p, ", ")
		}
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

// fold takes out the columns that say the same in every row that has them,
// and returns them as "name value". Rates stay where any row has one.
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
			same = append(same, c.Name+" "+Short(visible(v)))
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

// visible is text from outside in a cell, a title or a note.
func visible(s string) string { return text.Outside(s).Cell() }
