package pairwise

import (
	"bytes"
	"testing"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval/metric"
	"concord/eval/stat"
)

// A page holds the charts of these reports; nothing from outside is markup in
// it, and nothing in it leads elsewhere.
func TestPageOfVotes(t *testing.T) {
	const markup = reporttest.Markup
	h := report.Head{Run: 1, Dataset: markup, Split: markup, Model: markup, Modality: "image"}
	many := report.Report{Name: "many", Rows: []report.Row{
		&VotesRow{RunComparison: RunComparison{Head: h, Anchor: markup, Judge: markup, Merge: metric.MergeMLLMBench.String()}, Outcomes: Outcomes{Win: 1, Folded: 2, Lose: 3, N: 6}},
		&BiasRow{
			RunComparison: RunComparison{Head: h, Anchor: markup, Judge: markup}, Position: PositionRates{Same: stat.NewRate(3, 4), First: stat.NewRate(1, 4)},
			FirstShown: stat.NewRate(5, 8), Longer: stat.UndefinedRate(markup),
		},
		&RanksRow{A: report.Ranking{Name: markup}, B: report.Ranking{Name: markup}, Correlation: agree.Correlation{Rho: -0.5, N: 3}},
	}}
	many.Sheets = []table.Table{{Name: "many", Columns: []table.Column{{Name: markup}}, Rows: [][]table.Cell{{table.NewText(markup)}}}} // the rows are of several kinds
	many.Draw = func(r *report.Report) (out []chart.Drawing) {
		for _, draw := range []func(*report.Report) []chart.Drawing{drawVotes, drawBias, drawRanks} {
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
	reporttest.CheckPage(t, b.String(), map[string]int{"<svg": 4, "</svg>": 4, ">-0.500  n 3</text>": 1, "62.5%  5/8</text>": 1})
}
