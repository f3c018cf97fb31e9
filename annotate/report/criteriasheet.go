package report

import (
	"concord/annotate/criteria"
	"concord/eval"
)

var groupColumns = columns(
	[]Column{{Name: "level"}, {Name: "capability"}},
	countColumns("samples", "quota", "missing", "unwritten", "draft", "in_review", "changes_requested", "accepted", "verified", "discarded", "replaced"),
	[]Column{{Name: "coverage", Kind: KindRate}},
)

func (r *CriteriaRow) columns() []Column {
	return columns([]Column{{Name: "dataset"}}, groupColumns)
}

// lines are the whole and then every group of the taxonomy.
func (r *CriteriaRow) lines() [][]Cell {
	out := [][]Cell{append([]Cell{text(string(r.Dataset))}, r.cells(r.opener())...)}
	for i := range r.Levels {
		out = append(out, append([]Cell{text(string(r.Dataset))}, r.Levels[i].cells(r.opener())...))
	}
	return out
}

// cells has the coarse end of the path and the rest of it: MLLM-Bench's level
// and capability.
func (g *CriteriaGroup) cells(o opener) []Cell {
	o = o.under(g.Path...)
	level, rest := text("all"), blank()
	if len(g.Path) > 0 {
		level, rest = text(g.Path[0]), text(eval.Path(g.Path[1:]))
	}
	return []Cell{
		level, rest, integer(g.Samples).over(o, AllSamples), optional(g.Quota), optional(g.Missing),
		integer(g.Unwritten).over(o, "unwritten"), integer(g.Draft).over(o, "draft"), integer(g.InReview).over(o, "in_review"),
		integer(g.ChangesRequested).over(o, "changes_requested"), integer(g.Accepted).over(o, "accepted"), integer(g.Verified).over(o, "verified"),
		integer(g.Discarded).over(o, Discarded), integer(g.Replaced).over(o, Replaced), rate(g.Coverage).over(o, Covered),
	}
}

// optional is a count that may be absent.
func optional(n *int) Cell {
	if n == nil {
		return blank()
	}
	return integer(*n)
}

// sheets are the tables that people read: coverage, and below it rounds,
// people and warnings, where there are any.
func (r *CriteriaRow) sheets() []Table {
	title := string(r.Dataset)
	if r.Synthetic {
		title += " (synthetic)"
	}
	coverage := Table{Name: "criteria", Title: title, Columns: groupColumns}
	for _, l := range r.lines() {
		coverage.Rows = append(coverage.Rows, l[1:])
	}
	out := []Table{coverage}
	add := func(name string, columns []Column, rows [][]Cell) {
		if len(rows) > 0 {
			out = append(out, Table{Name: name, Title: title, Columns: columns, Rows: rows})
		}
	}
	o := r.opener()
	var rounds, people, points, warnings [][]Cell
	for _, x := range r.Rounds {
		rounds = append(rounds, []Cell{
			integer(x.Round), integer(x.Samples).over(o, inRound("reviewed", x.Round)), integer(x.Requested).over(o, inRound("changes requested", x.Round)),
			rate(x.Revised).over(o, inRound("revised", x.Round)), integer(x.Accepted).over(o, inRound("accepted", x.Round)),
		})
	}
	for _, p := range r.People {
		who := Which(p.Annotator)
		people = append(people, []Cell{
			text(p.Annotator), integer(p.Samples).over(o, Written+who), integer(p.Revisions).over(o, Written+who), integer(p.Reviewed).over(o, Reviewed+who),
			integer(p.Verified).over(o, Checked+who), integer(p.Assigned).over(o, Assigned+who), integer(p.Discarded).over(o, Removed+who),
		})
	}
	for _, p := range r.Points {
		points = append(points, []Cell{text(p.Item), integer(p.Passed).over(o, Ticked+Which(p.Item)), integer(p.Failed).over(o, Unticked+Which(p.Item))})
	}
	for _, w := range criteria.Warnings() {
		if n := r.Warnings[w.String()]; n > 0 {
			warnings = append(warnings, []Cell{text(w.String()), integer(n).over(o, Warned+Which(w.String()))})
		}
	}
	add("rounds of review", columns(countColumns("round", "samples", "changes_requested"), []Column{{Name: "revised", Kind: KindRate}}, countColumns("accepted")), rounds)
	add("people", columns([]Column{{Name: "annotator"}}, countColumns("written", "revisions", "reviewed", "verified", "assigned", "discarded")), people)
	add("checklist", columns([]Column{{Name: "point"}}, countColumns("passed", "failed")), points)
	add("warnings", columns([]Column{{Name: "warning"}}, countColumns("samples")), warnings)
	return out
}
