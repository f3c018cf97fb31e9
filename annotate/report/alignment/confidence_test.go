package alignment

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

// Forty readings in two bins: of those told .6 half are right, of those told .9 all.
func TestMeasureConfidence(t *testing.T) {
	var items []SureItem
	for i := range 40 {
		items = append(items, SureItem{Cluster: uint64(i), Told: []float64{0.9, 0.6}[i%2], Agrees: i%4 != 1})
	}
	all, bins := MeasureConfidence(items, false)
	if len(bins) != 2 || bins[0].Agreement.K != 10 || bins[0].Agreement.N != 20 || bins[1].Agreement.K != 20 || *bins[0].To != 0.6 || *bins[1].From != 0.9 {
		t.Fatalf("%+v", bins)
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
	near("error", all.Error.Value, (0.1+0.1)/2)
	near("Brier", all.Brier.Value, (10*0.4*0.4+10*0.6*0.6+20*0.1*0.1)/40)
	near("by chance", all.ErrorByChance.Value, (math.Sqrt(2*20*0.24/math.Pi)+math.Sqrt(2*20*0.09/math.Pi))/40)
	near("confidence", all.Confidence.Value, 0.75)
	if _, bins := MeasureConfidence(append(items, items[:19]...), false); len(bins) != 2 {
		t.Errorf("59 items in %d bins", len(bins))
	}
	few, bins := MeasureConfidence(items[:19], false)
	if bins != nil || few.Agreement.N != 0 || few.Error.WhyUndefined() != "19 items, and at least 20 are needed" {
		t.Errorf("%+v, %v", few, bins)
	}
}

// The error by chance is that of a judge whose confidence is right, and calibration
// takes away what a judge is too sure.
func TestCalibrationErrorByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	draw := func(n int, right func(float64) float64) (items []SureItem) {
		for i := range n {
			told := 0.5 + r.Float64()/2
			items = append(items, SureItem{uint64(i), told, r.Float64() < right(told)})
		}
		return items
	}
	got, said := 0.0, 0.0
	const times = 400
	for range times {
		all, _ := MeasureConfidence(draw(200, func(c float64) float64 { return c }), false)
		got, said = got+all.Error.Value/times, said+all.ErrorByChance.Value/times
	}
	if math.Abs(got-said) > 0.004 {
		t.Errorf("error of a judge that is right %.4f, said to be %.4f", got, said)
	}
	square := func(c float64) float64 { return c * c }
	on, items := draw(2000, square), draw(2000, square)
	told, _ := MeasureConfidence(items, false)
	calibrated, _ := MeasureConfidence(calibrateConfidence(on, items), false)
	if told.Error.Value < 0.12 || calibrated.Error.Value > 0.06 || calibrated.Brier.Value > told.Brier.Value {
		t.Errorf("told %+v, calibrated %+v", told.Error, calibrated.Error)
	}
}

// What is left out is counted, and a judge without confidences is named.
func TestReportConfidence(t *testing.T) {
	m := unread()
	got := func() report.Report {
		t.Helper()
		r, err := ReportConfidence(t.Context(), m, Options{Queue: "q"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := got(); len(r.Rows) != 0 || !strings.HasPrefix(r.Notes[0], "No confidence is known of: gpt. logprobs = true") {
		t.Errorf("%d rows, %q", len(r.Rows), r.Notes)
	}
	m.AllJudgments[1][0].Confidence = 0.5
	r := got()
	rows := report.SelectRows[*ConfidenceRow](r.Rows)
	if len(rows) != 3 || rows[0].LeftOut["no confidence known"] != 2 || rows[0].Error.WhyUndefined() != "1 item, and at least 20 are needed" || !strings.Contains(r.Notes[0], "no confidence known 2") {
		t.Errorf("%+v, %q", rows[0], r.Notes)
	}
}

// In the plot the mark of the mean confidence is on the agreement where both are one.
func TestConfidencePlot(t *testing.T) {
	var items []SureItem
	for i := range 40 {
		items = append(items, SureItem{Cluster: uint64(i), Told: []float64{0.5, 0.95}[i%2], Agrees: i%4 < 2})
	}
	all, bins := MeasureConfidence(items, false)
	all.Queue, all.Judge, all.Part = "q", "j", "all"
	r := report.Report{Rows: []report.Row{&all, &bins[0], &bins[1]}}
	got := string(table.DrawBarChart(makeConfidenceBars(&r), 80))
	for _, want := range []string{"j on queue q, agreement by confidence\n", "  0.50 to 0.50  ", "▼", "  0.95 to 0.95  ", "●", "▽ the judge's mean confidence"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if lines := strings.Split(got, "\n"); !strings.Contains(lines[2], "▼") || !strings.Contains(lines[3], "●") || !strings.Contains(lines[3], "▽") {
		t.Error(got)
	}
}
