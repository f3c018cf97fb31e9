package alignment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
)

var alignmentColumns = table.Columns(table.List("queue"), report.HeadColumns, table.List("policy undecided extractor part alignment:rate case_one:count case_two:count cohen_kappa:coefficient gwet_ac1:coefficient majority_baseline:rate excluded"))

// Columns names the columns of the lines that Lines gives.
func (r *Row) Columns() []table.Column { return table.Columns(alignmentColumns, testColumns) }

// Lines gives the row and then its parts: models, people, levels, the items
// that all extractors are compared on, and every other extractor. A saved row
// has no lines: a note says how it stands.
func (r *Row) Lines() [][]table.Cell {
	if r.Saved != 0 {
		return nil
	}
	out := r.partLines(true)
	for i := range out {
		out[i] = append(out[i], make([]table.Cell, len(testColumns))...)
	}
	for i := range r.McNemar {
		t := &r.McNemar[i]
		line := append(r.start(), table.Text("beside "+t.With), table.Rate(t.Alignment))
		line = append(line, make([]table.Cell, len(alignmentColumns)-len(line))...)
		out = append(out, append(line, t.cells(r)...))
	}
	return out
}

// start is what all lines of the row begin with.
func (r *Row) start() []table.Cell {
	start := append([]table.Cell{table.Text(string(r.Queue))}, r.Cells()...)
	if r.Run == 0 {
		start[1] = table.Blank()
	}
	return append(start, table.Text(r.Policy), table.Text(r.Undecided), table.Text(r.Extractor))
}

// partLines are the row and its parts. That of the items that all extractors
// are compared on is left out where it says nothing new, unless all is asked
// for.
func (r *Row) partLines(all bool) [][]table.Cell {
	if r.LeftOut != "" {
		return [][]table.Cell{append(r.start(), table.Text("all"), table.Rate(r.Alignment),
			table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank())}
	}
	o := r.opener()
	rate := r.rate(r.Alignment, o, false)
	out := [][]table.Cell{append(r.start(), table.Text("all"), rate, r.over(table.Count(r.CaseOne), o, CaseOne), r.over(table.Count(r.CaseTwo), o, CaseTwo),
		report.Like(table.Coefficient(r.Kappa), rate), report.Like(table.Coefficient(r.AC1), rate), report.Like(table.Rate(r.Baseline), rate), r.leftOut())}
	part := func(name string, f *Agreement, by report.Opener, person bool) {
		rate := r.rate(f.Alignment, by, person)
		out = append(out, append(r.start(), table.Text(name), rate,
			table.Blank(), table.Blank(), report.Like(table.Coefficient(f.Kappa), rate), report.Like(table.Coefficient(f.AC1), rate), table.Blank(), table.Blank()))
	}
	if r.CaseOpen > 0 {
		out = append(out, append(r.start(), table.Text(fmt.Sprintf("misaligned, no consensus: %s", table.Grouped(r.CaseOpen))),
			table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank()))
	}
	if c := r.Common; c != nil && (all || c.Alignment.N != r.Alignment.N) {
		part("items in common", &c.Agreement, report.Opener{}, false)
	}
	if a := r.Adjudicated; a != nil {
		out = append(out, append(r.start(), table.Text(a.name()), r.over(table.Rate(a.Alignment), o, Adjudicated),
			table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank(), table.Blank()))
		for _, c := range causes(a.CaseTwo) {
			out = append(out, append(r.start(), table.Text("disagree (Case II), "+c.name),
				table.Blank(), table.Blank(), r.over(table.Count(c.n), o.With(Part{Cause: c.cause}), CausedBy), table.Blank(), table.Blank(), table.Blank(), table.Blank()))
		}
	}
	for i := range r.Models {
		part("model "+r.Models[i].Model, &r.Models[i].Agreement, o.With(Part{Model: r.Models[i].Model}), false)
	}
	for i := range r.People {
		part("person "+r.People[i].Annotator, &r.People[i].Agreement, o.With(Part{Person: annotate.Annotator(r.People[i].Annotator)}), true)
	}
	for i := range r.Levels {
		part(strings.Join(r.Levels[i].Path, " / "), &r.Levels[i].Agreement, o.Under(r.Levels[i].Path...), false)
	}
	return out
}

// tallied is a count with its name.
type tallied struct {
	name  string
	n     int
	cause annotate.Cause
}

// causes are who turned out to be right on the Case II items, with those that
// nobody has settled.
func causes(c annotate.CaseTwoCauses) []tallied {
	return []tallied{
		{"person right", c.PersonRight, annotate.PersonRight},
		{"judge right", c.JudgeRight, annotate.JudgeRight},
		{"ambiguous", c.Ambiguous, annotate.AmbiguousCause},
		{"both wrong", c.BothWrong, annotate.BothWrong},
		{"not adjudicated", c.Open, annotate.CauseUnset},
	}
}

func (r *Row) excluded() string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		parts = append(parts, fmt.Sprintf("%s %s", reason, table.Grouped(r.Excluded[reason])))
	}
	return strings.Join(parts, ", ")
}
