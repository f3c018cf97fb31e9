package report

import (
	"context"
	"iter"

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
	out := [][]Cell{append([]Cell{text(string(r.Dataset))}, r.cells()...)}
	for i := range r.Levels {
		out = append(out, append([]Cell{text(string(r.Dataset))}, r.Levels[i].cells()...))
	}
	return out
}

// cells has the coarse end of the path and the rest of it: MLLM-Bench's level
// and capability.
func (g *CriteriaGroup) cells() []Cell {
	level, rest := text("all"), blank()
	if len(g.Path) > 0 {
		level, rest = text(g.Path[0]), text(eval.Path(g.Path[1:]))
	}
	return []Cell{
		level, rest, integer(g.Samples), optional(g.Quota), optional(g.Missing), integer(g.Unwritten), integer(g.Draft),
		integer(g.InReview), integer(g.ChangesRequested), integer(g.Accepted), integer(g.Verified),
		integer(g.Discarded), integer(g.Replaced), rate(g.Coverage),
	}
}

// optional is a count that may be absent.
func optional(n *int) Cell {
	if n == nil {
		return blank()
	}
	return integer(*n)
}

// keys yields nothing: criteria are of samples, and no run's.
func (r *CriteriaRow) keys(context.Context, Facts, Selection) iter.Seq2[eval.Key, error] {
	return func(func(eval.Key, error) bool) {}
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
	var rounds, people, points, warnings [][]Cell
	for _, x := range r.Rounds {
		rounds = append(rounds, []Cell{integer(x.Round), integer(x.Samples), integer(x.Requested), rate(x.Revised), integer(x.Accepted)})
	}
	for _, p := range r.People {
		people = append(people, []Cell{
			text(p.Annotator), integer(p.Samples), integer(p.Revisions), integer(p.Reviewed), integer(p.Verified), integer(p.Assigned), integer(p.Discarded),
		})
	}
	for _, p := range r.Points {
		points = append(points, []Cell{text(p.Item), integer(p.Passed), integer(p.Failed)})
	}
	for _, w := range criteria.Warnings() {
		if n := r.Warnings[w.String()]; n > 0 {
			warnings = append(warnings, []Cell{text(w.String()), integer(n)})
		}
	}
	add("rounds of review", columns(countColumns("round", "samples", "changes_requested"), []Column{{Name: "revised", Kind: KindRate}}, countColumns("accepted")), rounds)
	add("people", columns([]Column{{Name: "annotator"}}, countColumns("written", "revisions", "reviewed", "verified", "assigned", "discarded")), people)
	add("checklist", columns([]Column{{Name: "point"}}, countColumns("passed", "failed")), points)
	add("warnings", columns([]Column{{Name: "warning"}}, countColumns("samples")), warnings)
	return out
}
