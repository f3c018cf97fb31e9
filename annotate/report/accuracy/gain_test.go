package accuracy

import (
	"encoding/json"
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

// seen makes a dataset of 200 samples and runs of two models built on one
// language base. By how many samples each combination of vlm with the picture
// (v), vlm without (w) and the base (t) is right:
//
//	vwt 30   vw- 20   v-t 10   v-- 60   -wt 5   -w- 15   --t 20   --- 40
//
// so that S_v is 120, S_wv 70 and S_t 65 of 200. The other model sees nothing:
// with and without the picture it answers as the base does.
func seen() *reporttest.Memory {
	m := reporttest.New()
	samples := make([]eval.Sample, 200)
	for i := range samples {
		samples[i] = eval.Sample{
			ID: eval.SampleID(rune('a' + i)), Kind: eval.KindChoice, Answer: "A", Split: []string{"dev", "test"}[i%2],
			Options: []eval.Option{{Letter: "A", Text: "yes"}, {Letter: "B", Text: "no"}},
		}
	}
	m.AddDataset("d", samples...)
	run := func(model string, modality eval.Modality, shots int) eval.RunID {
		return m.AddRun(eval.Config{
			Dataset: "d", Model: model, Modality: modality, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters",
			Settings: eval.Settings{Shots: shots},
		})
	}
	v, w, t := run("vlm", eval.WithImage, 0), run("vlm", eval.TextOnly, 0), run("lm", eval.BaseText, 2)
	blindV, blindW := run("blind", eval.WithImage, 0), run("blind", eval.TextOnly, 0)
	at := eval.Ordinal(0)
	say := func(n int, pattern string) {
		for range n {
			for i, id := range []eval.RunID{v, w, t} {
				m.AddResponse(id, at, 0, map[byte]string{'-': "B"}[pattern[i]]+map[bool]string{true: "A"}[pattern[i] != '-'])
			}
			base := map[bool]string{true: "B", false: "A"}[pattern[2] == '-']
			m.AddResponse(blindV, at, 0, base)
			m.AddResponse(blindW, at, 0, base)
			at++
		}
	}
	say(30, "vwt")
	say(20, "vw-")
	say(10, "v-t")
	say(60, "v--")
	say(5, "-wt")
	say(15, "-w-")
	say(20, "--t")
	say(40, "---")
	return m
}

func bases(model string) (eval.Card, bool) {
	c, ok := map[string]eval.Card{
		"vlm": {Model: "vlm", LanguageBase: "lm", Parameters: 7}, "blind": {Model: "blind", LanguageBase: "lm", Parameters: 13},
	}[model]
	return c, ok
}

func gains(t *testing.T, m *reporttest.Memory, o report.Options) report.Report {
	t.Helper()
	o.Reader = reporttest.NewReaders("1")
	if o.Cards == nil {
		o.Cards = bases
	}
	r, err := ReportGains(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func closeTo(e stat.Estimate, value, low, high float64) bool {
	return math.Abs(e.Value-value) < 1e-9 && math.Abs(e.Low-low) < 0.008 && math.Abs(e.High-high) < 0.008
}

// By hand, for vlm: the gain is (120 - 70) / 200 = 0.25, of 70 samples gained
// and 20 lost, so its standard error is sqrt((0.45 - 0.25²) / 200) = 0.0440 and
// its interval 0.25 ± 0.086. The leakage is (70 - 65) / 200 = 0.025, of 35
// samples against 30: sqrt((0.325 - 0.025²) / 200) = 0.0403, so that the
// interval is [0, 0.104].
func TestGain(t *testing.T) {
	m := seen()
	r := gains(t, m, report.Options{})
	vlm, blind := r.Rows[0].(*GainRow), r.Rows[1].(*GainRow)
	if vlm.Visual.Rate != stat.NewRate(120, 200) || vlm.Text.Rate != stat.NewRate(70, 200) || vlm.Base.Rate != stat.NewRate(65, 200) || vlm.Base.Shots != 2 {
		t.Errorf("%+v", vlm)
	}
	if !closeTo(*vlm.Gain, 0.25, 0.164, 0.336) || vlm.Gain.N != 200 {
		t.Errorf("gain %+v", vlm.Gain)
	}
	if !closeTo(*vlm.Leakage, 0.025, 0, 0.104) || vlm.Leakage.Low != 0 {
		t.Errorf("leakage %+v", vlm.Leakage)
	}
	// One run of the base serves both models.
	if blind.Base.Run != vlm.Base.Run || blind.Gain.Value != 0 || blind.Leakage.Value != 0 || len(blind.Missing) != 0 {
		t.Errorf("%+v", blind)
	}
	// Half of vlm's gain, and half of its interval: blind's is always 0.
	mean := r.Overall[0].(*GainMean)
	if len(r.Overall) != 1 || mean.By != byBenchmark || !closeTo(mean.Gain, 0.125, 0.082, 0.168) || mean.Gains != 2 || mean.Of != 2 {
		t.Errorf("%+v", mean)
	}
	for w, want := range map[report.Which]int{report.Right: 120, report.Wrong: 80, TextRight: 70, TextWrong: 130, BaseRight: 65, BaseWrong: 135, Gained: 70, Spoiled: 20, Leaked: 35, Unleaked: 30} {
		if got := drilled(t, m, vlm, report.Selection{Which: w}); len(got) != want {
			t.Errorf("%s: %d questions, want %d", w, len(got), want)
		}
	}
}

func TestGainBySplit(t *testing.T) {
	r := gains(t, seen(), report.Options{BySplit: true, Model: "vlm"})
	if len(r.Rows) != 3 || len(r.Overall) != 0 {
		t.Fatalf("%d rows, %d means", len(r.Rows), len(r.Overall))
	}
	dev, test := r.Rows[1].(*GainRow), r.Rows[2].(*GainRow)
	if dev.Split != "dev" || dev.Gain.N != 100 || math.Abs(dev.Gain.Value+test.Gain.Value-0.5) > 1e-9 {
		t.Errorf("%+v, %+v", dev.Gain, test.Gain)
	}
}

// A difference is printed only where its runs are there and have decided the
// same samples.
func TestGainNeeds(t *testing.T) {
	check := func(change func(*reporttest.Memory), o report.Options, gain, leakage bool, needs ...string) {
		t.Helper()
		m := seen()
		change(m)
		row := gains(t, m, o).Rows[0].(*GainRow)
		if (row.Gain != nil) != gain || (row.Leakage != nil) != leakage || len(row.Missing) != len(needs) {
			t.Errorf("gain %v, leakage %v, missing %q", row.Gain, row.Leakage, row.Missing)
			return
		}
		for i, n := range needs {
			if !strings.Contains(row.Missing[i], n) {
				t.Errorf("missing %q, want %q", row.Missing[i], n)
			}
		}
	}
	same := func(*reporttest.Memory) {}
	without := func(id eval.RunID) func(*reporttest.Memory) {
		return func(m *reporttest.Memory) {
			m.AllRuns = slices.DeleteFunc(m.AllRuns, func(r eval.Run) bool { return r.ID == id })
		}
	}
	two := 2
	zero := 0
	check(same, report.Options{Shots: &two}, true, true)
	check(same, report.Options{Shots: &zero}, true, false, "language base lm on d (--modality base --shots 0)")
	check(without(2), report.Options{}, false, false, "text-only run of vlm on d")
	check(without(3), report.Options{}, true, false, "a run of the language base lm")
	check(same, report.Options{Cards: func(string) (eval.Card, bool) { return eval.Card{}, false }}, true, false, "the language base of vlm, named in the configuration")
	check(func(m *reporttest.Memory) { delete(m.AllPredictions[2], 7) }, report.Options{}, false, false, "the same samples: 1 decided by run 1 alone (h), 0 by run 2 alone", "0 decided by run 2 alone, 1 by run 3 alone (h)")
	check(func(m *reporttest.Memory) { delete(m.AllPredictions[3], 7) }, report.Options{}, true, false, "1 decided by run 2 alone (h), 0 by run 3 alone")
	more := func(m *reporttest.Memory) {
		id := m.AddRun(eval.Config{Dataset: "d", Model: "lm", Modality: eval.BaseText, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
		for o := range m.AllSamples["d"] {
			m.AddResponse(id, eval.Ordinal(o), 0, "B")
		}
	}
	check(more, report.Options{}, true, false, "one run, by --run: 3 (lm, base, 2 shots), 6 (lm, base, 0 shots)")
	check(more, report.Options{Runs: []eval.RunID{6}}, true, true)
	check(more, report.Options{Shots: &zero}, true, true)
	grey := func(m *reporttest.Memory) { m.AllRuns[1].Config.Modality = eval.GreyImage }
	check(grey, report.Options{}, false, false, "text-only run")
	check(grey, report.Options{Grey: true}, true, true)
	check(func(m *reporttest.Memory) { m.AllRuns[0].Config.Strategy = eval.Circular }, report.Options{}, false, false, "under CircularEval, as run 1 is", "under CircularEval")
	if _, err := ReportGains(t.Context(), reporttest.New(), report.Options{}); err == nil {
		t.Error("a report without runs")
	}
}

// Scores measured elsewhere take the place of runs, and are marked.
func TestGainExternal(t *testing.T) {
	m := seen()
	m.AllRuns = m.AllRuns[:1]
	measure := func(benchmark, metric string, value float64) {
		m.AllMeasures = append(m.AllMeasures, eval.ExternalScore{Benchmark: benchmark, Model: "vlm", Metric: metric, Value: value, Source: "paper"})
	}
	measure("d", "S_wv", 22.7)
	measure("d", "S_t", 20.3)
	measure("e", "S_v", 48.8)
	measure("e", "S_wv", 47.1)
	r := gains(t, m, report.Options{})
	part, whole := r.Rows[0].(*GainRow), r.Rows[1].(*GainRow)
	// The interval is of the 120 of 200 alone: 0.6 ± 0.068.
	if !closeTo(*part.Gain, 0.6-0.227, 0.305, 0.441) || part.External != PartlyExternal {
		t.Errorf("%+v", part.Gain)
	}
	if math.Abs(part.Leakage.Value-0.024) > 1e-9 || !part.Leakage.Exact || whole.External != WhollyExternal || len(whole.Missing) != 1 {
		t.Errorf("%+v, %+v", part.Leakage, whole)
	}
	text := render(t, r, table.FormatTable)
	for _, want := range []string{"22.7%†", "+37.3† [+", "+2.4†", "† measured elsewhere: paper.", "multi-modal gain", "+1.7†"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	got, err := json.Marshal(part.Text)
	if want := `{"k":null,"n":null,"value":0.227,"low":null,"high":null,"model":"vlm","shots":0,"external":true,"source":"paper"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// The paper's row of LLaVA-NeXT-34B: its predictions are read here, what its
// text-only and language-base runs reached is quoted (MMStar, Table 5).
func TestRealGain(t *testing.T) {
	m, _ := realRun(t, "mmstar/llava_next_yi_34b_MMStar.xlsx")
	m.AllRuns[0].Config.Modality = eval.WithImage
	model, dataset := m.AllRuns[0].Config.Model, string(m.AllRuns[0].Config.Dataset)
	m.AllMeasures = []eval.ExternalScore{
		{Benchmark: dataset, Model: model, Metric: "S_wv", Value: 22.7, Source: "MMStar, Table 5"},
		{Benchmark: dataset, Model: model, Metric: "S_t", Value: 20.3, Source: "MMStar, Table 5"},
	}
	r, err := ReportGains(t.Context(), m, report.Options{Rules: "mmstar"})
	if err != nil {
		t.Fatal(err)
	}
	text := render(t, r, table.FormatTable)
	for _, want := range []string{"781/1,500", "+29.4† [", "+2.4†"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
