package accuracy

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// tree is a project with a dataset of three taxonomy levels in two splits, of
// which two models have answered every pass: m-7 is right where it says so
// (passes of each question), m-13 everywhere but in one.
func tree() *reporttest.Memory {
	m := reporttest.New()
	samples := []eval.Sample{
		reporttest.NewABCDSample(0, "A", "perception", "coarse", "style"),
		reporttest.NewABCDSample(1, "B", "perception", "coarse", "scene"),
		reporttest.NewABCDSample(2, "C", "perception", "fine", "count"),
		reporttest.NewABCDSample(3, "D", "reasoning", "logic", "order"),
		reporttest.NewABCDSample(4, "A", "reasoning", "logic", "order"),
	}
	for i := range samples {
		samples[i].Split = []string{"dev", "dev", "dev", "dev", "test"}[i]
	}
	m.AddDataset("d", samples...)
	for model, right := range [][]int{{4, 2, 0, 4, 1}, {4, 4, 4, 4, 3}} {
		run := m.AddRun(eval.Config{
			Dataset: "d", Model: []string{"m-13", "m-7"}[model], Strategy: eval.Circular, Modality: eval.WithImage,
			Origin: eval.Imported, AllPasses: true, Rules: "letters",
		})
		for o, n := range right {
			for p := range eval.Pass(4) {
				answer := samples[o].ShowInPass(p).Answer
				if int(p) >= n {
					answer = map[eval.Choice]eval.Choice{"A": "B", "B": "C", "C": "D", "D": "A"}[answer]
				}
				m.AddResponse(run, eval.Ordinal(o), p, string(answer))
			}
		}
	}
	return m
}

func cards(model string) (eval.Card, bool) {
	c, ok := map[string]eval.Card{
		"m-7":  {Model: "m-7", Parameters: 7, LanguageBase: "lm-7", Vision: "vit", Open: eval.OpenWeights},
		"m-13": {Model: "m-13", Parameters: 13, LanguageBase: "lm-13"},
	}[model]
	return c, ok
}

func render(t *testing.T, r report.Report, f table.Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.RenderReport(&b, r, f, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// behind are the predictions behind a figure.
func behind(t *testing.T, m *reporttest.Memory, row report.Row, s report.Selection) (out []eval.Key) {
	t.Helper()
	for k, err := range row.KeysBehind(t.Context(), m, s) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k)
	}
	return out
}

// drilled names the predictions behind a figure.
func drilled(t *testing.T, m *reporttest.Memory, row report.Row, s report.Selection) (out []string) {
	t.Helper()
	for _, k := range behind(t, m, row, s) {
		out = append(out, fmt.Sprintf("%d.%d", k.Sample, k.Pass))
	}
	return out
}

// samplesBehind are the samples behind a figure.
func samplesBehind(t *testing.T, m *reporttest.Memory, row report.Row, s report.Selection) (out []eval.Ordinal) {
	t.Helper()
	for _, k := range behind(t, m, row, s) {
		out = append(out, k.Sample)
	}
	return out
}

func TestCircular(t *testing.T) {
	m := tree()
	r, err := ReportCircular(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	// m-13: vanilla 4 of 5, circular 2 of 5, two questions lost.
	const want = `circular · dataset d · split all · modality image · extractor rules:letters · 0 pending, irregular, no ground truth, unanswered, no rules
run  model  vanilla                        circular                     difference
─────────────────────────────────────────────────────────────────────────────────────────────────────
  1  m-13     80.0% [37.6, 96.4]  4/5 few  40.0% [11.8, 76.9]  2/5 few  -40.0 [-72.6, +16.3]  n 5 few
  2  m-7    100.0% [56.6, 100.0]  5/5 few  80.0% [37.6, 96.4]  4/5 few  -20.0 [-62.4, +26.4]  n 5 few
few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`
	if got := render(t, r, table.FormatTable); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	row := r.Rows[0].(*CircularRow)
	d := stat.Pairs{Both: 2, Second: 2, Neither: 1}.Difference("")
	if row.Vanilla != stat.NewRate(4, 5) || row.Circular != stat.NewRate(2, 5) || row.Difference != d || d.Value != -0.4 {
		t.Errorf("%+v", row)
	}
	for i, s := range []report.Selection{{Which: Lost}, {Which: report.VanillaRight}, {Which: report.VanillaWrong}, {Which: report.Right}, {Which: Lost, Level: []string{"reasoning"}}} {
		want := [][]string{{"1.2", "4.1"}, {"0.0", "1.2", "3.0", "4.1"}, {"2.0"}, {"0.0", "3.0"}, {"4.1"}}[i]
		if got := drilled(t, m, row, s); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", s.Which, got, want)
		}
	}
}

// A run under way says so, and questions that are not decided under both are
// in no difference.
func TestCircularPending(t *testing.T) {
	m := splits()
	r, err := ReportCircular(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), BySplit: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 3 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	row, test := r.Rows[0].(*CircularRow), r.Rows[2].(*CircularRow)
	if row.Pending != 1 || row.Vanilla.N != 3 || row.Circular.N != 2 || row.Difference.N != 2 {
		t.Errorf("%+v", row)
	}
	if test.Split != "test" || test.Circular.Undefined != "no ground truth" || test.Difference.WhyUndefined() != "no ground truth" {
		t.Errorf("without a ground truth: %+v", test)
	}
	m = reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"))
	m.AddRun(eval.Config{Dataset: "d", Model: "n", Strategy: eval.Vanilla, Origin: eval.Imported})
	if _, err := ReportCircular(t.Context(), m, report.Options{}); !errors.Is(err, eval.ErrNotFound) || !strings.Contains(err.Error(), "--strategy circular") {
		t.Errorf("without a circular run: %v", err)
	}
}

// Table 2 from real files, with the kit's rules (data/expected.json).
func TestRealCircular(t *testing.T) {
	check := func(file string, low, high float64) {
		t.Helper()
		m, _ := realRun(t, file)
		r, err := ReportCircular(t.Context(), m, report.Options{Rules: "vlmevalkit-2026"})
		if err != nil {
			t.Fatal(err)
		}
		want, row := expected(t, file), r.Rows[0].(*CircularRow)
		pair(t, "vanilla", row.Vanilla.K, row.Vanilla.N, want.Vanilla)
		pair(t, "circular", row.Circular.K, row.Circular.N, want.Circular)
		d := row.Difference
		if got := want.Circular[0] - want.Vanilla[0]; math.Abs(d.Value-float64(got)/float64(d.N)) > 1e-12 || d.N != want.Vanilla[1] {
			t.Errorf("difference %+v, want %d questions", d, got)
		}
		if math.Abs(d.Low-low) > 5e-5 || math.Abs(d.High-high) > 5e-5 {
			t.Errorf("difference [%.4f, %.4f], want [%.4f, %.4f]", d.Low, d.High, low, high)
		}
	}
	check("mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx", -0.0929, -0.0621)
	check("mmbench/vila_8b_CCBench.xlsx", -0.1903, -0.1266)
}
