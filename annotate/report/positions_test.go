package report

import (
	"strings"
	"testing"

	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
)

// Figure 4 draws bars for the terminal, and has none where machines read.
func TestPositionsAreDrawn(t *testing.T) {
	m := tree()
	r, err := Positions(t.Context(), m, Options{Reader: reporttest.Readers("1"), Model: "m-13"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `positions · run 1 · dataset d · split all · model m-13 · modality image · extractor rules:letters · 0 pending
label     predicted                                   truth
──────────────────────────────────────────────────────────────────────────────────────────────
A         30.0% [14.5, 51.9]  6/20  ████████████████  25.0% [11.2, 46.9]  5/20  █████████████▍
B         25.0% [11.2, 46.9]  5/20  █████████████▍    25.0% [11.2, 46.9]  5/20  █████████████▍
C         25.0% [11.2, 46.9]  5/20  █████████████▍    25.0% [11.2, 46.9]  5/20  █████████████▍
D          20.0% [8.1, 41.6]  4/20  ██████████▋       25.0% [11.2, 46.9]  5/20  █████████████▍
(unread)    0.0% [0.0, 16.1]  0/20
`
	if got := render(t, r, table.FormatTable); got != want {
		t.Errorf("table: got\n%s\nwant\n%s", got, want)
	}
	for _, f := range []table.Format{table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		if got := render(t, r, f); strings.ContainsAny(got, "█▏") || !strings.Contains(got, "truth") {
			t.Errorf("%s:\n%s", f, got)
		}
	}
}
