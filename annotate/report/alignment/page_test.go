package alignment

import (
	"bytes"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// A page holds the charts of these reports; nothing from outside is markup in
// it, and nothing in it leads elsewhere.
func TestPageOfAlignment(t *testing.T) {
	const markup = reporttest.Markup
	h := report.Head{Run: 1, Dataset: markup, Split: markup, Model: markup, Modality: "image"}
	src := report.Source{Extractor: markup, Rules: "concord", RulesVersion: "4"}
	many := report.Report{Name: "many", Rows: []report.Row{
		&Row{
			ExtractorRow: ExtractorRow{Head: h, Source: src, Queue: markup, Policy: "majority", Alignment: stat.NewRate(3, 4), Prompts: []string{markup}},
			Confusion:    []annotate.Confusion{{People: markup, Machine: "A", N: 3}, {People: "none", Machine: "B", N: 1}},
		},
	}}
	many.Sheets = []table.Table{{Name: "many", Columns: []table.Column{{Name: markup}}, Rows: [][]table.Cell{{table.NewText(markup)}}}} // the rows are of several kinds
	many.Draw = func(r *report.Report) (out []chart.Drawing) {
		for _, draw := range []func(*report.Report) []chart.Drawing{drawAlignment} {
			out = append(out, draw(r)...)
		}
		return out
	}
	var b bytes.Buffer
	err := report.WritePage(&b, &report.Page{
		Title: markup, Project: markup, Version: markup,
		Sections: []report.Section{{Name: "many", Title: "Many", Command: "concord report many", Report: many}},
		Settings: report.Settings{{Name: "runs", Columns: []table.Column{{Name: markup}}, Rows: [][]table.Cell{{table.NewText(markup)}}}},
		Missing:  []report.Lacking{{Title: markup, Command: markup, Reason: markup}},
	})
	if err != nil {
		t.Fatal(err)
	}
	reporttest.CheckPage(t, b.String(), map[string]int{"<svg": 2, "</svg>": 2, "concord@4": 1, "policy majority": 3})
}
