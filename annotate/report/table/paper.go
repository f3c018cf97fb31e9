package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Paper is what a table takes on its way into a paper.
type Paper struct {
	Caption string                    // makes a float of a RenderLaTeX table; "": none
	Label   string                    // of that float
	Columns []string                  // the only ones, in this order, by the names of columns; empty: all
	Display func(model string) string // a model's name as it is printed, "" for its own; nil: all have theirs
}

// ForPaper is the table with the columns and names that a paper wants.
func (t Table) ForPaper(p *Paper) Table {
	t = t.OnlyPaperColumns(p)
	if p == nil || p.Display == nil {
		return t
	}
	rows := t.Rows
	t.Rows = make([][]Cell, len(rows))
	for j, r := range rows {
		t.Rows[j] = slices.Clone(r)
		for i := range r {
			if r[i].kind == cellText {
				t.Rows[j][i].text = cmp.Or(p.Display(r[i].text), r[i].text)
			}
		}
	}
	return t
}

// OnlyPaperColumns is the table with the columns that a paper wants. A table that has none of
// them stays without any.
func (t Table) OnlyPaperColumns(p *Paper) Table {
	if p == nil || len(p.Columns) == 0 {
		return t
	}
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for _, name := range p.Columns {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			continue
		}
		out.Columns = append(out.Columns, t.Columns[i])
		for j, r := range t.Rows {
			out.Rows[j] = append(out.Rows[j], r[i])
		}
	}
	return out
}

// ForTable is what the n-th table of a report takes: each has its title in the caption, and
// from the second on its number in the label.
func (p *Paper) ForTable(n int, title string) *Paper {
	if p == nil || p.Caption == "" {
		return p
	}
	one := *p
	if title != "" {
		one.Caption = strings.TrimRight(p.Caption, ". ") + ": " + title
	}
	if p.Label != "" && n > 1 {
		one.Label = fmt.Sprintf("%s-%d", p.Label, n)
	}
	return &one
}
