package quality

import (
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

const groupNames = "level capability samples quota missing unwritten draft in_review changes_requested accepted verified discarded replaced coverage"

var (
	criteriaLayout = report.Lay("dataset "+groupNames, CriteriaRow{})
	roundLayout    = report.Lay("round samples changes_requested revised accepted", CriteriaRound{})
	personLayout   = report.Lay("annotator written revisions reviewed verified assigned discarded", CriteriaPerson{})
	pointLayout    = report.Lay("point passed failed", CriteriaPoint{})
)

// Columns names the columns of the lines that Lines gives.
func (r *CriteriaRow) Columns() []table.Column { return criteriaLayout.Columns }

// Lines are the whole and then every group of the taxonomy.
func (r *CriteriaRow) Lines() [][]table.Cell {
	out := [][]table.Cell{criteriaLayout.Line(r.opener(), r)}
	for i := range r.Levels {
		g := &r.Levels[i]
		out = append(out, criteriaLayout.Line(r.opener().Under(g.Path...), g, report.Cells{"dataset": table.Text(string(r.Dataset))}))
	}
	return out
}

// Measured has the coarse end of the path and the rest of it: MLLM-Bench's level
// and capability.
func (g *CriteriaGroup) Measured() report.Cells {
	if len(g.Path) == 0 {
		return report.Cells{"level": table.Text("all")}
	}
	return report.Cells{"level": table.Text(g.Path[0]), "capability": table.Text(eval.Path(g.Path[1:]))}
}

// optional is a count that may be absent.
func optional(n *int) table.Cell {
	if n == nil {
		return table.Blank()
	}
	return table.Count(*n)
}

// sheets are the tables that people read: coverage, and below it rounds,
// people and warnings, where there are any.
func (r *CriteriaRow) sheets() []table.Table {
	title := string(r.Dataset)
	if r.Synthetic {
		title += " (synthetic)"
	}
	coverage := table.Table{Name: "criteria", Title: title, Columns: criteriaLayout.Columns[1:]}
	for _, l := range r.Lines() {
		coverage.Rows = append(coverage.Rows, l[1:])
	}
	out := []table.Table{coverage}
	o := r.opener()
	warnings := table.Table{Name: "warnings", Title: title, Columns: table.List("warning samples:count")}
	for _, w := range criteria.Warnings() {
		if n := r.Warnings[w.String()]; n > 0 {
			warnings.Rows = append(warnings.Rows, []table.Cell{table.Text(w.String()), report.Over(table.Count(n), o, Warned+report.Which(w.String()))})
		}
	}
	for _, t := range []table.Table{
		report.PartTable(roundLayout, "rounds of review", title, r.Rounds, func(x *CriteriaRound) report.Opener { return o.About(table.Grouped(x.Round)) }),
		report.PartTable(personLayout, "people", title, r.People, func(p *CriteriaPerson) report.Opener { return o.About(p.Annotator) }),
		report.PartTable(pointLayout, "checklist", title, r.Points, func(p *CriteriaPoint) report.Opener { return o.About(p.Item) }),
		warnings,
	} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}
