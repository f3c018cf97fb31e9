package alignment

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// Of run 1 people read A, A and none; gpt reads A, B and C, the first option is
// A each time. So both are aligned on sample 0 and neither on sample 2.
func TestExtractorsBesideEachOther(t *testing.T) {
	r := align(t, unread(), Options{})
	gpt, rules := find(t, r.Rows, 1, "gpt"), find(t, r.Rows, 1, "rules:first")
	if len(gpt.McNemar) != 1 || len(rules.McNemar) != 1 || find(t, r.Rows, 1, "rules:letters").McNemar != nil {
		t.Fatalf("tests: %+v and %+v", gpt.McNemar, rules.McNemar)
	}
	a, b := gpt.McNemar[0], rules.McNemar[0]
	if a.With != "rules:first" || a.Alignment != stat.NewRate(1, 3) || a.Other != stat.NewRate(2, 3) {
		t.Errorf("gpt beside rules:first: %+v", a)
	}
	if a.Test.N != 3 || a.Test.First != 0 || a.Test.Second != 1 || a.Test.Exact != 1 || a.Test.MidP != 0.5 {
		t.Errorf("test of gpt: %+v", a.Test)
	}
	if b.With != "gpt" || b.Test.First != 1 || b.Test.Second != 0 || b.Difference.Value != -a.Difference.Value {
		t.Errorf("rules:first beside gpt: %+v", b)
	}
	if w := r.PublicReport().Rows[1].(*Row); w.McNemar != nil || w.Common != nil || w.Alignment.N == 0 {
		t.Errorf("what is left of a whole row: %+v", w)
	}
}

func TestItemsInCommon(t *testing.T) {
	m := unread()
	m.AllJudgments[1] = slices.Delete(m.AllJudgments[1], 1, 2) // none on sample 1
	r := align(t, m, Options{Reader: reporttest.NewReaders("2")})
	check := func(extractor string, all, common stat.Rate) {
		t.Helper()
		row := find(t, r.Rows, 1, extractor)
		if row.Alignment != all || row.Common == nil || row.Common.Alignment != common || len(row.Common.Extractors) != 3 {
			t.Errorf("%s: %+v, in common %+v; want %+v and %+v", extractor, row.Alignment, row.Common, all, common)
		}
	}
	check("gpt", stat.NewRate(1, 2), stat.NewRate(1, 2))
	check("rules:first", stat.NewRate(2, 3), stat.NewRate(1, 2))
	check("rules:letters", stat.NewRate(1, 3), stat.NewRate(1, 2)) // it reads nothing, as people in sample 2
	note := func(s string) bool { return strings.Contains(s, "different items, on 2 to 3 of them") }
	if !slices.ContainsFunc(r.Notes, note) {
		t.Errorf("notes: %q", r.Notes)
	}
	var out bytes.Buffer
	if err := report.RenderReport(&out, r, table.FormatTable, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"items in common", "McNemar between extractors"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// People read A, A, none of run 1; the first option is A each time: two of
// three agree, by chance 2/3*1 would, so kappa is 0; AC1 expects 2*(5/6)*(1/6).
func TestPartsHaveCoefficients(t *testing.T) {
	row := find(t, align(t, unread(), Options{}).Overall, 0, "rules:first")
	if len(row.Models) != 1 || len(row.People) != 2 || len(row.Levels) != 3 {
		t.Fatalf("parts: %+v %+v %+v", row.Models, row.People, row.Levels)
	}
	m := row.Models[0]
	chance := 2 * (5.0 / 6) * (1.0 / 6)
	if want := (2.0/3 - chance) / (1 - chance); m.Kappa.Value != 0 || m.Kappa.N != 3 || m.AC1.Value-want > 1e-12 || want-m.AC1.Value > 1e-12 {
		t.Errorf("model %s: kappa %+v, AC1 %+v, want 0 and %v", m.Model, m.Kappa, m.AC1, want)
	}
	if p := row.People[0]; p.Annotator != "ann" || p.Alignment.N != 4 || p.Kappa.N != 4 {
		t.Errorf("person: %+v", p)
	}
	b, err := json.Marshal(row)
	for _, want := range []string{`"model":"m","alignment":{`, `"cohen_kappa":{"value":0`, `"mcnemar":[{"with":"gpt"`, `"common":{"extractors":`} {
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%v: no %s in %s", err, want, b)
		}
	}
}
