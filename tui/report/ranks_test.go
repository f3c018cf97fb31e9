package report

import (
	"strings"
	"testing"

	"concord/annotate/agree"
	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
)

// The matrix says rho with its n, or n alone and beside it why there is none;
// columns without room are left to the lines below.
func TestRanksMatrix(t *testing.T) {
	names := []string{"one", "two", "three"}
	var f pollFigures
	add := func(a, b int, c agree.Correlation) {
		f.report.Rows = append(f.report.Rows, &pairwise.RanksRow{
			A: figures.Ranking{Name: names[a], Kind: "votes"}, B: figures.Ranking{Name: names[b], Kind: "people"}, Correlation: c,
			Models: make([]pairwise.RankedModel, c.N),
		})
	}
	add(0, 1, agree.Correlation{Rho: -0.5, N: 6, P: 0.25, Exact: true})
	add(0, 2, agree.Correlation{N: 2, Undefined: "fewer than 3 models that both rank"})
	add(1, 2, agree.Correlation{Rho: 1, N: 12, P: 0.0004, Tried: 20000})
	m := screen(t, nil)
	text := func() string {
		var out []string
		for _, l := range m.ranksLines(&f) {
			out = append(out, l.text+l.name+" "+l.note)
			for _, b := range l.beside() {
				out = append(out, b[0]+": "+b[1])
			}
			if len(l.pairs.Lists)+len(l.behind.Lists) > 0 {
				t.Errorf("%q opens something", l.name)
			}
		}
		return strings.Join(out, "\n")
	}
	check := func(wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(text(), want) {
				t.Errorf("no %q in\n%s", want, text())
			}
		}
	}
	check("-0.50 n6", " 1.00 n12", "    – n2", "with 3: – fewer than 3 models that both rank, n 2",
		"1 and 2 rho -0.50, n 6, p 0.250 exact", "rho 1.00, n 12, p < 0.001 of 20,000 orders")
	m.Resize(50, 24)
	check("no room: 1 column; every two rankings stand below")
}
