package models

import (
	"errors"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// bilingual is two models on 60 samples and on 50 of them in another language and another order: the first
// model is right on 0 to 39, and on 0 to 29 of the translations; the second on the same ones of both.
func bilingual(truth eval.Choice) *reporttest.Memory {
	m := reporttest.New()
	var samples, translated []eval.Sample
	for i := range 60 {
		samples = append(samples, reporttest.NewABCDSample(i, "A", "seeing"))
	}
	for i := range 50 {
		s := reporttest.NewABCDSample(i, truth, "seeing")
		s.ID, s.Question, s.Source = samples[49-i].ID, "图中有什么？", "en"
		translated = append(translated, s)
	}
	m.AddDataset("en", samples...)
	m.AddDataset("zh", translated...)
	for _, model := range []string{"vlm", "other"} {
		for _, d := range []eval.DatasetName{"en", "zh"} {
			run := m.AddRun(eval.Config{Dataset: d, Model: model, Modality: eval.WithImage, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
			n, right := 60, 40
			if d == "zh" {
				n, right = 50, eval.Either(model == "vlm", 30, 40)
			}
			for o := range n {
				at := eval.Either(d == "zh", 49-o, o)
				m.AddResponse(run, eval.Ordinal(o), 0, eval.Either(at < right, "A", "B"))
			}
		}
	}
	return m
}

func TestLanguages(t *testing.T) {
	m := bilingual("A")
	r, err := ReportLanguages(t.Context(), m, options())
	if err != nil || len(r.Rows) != 2 {
		t.Fatal(len(r.Rows), err)
	}
	row := r.Rows[0].(*Row)
	if row.N != 50 || row.OnlyA != 10 || row.OnlyB != 0 || !row.Separable || row.A.Dataset != "" || row.B.Dataset != "zh" || row.Left != [2]int{10, 0} {
		t.Errorf("%+v", row)
	}
	if same := r.Rows[1].(*Row); same.OnlyA != 0 || same.OnlyB != 0 || same.Separable {
		t.Errorf("%+v", same)
	}
	// What is right in the first language alone is shown as the second run answered it.
	for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: OnlyA}) {
		s, serr := m.Sample("zh", k.Sample)
		if err != nil || serr != nil || k.Run != row.B.Run || len(s.ID) < 31 || len(s.ID) > 40 {
			t.Errorf("%+v of run %d, sample %s: %v %v", k, k.Run, s.ID, err, serr)
		}
	}
	o := options()
	o.Runs.Dataset = "none"
	if _, err := ReportLanguages(t.Context(), m, o); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
}

// A dataset with the same ids and another ground truth is none, and is not compared.
func TestNoTranslation(t *testing.T) {
	m := bilingual("B")
	if _, err := ReportLanguages(t.Context(), m, options()); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
	o := options()
	o.First, o.Second = "1", "2"
	if _, err := ReportComparison(t.Context(), m, o); err == nil || !strings.Contains(err.Error(), "two runs are compared on the same samples") {
		t.Error(err)
	}
}
