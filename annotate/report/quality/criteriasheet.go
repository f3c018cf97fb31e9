package quality

import (
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

var groupColumns = table.List("level capability samples:count quota:count missing:count unwritten:count draft:count in_review:count changes_requested:count accepted:count verified:count discarded:count replaced:count coverage:rate")

// Columns names the columns of the lines that Lines gives.
func (r *CriteriaRow) Columns() []table.Column {
	return table.Columns(table.List("dataset"), groupColumns)
}

// Lines are the whole and then every group of the taxonomy.
func (r *CriteriaRow) Lines() [][]table.Cell {
	out := [][]table.Cell{append([]table.Cell{table.Text(string(r.Dataset))}, r.cells(r.opener())...)}
	for i := range r.Levels {
		out = append(out, append([]table.Cell{table.Text(string(r.Dataset))}, r.Levels[i].cells(r.opener())...))
	}
	return out
}

// cells has the coarse end of the path and the rest of it: MLLM-Bench's level
// and capability.
func (g *CriteriaGroup) cells(o report.Opener) []table.Cell {
	o = o.Under(g.Path...)
	level, rest := table.Text("all"), table.Blank()
	if len(g.Path) > 0 {
		level, rest = table.Text(g.Path[0]), table.Text(eval.Path(g.Path[1:]))
	}
	return []table.Cell{
		level, rest, report.Over(table.Count(g.Samples), o, AllSamples), optional(g.Quota), optional(g.Missing),
		report.Over(table.Count(g.Unwritten), o, "unwritten"), report.Over(table.Count(g.Draft), o, "draft"), report.Over(table.Count(g.InReview), o, "in_review"),
		report.Over(table.Count(g.ChangesRequested), o, "changes_requested"), report.Over(table.Count(g.Accepted), o, "accepted"), report.Over(table.Count(g.Verified), o, "verified"),
		report.Over(table.Count(g.Discarded), o, Discarded), report.Over(table.Count(g.Replaced), o, Replaced), report.Over(table.Rate(g.Coverage), o, Covered),
	}
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
	coverage := table.Table{Name: "criteria", Title: title, Columns: groupColumns}
	for _, l := range r.Lines() {
		coverage.Rows = append(coverage.Rows, l[1:])
	}
	out := []table.Table{coverage}
	add := func(name string, columns []table.Column, rows [][]table.Cell) {
		if len(rows) > 0 {
			out = append(out, table.Table{Name: name, Title: title, Columns: columns, Rows: rows})
		}
	}
	o := r.opener()
	var rounds, people, points, warnings [][]table.Cell
	for _, x := range r.Rounds {
		rounds = append(rounds, []table.Cell{
			table.Count(x.Round), report.Over(table.Count(x.Samples), o, inRound("reviewed", x.Round)), report.Over(table.Count(x.Requested), o, inRound("changes requested", x.Round)),
			report.Over(table.Rate(x.Revised), o, inRound("revised", x.Round)), report.Over(table.Count(x.Accepted), o, inRound("accepted", x.Round)),
		})
	}
	for _, p := range r.People {
		who := report.Which(p.Annotator)
		people = append(people, []table.Cell{
			table.Text(p.Annotator), report.Over(table.Count(p.Samples), o, Written+who), report.Over(table.Count(p.Revisions), o, Written+who), report.Over(table.Count(p.Reviewed), o, Reviewed+who),
			report.Over(table.Count(p.Verified), o, Checked+who), report.Over(table.Count(p.Assigned), o, Assigned+who), report.Over(table.Count(p.Discarded), o, Removed+who),
		})
	}
	for _, p := range r.Points {
		points = append(points, []table.Cell{table.Text(p.Item), report.Over(table.Count(p.Passed), o, Ticked+report.Which(p.Item)), report.Over(table.Count(p.Failed), o, Unticked+report.Which(p.Item))})
	}
	for _, w := range criteria.Warnings() {
		if n := r.Warnings[w.String()]; n > 0 {
			warnings = append(warnings, []table.Cell{table.Text(w.String()), report.Over(table.Count(n), o, Warned+report.Which(w.String()))})
		}
	}
	add("rounds of review", table.List("round:count samples:count changes_requested:count revised:rate accepted:count"), rounds)
	add("people", table.List("annotator written:count revisions:count reviewed:count verified:count assigned:count discarded:count"), people)
	add("checklist", table.List("point passed:count failed:count"), points)
	add("warnings", table.List("warning samples:count"), warnings)
	return out
}
