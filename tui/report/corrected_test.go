package report

import (
	"strings"
	"testing"

	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/eval/stat"
)

// The corrected accuracy stands below the judge's, on the same scale.
func TestCorrectedLines(t *testing.T) {
	labels, gain, lambda := 240, 21.5, 0.51
	row := &accuracy.Row{Strategy: "vanilla", Accuracy: stat.NewRate(460, 999)}
	row.Model, row.Dataset = "m", "d"
	row.Correction = &figures.Correction{
		JudgeOnly: stat.Estimate{N: 999, Value: 0.4605, Low: 0.4298, High: 0.4915},
		People:    stat.Estimate{N: 60, Value: 0.4, Low: 0.276, High: 0.524},
		Corrected: figures.Corrected{Estimate: stat.Estimate{N: 60, Value: 0.42, Low: 0.317, High: 0.523}, Method: "ppi++", Lambda: &lambda, Missing: 3},
		Target:    "the 999 questions answered so far", Bounds: &figures.Bounds{Low: 0.30, High: 0.55},
		Labels: figures.CountedLabels{Counting: 60, Waiting: 15, More: 4},
		Gain:   figures.Gain{Labels: &gain}, Needs: figures.Needs{Within: 0.02, Labels: &labels},
		Strata: []figures.CorrectedStratum{{Name: "all (queue q)", Items: 999, Labels: 60, Lambda: &lambda}},
	}
	m := screen(t, nil)
	m.runs = &runFigures{accuracy: figures.Report{Rows: []figures.Row{row}}}
	m.rebuild()
	m.at.Set(2, len(m.lines), 20)
	for _, width := range []int{80, 100} {
		m.Resize(width, 24)
		v := m.View()
		for _, want := range []string{
			"vanilla      46.0 [43.0,  49.1]", "  people     40.0 [27.6,  52.4]", "  corrected  42.0 [31.7,  52.3]",
			"42.0 % [31.7, 52.3]  n 60  ppi++", "worth 21.5 labels", "240 labels", "60 labels of 999",
			"60 of 75 labels: label 4 more", "[30.0, 55.0]", "999 questions answered so far",
		} {
			if !strings.Contains(v, want) {
				t.Errorf("width %d: no %q in\n%s", width, want, v)
			}
		}
		if strings.Contains(v, "0/60") {
			t.Errorf("a corrected score counted something:\n%s", v)
		}
	}
	row.Corrected.Undefined = "why"
	m.rebuild()
	if len(m.lines) != 1 {
		t.Errorf("%d lines of a score that is not corrected", len(m.lines))
	}
	m.at.Set(0, 1, 20)
	if v := m.View(); !strings.Contains(v, "corrected    – why") {
		t.Errorf("the reason is not told:\n%s", v)
	}
}
