package accuracy

import (
	"context"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
)

// openings checks what every figure of a report opens.
func openings(t *testing.T, m report.Facts, r report.Report) (opens int) {
	t.Helper()
	return reporttest.CheckCellsOpen(t, r.Tables(), func(c *table.Cell) *reporttest.Opened {
		b := report.BehindOf(c)
		if b == nil {
			return nil
		}
		w := b.Picks[0].Which
		out := &reporttest.Opened{Parts: b.Parts, Every: w == report.Every, Each: 1}
		if w == PlusRight || w == AlwaysYes {
			out.Each = 2
		}
		for j := range b.Picks {
			out.N = append(out.N, reporttest.CountKeys(t, b.Picks[j].KeysBehind(t.Context(), m)))
		}
		return out
	})
}

func TestEveryCellOpensWhatItCounts(t *testing.T) {
	check := func(name string, m report.Facts, build func(context.Context, report.Facts, report.Options) (report.Report, error), o report.Options, want int) {
		t.Helper()
		r, err := build(t.Context(), m, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := openings(t, m, r); got != want {
			t.Errorf("%s: %d cells open something, want %d", name, got, want)
		}
	}
	o := report.Options{Reader: reporttest.NewReaders("1"), Cards: cards}
	text, _ := guessed()
	against := o
	against.TextOnly = "3"
	deep := o
	deep.Level = 3
	baseModels := o
	baseModels.ByModel = true
	base := report.Options{Reader: reporttest.NewReaders("1"), Cards: bases}
	check("circular", tree(), ReportCircular, o, 6)
	check("abilities", tree(), ReportAbilities, o, 12)
	check("abilities", tree(), ReportAbilities, deep, 15)
	check("positions", tree(), ReportPositions, o, 18)
	check("baselines", tree(), ReportBaselines, o, 6)
	check("text-only", text, ReportTextOnly, o, 2)
	check("text-only against", text, ReportTextOnly, against, 14)
	check("text-only by model", text, ReportTextOnly, baseModels, 8)
	check("mme", twoOfMME(), ReportMME, report.Options{}, 186)
	check("baselines of mme", twoOfMME(), ReportBaselines, report.Options{}, 9)
	check("gain", seen(), ReportGains, base, 15)
	check("leaks", seen(), ReportLeaks, base, 7)
}
