package accuracy

import (
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// related is seen with a second benchmark, on which only the language base was
// asked, without examples, and a model that nobody asked without the picture.
func related() *reporttest.Memory {
	m := seen()
	m.AddDataset("e", reporttest.NewABCDSample(0, "A"), reporttest.NewABCDSample(1, "B"))
	run := func(dataset, model string, modality eval.Modality, shots int, says ...string) {
		id := m.AddRun(eval.Config{
			Dataset: eval.DatasetName(dataset), Model: model, Modality: modality, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters",
			Settings: eval.Settings{Shots: shots},
		})
		for o, text := range says {
			m.AddResponse(id, eval.Ordinal(o), 0, text)
		}
	}
	run("e", "lm", eval.BaseText, 2, "A", "C")
	run("e", "lm", eval.BaseText, 0, "A", "B")
	run("e", "alone", eval.WithImage, 0, "A", "B")
	return m
}

func kinOf(t *testing.T, m *reporttest.Memory, o report.Options) report.Report {
	t.Helper()
	o.Reader, o.Cards, o.ByModel = reporttest.NewReaders("1"), bases, true
	r, err := ReportTextOnly(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Language models by their shots after answers at random, then every model's
// three forms; what was not asked is said, and has no part in an average.
func TestKin(t *testing.T) {
	m := related()
	r := kinOf(t, m, report.Options{})
	r.Style = table.Style{NoIntervals: true}
	got := strings.Join(strings.Fields(render(t, r, table.FormatTable)), " ")
	for _, want := range []string{
		"language models · form LLM · model lm", "random choice 50.0% n 200 25.0% n 2 37.5% n 202",
		"lm 0 7 - (no run) 100.0% 2/2 - (not of all)", "lm 2 3, 6 32.5% 65/200 50.0% 1/2 41.2% n 202",
		"10B and below 7B LVLM-text vlm 0 text 2 35.0% 70/200 - (no run)", "10B and below 7B LVLM vlm 0 image 1 60.0% 120/200 - (no run)",
		"blind above 10B 13B LLM lm 2 base 3, 6 32.5%", "asked without the image: alone.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// As data every figure of a model is a row, those that are not there too.
func TestKinRows(t *testing.T) {
	m := related()
	r := kinOf(t, m, report.Options{Model: "vlm"})
	count := make(map[Form]int)
	for _, row := range r.Rows {
		k := row.(*BaseModelRow)
		if count[k.Form]++; k.Of != "vlm" || k.Card == nil || k.Card.LanguageBase != "lm" {
			t.Errorf("%+v", k)
		}
		switch keys := drilled(t, m, k, report.Selection{Which: report.Right}); {
		case k.Run == 0 && (k.Accuracy.Undefined != "no run" || len(keys) != 0), k.Accuracy.K != len(keys):
			t.Errorf("%+v: %d keys", k, len(keys))
		}
	}
	if count[LanguageModel] != 4 || count[TextModel] != 2 || count[VisionModel] != 2 {
		t.Errorf("%v", count)
	}
	m.AllRuns = m.AllRuns[:1]
	if _, err := ReportTextOnly(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Cards: bases, ByModel: true}); err == nil || !strings.Contains(err.Error(), "a text-only run") {
		t.Error(err)
	}
}

func TestAveraged(t *testing.T) {
	e := averageEstimates([]stat.Estimate{{N: 10, Value: 0.5, Low: 0.2, High: 0.8}, {N: 10, Value: 0.7, Low: 0.3, High: 0.9}})
	// sqrt(0.3² + 0.4²) / 2 below, sqrt(0.3² + 0.2²) / 2 above.
	if !closeTo(e, 0.6, 0.35, 0.780278) || e.N != 20 {
		t.Errorf("%+v", e)
	}
}
