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
	return reporttest.Openings(t, r.Tables(), func(c *table.Cell) *reporttest.Opened {
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
			out.N = append(out.N, reporttest.Number(t, b.Picks[j].Keys(t.Context(), m)))
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
	o := report.Options{Reader: reporttest.Readers("1"), Cards: cards}
	text, _ := guessed()
	against := o
	against.TextOnly = "3"
	deep := o
	deep.Level = 3
	baseModels := o
	baseModels.ByModel = true
	base := report.Options{Reader: reporttest.Readers("1"), Cards: bases}
	check("circular", tree(), Circular, o, 6)
	check("abilities", tree(), Abilities, o, 12)
	check("abilities", tree(), Abilities, deep, 15)
	check("positions", tree(), Positions, o, 18)
	check("baselines", tree(), Baselines, o, 6)
	check("text-only", text, TextOnly, o, 2)
	check("text-only against", text, TextOnly, against, 14)
	check("text-only by model", text, TextOnly, baseModels, 8)
	check("mme", twoOfMME(), MME, report.Options{}, 186)
	check("baselines of mme", twoOfMME(), Baselines, report.Options{}, 9)
	check("gain", seen(), Gains, base, 15)
	check("leaks", seen(), Leaks, base, 7)
}
