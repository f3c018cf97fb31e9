package pairwise

import (
	"maps"
	"slices"
	"strconv"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
)

// Columns names the columns of the lines that Lines gives.
func (r *RanksRow) Columns() []table.Column {
	return table.List("a b rho:number models:count p:number method undefined only_a:count only_b:count")
}

// Lines lays the row out as lines of its table.
func (r *RanksRow) Lines() [][]table.Cell {
	rho, p, method := table.Blank(), table.Blank(), table.Blank()
	if c := &r.Correlation; c.Undefined == "" {
		rho, p, method = table.Number(&c.Rho), table.Number(&c.P), table.Text(permuted(c))
	}
	return [][]table.Cell{{
		table.Text(r.A.Name), table.Text(r.B.Name), rho, table.Count(r.Correlation.N), p, method, table.Text(r.Correlation.Undefined), table.Count(r.OnlyA), table.Count(r.OnlyB),
	}}
}

// permuted is how the p value came about.
func permuted(c *agree.Correlation) string {
	if c.Exact {
		return "exact"
	}
	return "of " + table.Grouped(c.Tried) + " orders"
}

// rankSheets are the matrix of correlations, with numbers for the rankings that
// a table below names, and every two of them.
func rankSheets(all []*report.Ranking, rows []*RanksRow) []table.Table {
	names := table.Table{Name: "rankings", Columns: table.List("no:count ranking by models:count")}
	matrix := table.Table{
		Name: "Spearman's correlation", Columns: table.List("ranking"),
		Notes: []string{"Each cell is rho with the number of models that both rank."},
	}
	at := make(map[string]int)
	for i, r := range all {
		at[r.Name] = i
		names.Rows = append(names.Rows, []table.Cell{table.Text(strconv.Itoa(i + 1)), table.Text(r.Name), table.Text(r.Kind), table.Count(len(r.Values))})
		matrix.Columns = append(matrix.Columns, table.Column{Name: strconv.Itoa(i + 1), Kind: table.KindNumber})
		line := []table.Cell{table.Text(strconv.Itoa(i + 1))}
		for range all {
			line = append(line, table.Text("·"))
		}
		matrix.Rows = append(matrix.Rows, line)
	}
	detail := table.Table{Name: "every two rankings", Columns: table.List("a b rho:number models:count p:number method only_a:count only_b:count")}
	for _, r := range rows {
		a, b, c := at[r.A.Name], at[r.B.Name], &r.Correlation
		rho, p, method := "-", "-", c.Undefined
		if c.Undefined == "" {
			rho, p, method = table.Decimal(c.Rho), report.Probability(c.P), permuted(c)
		}
		cell := table.Text(rho + " (n " + strconv.Itoa(c.N) + ")")
		matrix.Rows[a][b+1], matrix.Rows[b][a+1] = cell, cell
		detail.Rows = append(detail.Rows, []table.Cell{
			table.Text(strconv.Itoa(a + 1)), table.Text(strconv.Itoa(b + 1)), table.Text(rho), table.Count(c.N), table.Text(p), table.Text(method), table.Count(r.OnlyA), table.Count(r.OnlyB),
		})
	}
	return []table.Table{names, matrix, detail, modelSheet(all)}
}

// modelSheet is what the rankings are made of: each model's figure in each.
func modelSheet(all []*report.Ranking) table.Table {
	t := table.Table{Name: "models", Title: "what each ranking is by", Columns: table.List("model")}
	var models []string
	for i, r := range all {
		t.Columns = append(t.Columns, table.Column{Name: strconv.Itoa(i + 1), Kind: table.KindNumber})
		models = slices.AppendSeq(models, maps.Keys(r.Values))
	}
	slices.Sort(models)
	for _, m := range slices.Compact(models) {
		line := []table.Cell{table.Text(m)}
		for _, r := range all {
			c := table.Blank()
			if v, ok := r.Values[m]; ok {
				c = table.Text(strconv.FormatFloat(v, 'g', 3, 64))
			}
			line = append(line, c)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
