package alignment

import (
	"slices"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
)

// testColumns are those of an extractor beside another. The p-values are
// two-sided.
var testColumns = table.List("with with_alignment:rate difference:points first_only:count second_only:count mcnemar_exact_p:number mcnemar_mid_p:number mcnemar_corrected_p:number mcnemar_p:number")

// cells are the test's; they open the items that tell the two extractors apart.
func (t *Test) cells(r *Row) []table.Cell {
	by := r.opener().With(Part{With: t.With})
	difference := r.over(table.Points(t.Difference), by, OnlyFirst, OnlySecond)
	cells := []table.Cell{
		table.Text(t.With), report.Like(table.Rate(t.Other), difference), difference,
		r.over(table.Count(t.Test.First), by, OnlyFirst), r.over(table.Count(t.Test.Second), by, OnlySecond),
	}
	if t.Test.Undefined != "" {
		return append(cells, table.Blank(), table.Blank(), table.Blank(), table.Blank())
	}
	return append(cells, table.Number(&t.Test.Exact), table.Number(&t.Test.MidP), table.Number(&t.Test.PCorrected), table.Number(&t.Test.P))
}

// alignmentSheets lay the report out as people read it: the figures, and every
// two extractors once.
func alignmentSheets(r *report.Report) []table.Table {
	figures := table.Table{Name: r.Name, Columns: alignmentColumns}
	tests := table.Table{
		Name: "McNemar between extractors", Title: "on the items on which both are compared",
		Columns: table.Columns(table.List("run:count model extractor"), testColumns[:1], table.List("alignment:rate"),
			testColumns[1:5], table.List("exact mid-p corrected uncorrected")),
		Notes: []string{
			"First only and second only are the items on which only the extractor and only the one it is set beside reads as people do. " +
				"The exact test holds its level always; read mid-p where few items differ.",
		},
	}
	var judges []string
	var replacing []*report.Replacing
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		if a := row.(*Row); a.Saved == 0 {
			if figures.Title == "" { // of the whole queue, where it has several runs
				figures.Title = report.Plural(a.Items, "item") + ", labels of " + report.Plural(a.Annotators, "annotator")
			}
			figures.Rows = append(figures.Rows, a.partLines(false)...)
			tests.Rows = append(tests.Rows, a.testLines()...)
			judges, replacing = append(judges, a.named()), append(replacing, a.Replacing)
		}
	}
	return slices.DeleteFunc([]table.Table{figures, tests, report.ReplacingTable(judges, replacing)}, func(t table.Table) bool {
		return len(t.Rows) == 0 && t.Name != figures.Name
	})
}

// named is the extractor, and of what model it reads.
func (r *Row) named() string { return r.Extractor + " on " + r.Model }

// testLines are the tests with extractors that come after the row's own: the
// others stand in their rows.
func (r *Row) testLines() [][]table.Cell {
	var out [][]table.Cell
	if r.Common == nil {
		return nil
	}
	own := slices.Index(r.Common.Extractors, r.Extractor)
	for i := range r.McNemar {
		t := &r.McNemar[i]
		if slices.Index(r.Common.Extractors, t.With) < own {
			continue
		}
		start := r.start()
		cells := t.cells(r)
		line := append([]table.Cell{start[1], start[4], table.Text(r.Extractor), cells[0], report.Like(table.Rate(t.Alignment), cells[2])}, cells[1:5]...)
		out = append(out, append(line, tests(&t.Test)...))
	}
	return out
}

// tests are the p-values of the four forms of the test.
func tests(s *agree.Sameness) []table.Cell {
	if s.Undefined != "" {
		return []table.Cell{table.Text("- (" + s.Undefined + ")"), table.Blank(), table.Blank(), table.Blank()}
	}
	var out []table.Cell
	for _, p := range []float64{s.Exact, s.MidP, s.PCorrected, s.P} {
		out = append(out, table.Text(report.Probability(p)))
	}
	return out
}
