package report

import (
	"strconv"

	"concord/annotate/agree"
)

func (r *RanksRow) columns() []Column {
	return columns([]Column{{Name: "a"}, {Name: "b"}, {Name: "rho", Kind: KindNumber}}, countColumns("models"),
		[]Column{{Name: "p", Kind: KindNumber}, {Name: "method"}, {Name: "undefined"}}, countColumns("only_a", "only_b"))
}

func (r *RanksRow) lines() [][]Cell {
	rho, p, method := blank(), blank(), blank()
	if c := &r.Correlation; c.Undefined == "" {
		rho, p, method = number(&c.Rho), number(&c.P), text(permuted(c))
	}
	return [][]Cell{{
		text(r.A.Name), text(r.B.Name), rho, integer(r.Correlation.N), p, method, text(r.Correlation.Undefined), integer(r.OnlyA), integer(r.OnlyB),
	}}
}

// permuted is how the p value came about.
func permuted(c *agree.Correlation) string {
	if c.Exact {
		return "exact"
	}
	return "of " + grouped(c.Tried) + " orders"
}

// rankSheets are the matrix of correlations, with numbers for the rankings that
// a table below names, and every two of them.
func rankSheets(all []*Ranking, rows []*RanksRow) []Table {
	names := Table{Name: "rankings", Columns: columns(countColumns("no"), []Column{{Name: "ranking"}, {Name: "by"}}, countColumns("models"))}
	matrix := Table{
		Name: "Spearman's correlation", Columns: []Column{{Name: "ranking"}},
		Notes: []string{"Each cell is rho with the number of models that both rank."},
	}
	at := make(map[string]int)
	for i, r := range all {
		at[r.Name] = i
		names.Rows = append(names.Rows, []Cell{text(strconv.Itoa(i + 1)), text(r.Name), text(r.Kind), integer(len(r.values))})
		matrix.Columns = append(matrix.Columns, Column{Name: strconv.Itoa(i + 1), Kind: KindNumber})
		line := []Cell{text(strconv.Itoa(i + 1))}
		for range all {
			line = append(line, text("·"))
		}
		matrix.Rows = append(matrix.Rows, line)
	}
	detail := Table{Name: "every two rankings", Columns: []Column{
		{Name: "a"},
		{Name: "b"},
		{Name: "rho", Kind: KindNumber},
		{Name: "models", Kind: KindCount},
		{Name: "p", Kind: KindNumber},
		{Name: "method"},
		{Name: "only_a", Kind: KindCount},
		{Name: "only_b", Kind: KindCount},
	}}
	for _, r := range rows {
		a, b, c := at[r.A.Name], at[r.B.Name], &r.Correlation
		rho, p, method := "-", "-", c.Undefined
		if c.Undefined == "" {
			rho, p, method = decimal(c.Rho), probability(c.P), permuted(c)
		}
		cell := text(rho + " (n " + strconv.Itoa(c.N) + ")")
		matrix.Rows[a][b+1], matrix.Rows[b][a+1] = cell, cell
		detail.Rows = append(detail.Rows, []Cell{
			text(strconv.Itoa(a + 1)), text(strconv.Itoa(b + 1)), text(rho), integer(c.N), text(p), text(method), integer(r.OnlyA), integer(r.OnlyB),
		})
	}
	return []Table{names, matrix, detail}
}
