package accuracy

import (
	"cmp"
	"context"
	"encoding/csv"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Every table of the MMBench paper comes out in every format, and none of them
// empty: a figure of each, as people and as machines read it.
func TestEveryTableInEveryFormat(t *testing.T) {
	m, _ := guessed()
	m.AddResponse(3, 4, 0, "who knows")
	m.AllJudgments[3] = []eval.Judgment{
		{Key: eval.Key{Run: 3, Sample: 2}, Judge: "gpt", Extraction: eval.Extraction{Choice: "C", Status: eval.Found}},
		{Key: eval.Key{Run: 3, Sample: 4}, Judge: "gpt", Extraction: eval.Extraction{Status: eval.Missing}},
		{Key: eval.Key{Run: 3, Sample: 4}, Judge: "other", Call: eval.Call{Failure: &eval.Failure{Kind: eval.FailureTransient}}},
	}
	for _, c := range []struct {
		build         func(context.Context, report.Facts, report.Options) (report.Report, error)
		o             report.Options
		people, exact string // of one rate, for eyes and in full
		json          string // where the rows hold counts instead
	}{
		{ReportSteps, report.Options{Model: "lm-7"}, "50.0% [9.5, 90.5]  1/2", "0.5", ""}, // step 2 of gpt
		{ReportCircular, report.Options{}, "-40.0 [-72.6, +16.3]  n 5", "-0.4", ""},
		{ReportAbilities, report.Options{Level: 3}, "40.0% [11.8, 76.9]  2/5", "0.4", ""},
		{ReportAbilities, report.Options{Level: 2}, "50.0% [9.5, 90.5]  1/2", "0.5", ""},
		{ReportPositions, report.Options{Model: "m-13"}, "30.0% [9.4, 64.0]  6/20", "0.3", `"A": 6,`},
		{ReportTextOnly, report.Options{TextOnly: "lm-7"}, "40.0% [11.8, 76.9]  2/5", "0.4", ""},
		{ReportBaselines, report.Options{}, "40.0% [11.8, 76.9]  2/5", "0.00390625", ""},
	} {
		c.o.Reader = reporttest.NewReaders("1")
		r, err := c.build(t.Context(), m, c.o)
		if err != nil {
			t.Fatal(err)
		}
		markdown := strings.NewReplacer("[", `\[`, "]", `\]`).Replace(c.people)
		_, interval, _ := strings.Cut(c.people, "[")
		interval, _, _ = strings.Cut(interval, "]")
		latex := "{[}" + interval + "]" // beside the value, or below it
		for f, want := range map[table.Format]string{
			table.FormatTable: strings.Fields(c.people)[0], table.FormatMarkdown: markdown, table.FormatLaTeX: latex,
			table.FormatCSV: "," + c.exact + ",", table.FormatJSON: cmp.Or(c.json, `"value": `+c.exact+","),
		} {
			if got := render(t, r, f); !strings.Contains(got, want) {
				t.Errorf("%s as %s has no %q:\n%s", r.Name, f, want, got)
			}
		}
		lines, err := csv.NewReader(strings.NewReader(render(t, r, table.FormatCSV))).ReadAll()
		if err != nil || len(lines) < 2 {
			t.Errorf("%s: %d lines of CSV, %v", r.Name, len(lines), err)
		}
		if got := render(t, r, table.FormatLaTeX); strings.Count(got, `\toprule`) != strings.Count(got, `\bottomrule`) || !strings.Contains(got, `\midrule`) {
			t.Errorf("%s is no booktabs:\n%s", r.Name, got)
		}
	}
}

// A table that is wider than the terminal stands in blocks that fit.
func TestAbilitiesFit(t *testing.T) {
	r := abilities(t, tree(), report.Options{Cards: cards})
	for _, table := range r.Tables() {
		for _, line := range strings.Split(string(table.RenderText(110)), "\n") {
			if n := len([]rune(line)); n > 110 {
				t.Errorf("%d cells: %s", n, line)
			}
		}
	}
}

func TestHTML(t *testing.T) {
	m, _ := guessed()
	r, err := ReportAccuracy(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, r, table.FormatHTML)
	for _, want := range []string{"<!DOCTYPE html>", `<td class="n best">100.0% [56.6, 100.0]  5/5 few</td>`, "<svg", "read by rules:letters@1"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
}

// The best is sought among what can be compared, higher being better, and stands with all that its
// interval does not tell from it.
func TestBest(t *testing.T) {
	row := func(model, strategy string, k, frequent int) *Row {
		return &Row{
			Head: report.Head{Dataset: "d", Split: "all", Model: model, Modality: "image"}, Strategy: strategy,
			Accuracy: stat.NewRate(k, 100), Frequent: stat.NewRate(frequent, 100),
		}
	}
	r := report.Report{Name: "accuracy", Layout: accuracyLayout, Rows: []report.Row{row("a", "vanilla", 90, 1), row("b", "vanilla", 50, 2), row("a", "circular", 30, 1), row("b", "circular", 40, 1)}}
	r.Style = table.Style{NoIntervals: true, NoCounts: true}
	got := render(t, r, table.FormatMarkdown)
	if n := strings.Count(got, "**"); n != 6 || !strings.Contains(got, "**90.0%**") || strings.Contains(got, "**50.0%**") || !strings.Contains(got, "\nBold: every figure whose interval overlaps") {
		t.Errorf("%d marks in\n%s", n, got)
	}
	if again := render(t, r, table.FormatLaTeX); !strings.Contains(again, `\textbf{90.0\%}`) || strings.Contains(again, "{[}") {
		t.Error(again)
	}
	r.Rows = r.Rows[:1]
	if got := render(t, r, table.FormatMarkdown); strings.Contains(got, "**") {
		t.Errorf("the only one is the best: %s", got)
	}
}
