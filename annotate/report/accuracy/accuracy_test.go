package accuracy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// splits is a project with a dataset of two splits, of which one has no truth,
// and a circular run under way.
func splits() *reporttest.Memory {
	m := reporttest.New()
	samples := []eval.Sample{reporttest.NewABCDSample(0, "A", "x"), reporttest.NewABCDSample(1, "B", "x"), reporttest.NewABCDSample(2, "C", "y"), reporttest.NewABCDSample(3, "")}
	for i := range samples {
		samples[i].Split = "dev"
	}
	samples[3].Split = "test"
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.TextOnly, Origin: eval.Asked, Rules: "letters",
	})
	for p := range eval.Pass(4) {
		m.AddResponse(run, 0, p, string(samples[0].ShowInPass(p).Answer))
	}
	m.AddResponse(run, 1, 0, "B")
	m.AddResponse(run, 1, 1, "D")
	m.AddResponse(run, 2, 0, "who knows")
	m.AddPrediction(eval.Prediction{Key: eval.Key{Run: run, Sample: 2, Pass: 1}, Failure: &eval.Failure{Kind: eval.FailureSample}})
	m.AddResponse(run, 3, 0, "A")
	return m
}

func accuracy(t *testing.T, m *reporttest.Memory, o report.Options) []*Row {
	t.Helper()
	if o.Reader == nil {
		o.Reader = reporttest.NewReaders("1")
	}
	r, err := ReportAccuracy(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Row
	for _, row := range r.Rows {
		out = append(out, row.(*Row))
	}
	return out
}

// Answers that no rules read are told, and enter no figure.
func TestNotRead(t *testing.T) {
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"), eval.Sample{ID: "y", Kind: eval.KindYesNo, Answer: eval.Yes}, eval.Sample{ID: "o", Kind: eval.KindOpen})
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "mmstar"})
	m.AddResponse(run, 0, 0, "A")
	m.AddResponse(run, 1, 0, "yes")
	m.AddResponse(run, 2, 0, "once upon a time")
	f, err := report.ScanRuns(t.Context(), m, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	acc, steps, pos := newAccuracyReport(f), newStepsReport(f), newPositionsReport(f)
	row := acc.Rows[0].(*Row)
	if row.Accuracy != stat.NewRate(1, 1) || row.Missing != 0 || row.NotRead != 2 || row.NoRules != 1 || row.NoTruth != 1 {
		t.Errorf("accuracy %+v", row)
	}
	if s := steps.Rows[0].(*StepsRow); s.Step1 != stat.NewRate(1, 1) || s.Neither != 0 {
		t.Errorf("steps %+v", s)
	}
	if p := pos.Rows[0].(*PositionsRow); p.Records != 1 || p.Unread != 0 || p.NotRead != 2 || p.Right != stat.NewRate(1, 1) {
		t.Errorf("positions %+v", p)
	}
	for _, r := range []report.Report{acc, steps, pos} {
		if len(r.Notes) != 1 || r.Notes[0] != "Run 1 holds answers of a kind that the rules mmstar do not read; no figure counts them (2)." {
			t.Errorf("%s: notes %q", r.Name, r.Notes)
		}
	}
	check := func(row report.Row, w report.Which, want ...eval.Ordinal) {
		t.Helper()
		if got := samplesBehind(t, m, row, report.Selection{Which: w}); !slices.Equal(got, want) {
			t.Errorf("%s: samples %v, want %v", w, got, want)
		}
	}
	check(acc.Rows[0], NotRead, 1, 2)
	check(acc.Rows[0], NoRules, 1)
	check(acc.Rows[0], Missing)
	check(acc.Rows[0], report.Wrong)
	check(steps.Rows[0], Step1Not)
	check(steps.Rows[0], Neither)
	check(pos.Rows[0], Predicted)
	check(pos.Rows[0], report.Wrong)
	check(pos.Rows[0], NotRead, 1, 2)
}

func TestAccuracyBySplit(t *testing.T) {
	m := splits()
	rows := accuracy(t, m, report.Options{BySplit: true})
	var names []string
	for _, r := range rows {
		names = append(names, r.Split+" "+r.Strategy)
	}
	want := []string{"all vanilla", "all circular", "dev vanilla", "dev circular", "test vanilla", "test circular"}
	if !slices.Equal(names, want) {
		t.Fatalf("rows %q, want %q", names, want)
	}
	check := func(i int, accuracy stat.Rate, pending, noTruth, found, missing, failures int) {
		t.Helper()
		r := rows[i]
		got := []int{r.Pending, r.NoTruth, r.Found, r.Missing, r.Errors}
		if r.Accuracy != accuracy || !slices.Equal(got, []int{pending, noTruth, found, missing, failures}) {
			t.Errorf("%s: %+v %v", names[i], r.Accuracy, got)
		}
	}
	check(0, stat.NewRate(2, 3), 0, 1, 3, 1, 0)
	check(1, stat.NewRate(1, 2), 1, 1, 7, 1, 1)
	check(2, stat.NewRate(2, 3), 0, 0, 2, 1, 0)
	check(5, stat.UndefinedRate("no ground truth"), 0, 1, 1, 0, 0)
	if n := len(accuracy(t, m, report.Options{})); n != 2 {
		t.Errorf("%d rows without splits, want 2", n)
	}
	if rows[1].AllPasses != nil {
		t.Error("a run that stops early has a figure over all passes")
	}
	levels := rows[1].Levels
	if len(levels) != 2 || levels[0].Accuracy != stat.NewRate(1, 2) || levels[1].Accuracy.Undefined != "no question decided yet" {
		t.Errorf("levels %+v", levels)
	}
}

func TestDrillAccuracy(t *testing.T) {
	m := splits()
	rows := accuracy(t, m, report.Options{BySplit: true})
	check := func(row report.Row, s report.Selection, want ...string) {
		t.Helper()
		if got := drilled(t, m, row, s); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", s, got, want)
		}
	}
	vanilla, circular := rows[0], rows[1]
	check(vanilla, report.Selection{Which: report.Right}, "0.0", "1.0")
	check(vanilla, report.Selection{Which: report.Wrong}, "2.0")
	check(circular, report.Selection{Which: report.Right}, "0.0")
	check(circular, report.Selection{Which: report.Wrong}, "1.1")
	check(circular, report.Selection{Which: report.Wrong, Level: []string{"y"}})
	check(circular, report.Selection{Which: Pending}, "2.0")
	check(circular, report.Selection{Which: NoTruth}, "3.0")
	check(circular, report.Selection{Which: Missing}, "2.0")
	check(circular, report.Selection{Which: Errors}, "2.1")
	check(vanilla, report.Selection{Which: Errors})
	check(rows[5], report.Selection{Which: NoTruth}, "3.0")
	check(rows[3], report.Selection{Which: NoTruth})
	f, err := report.ScanRuns(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	check(newPositionsReport(f).Rows[0], report.Selection{Which: Predicted, Part: FigurePart{Label: "D"}}, "0.3", "1.1")
	check(newPositionsReport(f).Rows[0], report.Selection{Which: Predicted}, "2.0")
	check(newPositionsReport(f).Rows[0], report.Selection{Which: Truth, Part: FigurePart{Label: "B"}}, "0.1", "1.0")
	check(newStepsReport(f).Rows[0], report.Selection{Which: Step1Not}, "2.0")
}

func TestJudgeInReports(t *testing.T) {
	m := splits()
	for _, c := range []eval.Choice{"A", "C"} { // the later one counts
		m.AllJudgments[1] = append(m.AllJudgments[1], eval.Judgment{
			Key: eval.Key{Run: 1, Sample: 2}, Judge: "gpt", Extraction: eval.Extraction{Choice: c, Status: eval.Found},
		})
	}
	rows := accuracy(t, m, report.Options{Judge: "gpt"})
	if rows[0].Accuracy != stat.NewRate(3, 3) || rows[0].Extractor != "gpt" || rows[0].Rules != "letters" {
		t.Errorf("vanilla with the judge: %+v by %s after %s", rows[0].Accuracy, rows[0].Extractor, rows[0].Rules)
	}
	r, err := ReportSteps(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].(*StepsRow)
	if row.Judge == nil || *row.Judge != "gpt" || row.Step1.K != 7 || row.Step1.N != 8 || row.Step1.Clusters != 4 || row.Step2 != stat.NewRate(1, 1) || row.Neither != 0 {
		t.Errorf("steps: %+v", row)
	}
	for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: Step2}) {
		if err != nil || k.Sample != 2 {
			t.Errorf("step 2: %v, %v", k, err)
		}
	}
	if _, err := ReportAccuracy(t.Context(), m, report.Options{Judge: "other", Reader: reporttest.NewReaders("1")}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("a judge without readings: %v", err)
	}
}

func TestFilters(t *testing.T) {
	m := splits()
	m.AddRun(eval.Config{Dataset: "d", Model: "n", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	check := func(o report.Options, want int) {
		t.Helper()
		o.Reader = reporttest.NewReaders("1")
		r, err := ReportAccuracy(t.Context(), m, o)
		if len(r.Rows) != want || (err == nil) != (want > 0) {
			t.Errorf("%+v: %d rows, %v, want %d", o, len(r.Rows), err, want)
		}
	}
	check(report.Options{}, 3)
	check(report.Options{Model: "n"}, 1)
	check(report.Options{Runs: []eval.RunID{1}}, 2)
	check(report.Options{Dataset: "other"}, 0)
	check(report.Options{Rules: "unknown"}, 0)
	empty := accuracy(t, m, report.Options{Model: "n"})[0]
	if empty.Accuracy.Undefined != "no predictions" || empty.Unanswered != 3 || empty.Irregular != 0 {
		t.Errorf("a file without predictions: %+v", empty)
	}
}

func TestAccuracyAsJSON(t *testing.T) {
	var b bytes.Buffer
	r, err := ReportAccuracy(t.Context(), splits(), report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	if err := report.RenderReport(&b, r, table.FormatJSON, 0); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Report     string           `json:"report"`
		Confidence float64          `json:"confidence"`
		Rows       []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Report != "accuracy" || got.Confidence != 0.95 || len(got.Rows) != 2 {
		t.Fatalf("%+v", got)
	}
	row := got.Rows[1]
	for name, want := range map[string]any{
		"run": 1.0, "dataset": "d", "split": "all", "model": "m", "modality": "text", "extractor": "rules:letters",
		"rules": "letters", "strategy": "circular", "found": 7.0, "none": 0.0, "refused": 0.0, "ambiguous": 0.0,
		"missing": 1.0, "errors": 1.0, "pending": 1.0, "irregular": 0.0, "no_truth": 1.0,
	} {
		if row[name] != want {
			t.Errorf("%s is %v, want %v", name, row[name], want)
		}
	}
	level := row["levels"].([]any)[1].(map[string]any)
	rate := level["accuracy"].(map[string]any)
	if v, there := rate["value"]; !there || v != nil || rate["n"] != 0.0 || rate["undefined"] == "" {
		t.Errorf("an undefined rate: %v", rate)
	}
}

func TestProgress(t *testing.T) {
	m := reporttest.New()
	m.AddDataset("d", slices.Repeat([]eval.Sample{reporttest.NewABCDSample(0, "A")}, 20*report.BatchSize+1)...)
	m.AddRun(eval.Config{Dataset: "d", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	calls, last := 0, [2]int{}
	o := report.Options{Reader: reporttest.NewReaders("1"), Progress: func(done, total int) {
		if calls++; done < last[0] || done > total {
			t.Errorf("%d of %d after %v", done, total, last)
		}
		last = [2]int{done, total}
	}}
	if _, err := report.ScanRuns(t.Context(), m, o); err != nil {
		t.Fatal(err)
	}
	if want := 20*report.BatchSize + 1; calls < 2 || last != [2]int{want, want} {
		t.Errorf("%d calls, the last %v", calls, last)
	}
}

// The claim: the figures of 1,000,000 predictions take a few seconds.
func BenchmarkScan(b *testing.B) {
	m := reporttest.New()
	const n = 50_000
	samples := make([]eval.Sample, n)
	for i := range samples {
		samples[i] = reporttest.NewABCDSample(0, "A", "perception", fmt.Sprint("l2 ", i%6), fmt.Sprint("l3 ", i%20))
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Strategy: eval.Circular, Origin: eval.Imported})
	for o := range eval.Ordinal(n) {
		for p := range eval.Pass(4) {
			m.AddResponse(run, o, p, "The answer is "+string(samples[o].ShowInPass(p).Answer)+", because the image shows it.")
		}
	}
	for b.Loop() {
		if _, err := report.ScanRuns(b.Context(), m, report.Options{Rules: "vlmevalkit-2026"}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/(4*n)*1e6/1e9, "s/1e6predictions")
}
