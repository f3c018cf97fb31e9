package accuracy

import (
	"bytes"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// A page holds the charts of these reports; nothing from outside is markup in
// it, and nothing in it leads elsewhere.
func TestPageOfAccuracy(t *testing.T) {
	const markup = reporttest.Markup
	h := report.Head{Run: 1, Dataset: markup, Split: markup, Model: markup, Modality: "image"}
	src := report.Source{Extractor: markup, Rules: "concord", RulesVersion: "3"}
	r := report.Report{Name: "accuracy", Layout: accuracyLayout, Confidence: 0.95, Notes: []string{markup}, Draw: drawAccuracy, Rows: []report.Row{
		&Row{Head: h, Source: src, Strategy: "vanilla", Accuracy: stat.NewRate(1, 4)},
	}}
	many := report.Report{Name: "many", Rows: []report.Row{
		&AbilitiesRow{Head: h, Source: src, Strategy: "vanilla", Level: 1, Abilities: []AbilityScore{{Path: []string{markup}, Accuracy: stat.NewRate(3, 4)}}},
		&PositionsRow{
			Head: h, Source: src, Records: 4, Predicted: map[eval.Choice]int{markup: 4}, Truth: map[eval.Choice]int{"A": 4},
			Shares: map[eval.Choice]LabelShare{markup: {Predicted: stat.NewRate(4, 4), Truth: stat.UndefinedRate("")}, "A": {Predicted: stat.NewRate(0, 4), Truth: stat.NewRate(4, 4)}},
		},
		&GainRow{Head: h, gain: sideDifference{Contrast: stat.Contrast{Estimate: stat.Estimate{Value: 0.25, Low: 0.2, High: 0.3, N: 4}}}, leakage: newLackingDifference(markup)},
		&GainRow{Head: h, gain: sideDifference{Contrast: stat.Contrast{Estimate: stat.Estimate{Value: -0.1, Exact: true}}, marked: true}, leakage: newLackingDifference(markup)},
	}}
	many.Sheets = []table.Table{r.MakeRowTable()} // the rows are of several kinds
	many.Draw = func(r *report.Report) (out []chart.Drawing) {
		for _, draw := range []func(*report.Report) []chart.Drawing{drawAbilities, drawPositions, drawGains} {
			out = append(out, draw(r)...)
		}
		return out
	}
	var b bytes.Buffer
	err := report.WritePage(&b, &report.Page{
		Title: markup, Project: markup, Version: markup,
		Sections: []report.Section{{Name: "accuracy", Title: markup, Command: markup, Report: r}, {Name: "many", Title: "Many", Command: "concord report many", Report: many}},
		Settings: report.Settings{{Name: "runs", Columns: []table.Column{{Name: markup}}, Rows: [][]table.Cell{{table.NewText(markup)}}}},
		Missing:  []report.Lacking{{Title: markup, Command: markup, Reason: markup}},
	})
	if err != nil {
		t.Fatal(err)
	}
	reporttest.CheckPage(t, b.String(), map[string]int{"<svg": 4, "</svg>": 4, "25.0%  1/4": 1, ">&#43;25.0</text>": 1, ">-10.0†</text>": 1, "prefers-color-scheme: dark": 1, "@media print": 1, "concord@3": 2})
}
