package report

import (
	"slices"

	"concord/annotate/agree"
)

// testColumns are those of an extractor beside another. The p-values are
// two-sided.
var testColumns = []Column{
	{Name: "with"},
	{Name: "with_alignment", Kind: KindRate},
	{Name: "difference", Kind: KindPoints},
	{Name: "first_only", Kind: KindCount},
	{Name: "second_only", Kind: KindCount},
	{Name: "mcnemar_exact_p", Kind: KindNumber},
	{Name: "mcnemar_mid_p", Kind: KindNumber},
	{Name: "mcnemar_corrected_p", Kind: KindNumber},
	{Name: "mcnemar_p", Kind: KindNumber},
}

func (t *AlignmentTest) cells() []Cell {
	cells := []Cell{text(t.With), rate(t.Other), points(t.Difference), integer(t.Test.First), integer(t.Test.Second)}
	if t.Test.Undefined != "" {
		return append(cells, blank(), blank(), blank(), blank())
	}
	return append(cells, number(&t.Test.Exact), number(&t.Test.MidP), number(&t.Test.PCorrected), number(&t.Test.P))
}

// alignmentSheets lay the report out as people read it: the figures, and every
// two extractors once.
func alignmentSheets(r Report) []Table {
	figures := Table{Name: r.Name, Columns: alignmentColumns}
	tests := Table{
		Name: "McNemar between extractors", Title: "on the items on which both are compared",
		Columns: columns([]Column{{Name: "run", Kind: KindCount}, {Name: "model"}, {Name: "extractor"}, {Name: "alignment", Kind: KindRate}},
			testColumns[:5], []Column{{Name: "exact"}, {Name: "mid-p"}, {Name: "corrected"}, {Name: "uncorrected"}}),
		Notes: []string{
			"First only and second only are the items on which only the extractor and only the one it is set beside reads as people do. " +
				"The exact test holds its level always; read mid-p where few items differ.",
		},
	}
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		a := row.(*AlignmentRow)
		figures.Rows = append(figures.Rows, a.partLines(false)...)
		if a.Saved == 0 {
			tests.Rows = append(tests.Rows, a.testLines()...)
		}
	}
	if len(tests.Rows) == 0 {
		return []Table{figures}
	}
	return []Table{figures, tests}
}

// testLines are the tests with extractors that come after the row's own: the
// others stand in their rows.
func (r *AlignmentRow) testLines() [][]Cell {
	var out [][]Cell
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
		line := append([]Cell{start[1], start[4], text(r.Extractor), rate(t.Alignment)}, t.cells()[:5]...)
		out = append(out, append(line, tests(&t.Test)...))
	}
	return out
}

// tests are the p-values of the four forms of the test.
func tests(s *agree.Sameness) []Cell {
	if s.Undefined != "" {
		return []Cell{text("- (" + s.Undefined + ")"), blank(), blank(), blank()}
	}
	var out []Cell
	for _, p := range []float64{s.Exact, s.MidP, s.PCorrected, s.P} {
		out = append(out, text(probability(p)))
	}
	return out
}
