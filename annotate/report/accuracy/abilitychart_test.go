package accuracy

import (
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

func TestAbilityChart(t *testing.T) {
	row := func(run eval.RunID, model string, k int) *AbilitiesRow {
		return &AbilitiesRow{
			Head: report.Head{Run: run, Dataset: "d", Split: "all", Model: model, Modality: "image"}, Strategy: "vanilla", Level: 1,
			Abilities: []AbilityScore{{Path: []string{"math"}, Accuracy: stat.NewRate(k, 8)}, {Path: []string{"art"}, Accuracy: stat.NewRate(8, 8)}},
		}
	}
	r := report.Report{Name: "abilities", Sheets: makeAbilityCharts([]*AbilitiesRow{row(1, "a", 4), row(2, "b", 2)})}
	got := render(t, r, table.FormatTable)
	for _, want := range []string{
		"models by ability · d, split all, vanilla", "math     a #1     50.0% [21.5, 78.5]  4/8 few  ━━━━━━━━\n", "math     b #2      25.0% [7.1, 59.1]  2/8 few  ━━━━\n",
		"art      a #1   100.0% ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := render(t, r, table.FormatMarkdown); !strings.Contains(got, `| math | a \#1 | **50.0%`) {
		t.Error(got)
	}
}
