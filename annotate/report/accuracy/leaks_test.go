package accuracy

import (
	"errors"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
	"concord/eval/stat"
)

// Of seen's 200 samples vlm turns 35 from wrong to right beside its base, and
// the other model none. A third model that answers as vlm does makes two of
// three pairs; one of two is not more than half.
func TestLeaks(t *testing.T) {
	m := seen()
	cards := func(model string) (eval.Card, bool) {
		c, ok := bases(model)
		if model == "twin" {
			c, ok = eval.Card{Model: model, LanguageBase: "lm"}, true
		}
		return c, ok
	}
	leaks := func() *LeaksRow {
		t.Helper()
		r, err := ReportLeaks(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Cards: cards})
		if err != nil || len(r.Rows) != 1 {
			t.Fatalf("%d rows, %v", len(r.Rows), err)
		}
		return r.Rows[0].(*LeaksRow)
	}
	check := func(r *LeaksRow, which report.Which, s report.Selection, want int) {
		t.Helper()
		s.Which = which
		if got := drilled(t, m, r, s); len(got) != want {
			t.Errorf("%s: %d samples, want %d", which, len(got), want)
		}
	}
	row := leaks()
	if len(row.Pairs) != 2 || row.Pairs[0].Turned != stat.NewRate(35, 200) || row.Pairs[1].Turned != stat.NewRate(0, 200) || row.Suspected != stat.NewRate(0, 200) {
		t.Errorf("%+v", row)
	}
	check(row, TurnedBy, report.Selection{Part: FigurePart{Hits: 1}}, 35)
	check(row, Leaked, report.Selection{Part: FigurePart{Model: "vlm"}}, 35)
	check(row, Suspected, report.Selection{}, 0)
	twin := m.AddRun(eval.Config{Dataset: "d", Model: "twin", Modality: eval.TextOnly, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	for o := range eval.Ordinal(199) { // the last one is not answered
		m.AddResponse(twin, o, 0, m.AllPredictions[2][o][0].Text)
	}
	row = leaks()
	if row.Suspected != stat.NewRate(35, 199) || row.Incomplete != 1 || len(row.Samples) != 35 || row.Turned[2].Samples != stat.NewRate(35, 199) || len(row.Missing) != 0 {
		t.Errorf("%+v", row)
	}
	check(row, Suspected, report.Selection{}, 35)
	check(row, report.Incomplete, report.Selection{}, 1)
	// Samples 30 to 49 and 125 to 139 are turned; the even ones are dev.
	for split, want := range map[string]*LeaksRow{
		"dev":  {Suspected: stat.NewRate(17, 100)},
		"test": {Suspected: stat.NewRate(18, 99), Incomplete: 1},
	} {
		r, err := ReportLeaks(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Cards: cards, Split: split})
		if err != nil || len(r.Rows) != 1 {
			t.Fatalf("%s: %d rows, %v", split, len(r.Rows), err)
		}
		row := r.Rows[0].(*LeaksRow)
		if row.Split != split || row.Suspected != want.Suspected || row.Incomplete != want.Incomplete || len(row.Pairs) != 3 {
			t.Errorf("%s: %+v", split, row)
		}
		check(row, Suspected, report.Selection{}, want.Suspected.K)
		check(row, report.Incomplete, report.Selection{}, want.Incomplete)
	}
	if r, err := ReportLeaks(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Cards: cards, BySplit: true}); err != nil || len(r.Rows) != 3 {
		t.Errorf("by split: %d rows, %v", len(r.Rows), err)
	}
	if _, err := ReportLeaks(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Cards: cards, Split: "none"}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("a split that is not there: %v", err)
	}
	m.AllRuns = m.AllRuns[:2] // without the base
	if row = leaks(); len(row.Pairs) != 0 || len(row.Missing) != 1 || row.Suspected.N != 0 {
		t.Errorf("%+v", row)
	}
	// What is missing is told once, and also where no run of the split was read.
	misses := func(o report.Options) {
		t.Helper()
		o.Reader, o.Cards = reporttest.NewReaders("1"), cards
		r, err := ReportLeaks(t.Context(), m, o)
		if err != nil || len(r.Rows) == 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "A further pair on d needs") {
			t.Errorf("%d rows, %q, %v", len(r.Rows), r.Notes, err)
		}
	}
	misses(report.Options{BySplit: true})
	misses(report.Options{Split: "dev"})
	m.AddRun(m.AllRuns[1].Config) // which of two is meant
	misses(report.Options{Split: "dev"})
	if _, err := ReportLeaks(t.Context(), reporttest.New(), report.Options{}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("no runs: %v", err)
	}
}
