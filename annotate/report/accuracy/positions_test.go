package accuracy

import (
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
)

// Figure 4 draws bars for the terminal, and has none where machines read.
func TestPositionsAreDrawn(t *testing.T) {
	m := tree()
	r, err := ReportPositions(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Model: "m-13"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `positions · run 1 · dataset d · split all · model m-13 · modality image · extractor rules:letters · 0 pending
label     predicted                                      ground truth
────────────────────────────────────────────────────────────────────────────────────────────────────
A         30.0% [9.4, 64.0]  6/20 few  ━━━━━━━━━━━━━━━━  25.0% [6.8, 60.5]  5/20 few  ━━━━━━━━━━━━━╸
B         25.0% [6.3, 62.1]  5/20 few  ━━━━━━━━━━━━━╸    25.0% [6.8, 60.5]  5/20 few  ━━━━━━━━━━━━━╸
C         25.0% [6.8, 60.5]  5/20 few  ━━━━━━━━━━━━━╸    25.0% [6.8, 60.5]  5/20 few  ━━━━━━━━━━━━━╸
D         20.0% [4.1, 59.7]  4/20 few  ━━━━━━━━━━╸       25.0% [6.8, 60.5]  5/20 few  ━━━━━━━━━━━━━╸
(unread)   0.0% [0.0, 60.0]  0/20 few
few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`
	if got := render(t, r, table.FormatTable); got != want {
		t.Errorf("table: got\n%s\nwant\n%s", got, want)
	}
	for _, f := range []table.Format{table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		if got := render(t, r, f); strings.ContainsAny(got, "━╸") || !strings.Contains(got, "truth") {
			t.Errorf("%s:\n%s", f, got)
		}
	}
}
