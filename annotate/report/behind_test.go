package report

import (
	"context"
	"slices"
	"testing"
)

// openings checks that every figure of a report opens what it counts: of a rate
// its k first, and where there are several parts all of its n; of a count as many.
// It gives how many cells open something.
func openings(t *testing.T, m Facts, r Report) (opens int) {
	t.Helper()
	names := []string{"run", "base_run", "shots", "place", "hits", "pairs", "round"} // numbers that count nothing
	for _, table := range r.Tables() {
		for _, line := range table.Rows {
			for i := range line {
				c := &line[i]
				b := BehindOf(c)
				if b == nil {
					if name := table.Columns[i].Name; c.Figure() && !c.Empty() && !c.External() && !slices.Contains(names, name) {
						t.Errorf("%s %s: %s opens nothing: %s", table.Name, table.Title, name, c)
					}
					continue
				}
				opens++
				var n []int
				for j := range b.Picks {
					n = append(n, 0)
					for _, err := range b.Picks[j].Keys(t.Context(), m) {
						if err != nil {
							t.Fatal(err)
						}
						n[j]++
					}
				}
				all := 0
				for _, k := range n[:b.Parts] {
					all += k
				}
				each := 1 // samples that one counted thing is made of
				if w := b.Picks[0].Which; w == PlusRight || w == AlwaysYes {
					each = 2
				}
				count, counts := c.Count()
				rate, rates := c.Rate()
				switch {
				case counts && all != count,
					rates && b.Picks[0].Which != Every && n[0] != each*rate.K,
					rates && b.Parts > 1 && all != each*rate.N:
					t.Errorf("%s %s: %s %s opens %v (%+v)", table.Name, table.Title, table.Columns[i].Name, c, n, b.Picks[0])
				}
			}
		}
	}
	return opens
}

func TestEveryCellOpensWhatItCounts(t *testing.T) {
	check := func(name string, m Facts, build func(context.Context, Facts, Options) (Report, error), o Options, want int) {
		t.Helper()
		r, err := build(t.Context(), m, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := openings(t, m, r); got != want {
			t.Errorf("%s: %d cells open something, want %d", name, got, want)
		}
	}
	o := Options{Reader: readers("1"), Cards: cards}
	text, _ := guessed()
	against := o
	against.TextOnly = "3"
	deep := o
	deep.Level = 3
	kin := o
	kin.ByModel = true
	base := Options{Reader: readers("1"), Cards: bases}
	check("circular", tree(), Circular, o, 6)
	check("abilities", tree(), Abilities, o, 12)
	check("abilities", tree(), Abilities, deep, 15)
	check("positions", tree(), Positions, o, 18)
	check("baselines", tree(), Baselines, o, 6)
	check("text-only", text, TextOnly, o, 2)
	check("text-only against", text, TextOnly, against, 14)
	check("text-only by model", text, TextOnly, kin, 8)
	check("mme", twoOfMME(), MME, Options{}, 186)
	check("baselines of mme", twoOfMME(), Baselines, Options{}, 9)
	check("gain", seen(), Gains, base, 12)
	check("leaks", seen(), Leaks, base, 6)
}
