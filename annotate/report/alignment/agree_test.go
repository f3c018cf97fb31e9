package alignment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
)

// longOf reads "item rater class" triples.
func longOf(t *testing.T, triples ...string) *agree.LongTable {
	t.Helper()
	l := new(agree.LongTable)
	for i, s := range triples {
		f := strings.Fields(s)
		if earlier, ok := l.AddRating(f[0], f[1], f[2], i+1); !ok {
			t.Fatalf("%q came in line %d before", s, earlier)
		}
	}
	return l
}

var fourItems = []string{
	"1 ann A", "1 bob A", "1 cy A", "1 gpt A",
	"2 ann A", "2 bob B", "2 cy B", "2 gpt A",
	"3 ann A", "3 bob B", "3 cy C", "3 gpt B",
	"4 ann B", "4 bob B", "5 gpt A",
}

func agreeRow(t *testing.T, o AgreeOptions) *AgreeRow {
	t.Helper()
	o.Bootstrap = agree.Bootstrap{Times: 100, Seed: 1, Confidence: 0.95}
	r, err := ReportRatings(t.Context(), longOf(t, fourItems...), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, f, 80); err != nil || b.Len() == 0 {
			t.Errorf("%v: %d bytes, %v", f, b.Len(), err)
		}
	}
	return r.Rows[0].(*AgreeRow)
}

// What scripts rely on, by name and kind.
func TestAgreeAsJSON(t *testing.T) {
	row := agreeRow(t, AgreeOptions{
		Raters:    []string{"gpt", "ann"},
		Reference: Reference{Raters: []string{"ann", "bob", "cy"}, Policy: annotate.Majority},
	})
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	number := func(name string, want float64) {
		t.Helper()
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	number("items", 5)
	number("items_paired", 3)
	number("raters", 2)
	number("ratings", 8)
	number("others", 7)
	number("majority_baseline", 0.75)
	for _, name := range []string{"percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "observed_agreement"} {
		if c, ok := got[name].(map[string]any); !ok || c["n"] == nil || c["value"] == nil {
			t.Errorf("%s: %v", name, got[name])
		}
	}
	pair := got["pairs"].([]any)[0].(map[string]any)
	if pair["a"] != "gpt" || pair["b"] != "ann" || pair["agreement"].(map[string]any)["k"] != 2.0 || pair["cohen_kappa"] == nil {
		t.Errorf("%v", pair)
	}
	against := got["against"].([]any)[0].(map[string]any)
	if against["rater"] != "gpt" || against["agreement"].(map[string]any)["n"] != 2.0 || against["no_reference"] != 2.0 || against["not_rated"] != 1.0 {
		t.Errorf("%v", against)
	}
	test := got["mcnemar"].([]any)[0].(map[string]any)
	if test["a"] != "gpt" || test["b"] != "ann" || test["test"].(map[string]any)["undefined"] == nil {
		t.Errorf("%v", test)
	}
}

// The policy decides which items count, and what becomes of the others.
func TestAgreeReference(t *testing.T) {
	check := func(p annotate.Policy, undecided string, items, open, k, n int) {
		t.Helper()
		row := agreeRow(t, AgreeOptions{Reference: Reference{Raters: []string{"ann", "bob", "cy"}, Policy: p, Undecided: undecided}})
		if len(row.Against) != 1 || row.Against[0].Rater != "gpt" {
			t.Fatalf("%v: %+v", p, row.Against)
		}
		ref, a := row.Reference, row.Against[0].Agreement
		if ref.Items != items || ref.Open != open || a.K != k || a.N != n {
			t.Errorf("%v, %q: %+v, %+v", p, undecided, ref, a)
		}
	}
	check(annotate.Majority, "", 3, 1, 1, 2)
	check(annotate.Majority, "B", 4, 1, 2, 3)
	check(annotate.Majority, "(undecided)", 4, 1, 1, 3)
	check(annotate.Unanimous, "", 2, 2, 1, 1)
	one := agreeRow(t, AgreeOptions{Reference: Reference{Raters: []string{"ann"}}})
	if len(one.Against) != 3 || len(one.McNemar) != 3 || one.Reference.Policy != "" {
		t.Errorf("%+v", one)
	}
}

func TestGates(t *testing.T) {
	low, high := 0.1, 0.99
	check := func(o AgreeOptions, want int, about string) {
		t.Helper()
		o.Bootstrap = agree.Bootstrap{Confidence: 0.95}
		r, err := ReportRatings(t.Context(), longOf(t, fourItems...), o)
		if err != nil {
			t.Fatal(err)
		}
		unmet := FindUnmetGates(&r)
		if len(unmet) != want || want > 0 && !strings.Contains(unmet[0].String(), about) {
			t.Errorf("%+v: %v, want %d about %s", o.Thresholds, unmet, want, about)
		}
	}
	check(AgreeOptions{}, 0, "")
	check(AgreeOptions{Thresholds: Thresholds{Agreement: &low, Kappa: &low, ByValue: true}, Raters: []string{"bob", "cy"}}, 0, "")
	check(AgreeOptions{Thresholds: Thresholds{Kappa: &low}, Raters: []string{"bob", "cy"}}, 1, "but its lower bound -0.1111 is below 0.1")
	check(AgreeOptions{Thresholds: Thresholds{Agreement: &high}}, 1, "percent agreement is")
	check(AgreeOptions{Thresholds: Thresholds{Kappa: &high}}, 1, "Fleiss' kappa is")
	check(AgreeOptions{Thresholds: Thresholds{Kappa: &high}, Raters: []string{"bob", "cy"}}, 1, "Cohen's kappa is")
	check(AgreeOptions{Thresholds: Thresholds{Kappa: &low}, Raters: []string{"bob"}}, 1, "is undefined (no item has two ratings)")
	ref := Reference{Raters: []string{"ann"}}
	check(AgreeOptions{Thresholds: Thresholds{Agreement: &high}, Reference: ref}, 3, "agreement of bob with the reference")
	check(AgreeOptions{Thresholds: Thresholds{Agreement: &low}, Reference: ref, Raters: []string{"ann"}}, 1, "no rater beside it")
}

func TestAgreeRefusesStrangers(t *testing.T) {
	if _, err := ReportRatings(t.Context(), longOf(t, fourItems...), AgreeOptions{File: "f", Raters: []string{"dan"}}); err == nil || !strings.Contains(err.Error(), `f has no rating by "dan"`) {
		t.Errorf("%v", err)
	}
}
