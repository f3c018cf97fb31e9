package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"concord/annotate/agree"
	"concord/annotate/report/chart"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// markup is a name that would be markup, a script or a terminal's command.
const markup = `m"><script>alert(1)</script>{{.}}'` + "\x1b[2J\u202e"

func paged(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := WritePage(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page holds every kind of chart; nothing from outside is markup in it, and
// nothing in it leads elsewhere.
func TestPage(t *testing.T) {
	h := Head{Run: 1, Dataset: markup, Split: markup, Model: markup, Modality: "image"}
	src := Source{Extractor: markup, Rules: "concord", RulesVersion: "3"}
	r := Report{Name: "accuracy", Confidence: 0.95, Notes: []string{markup}, Draw: drawAccuracy, Rows: []Row{
		&AccuracyRow{Head: h, Source: src, Strategy: "vanilla", Accuracy: stat.NewRate(1, 4)},
	}}
	many := Report{Name: "many", Rows: []Row{
		&AbilitiesRow{Head: h, Source: src, Strategy: "vanilla", Level: 1, Abilities: []AbilityScore{{Path: []string{markup}, Accuracy: stat.NewRate(3, 4)}}},
		&PositionsRow{Head: h, Source: src, Records: 4, Predicted: map[eval.Choice]int{markup: 4}, Truth: map[eval.Choice]int{"A": 4},
			Shares: map[eval.Choice]LabelShare{markup: {Predicted: stat.NewRate(4, 4), Truth: stat.Undefined("")}, "A": {Predicted: stat.NewRate(0, 4), Truth: stat.NewRate(4, 4)}}},
		&VotesRow{Duel: Duel{Head: h, Anchor: markup, Judge: markup, Merge: metric.MergeMLLMBench.String()}, Outcomes: Outcomes{Win: 1, Folded: 2, Lose: 3, N: 6}},
		&AlignmentRow{
			Head: h, Source: src, Queue: markup, Policy: "majority", Alignment: stat.NewRate(3, 4), Prompts: []string{markup},
			Confusion: []Confusion{{markup, "A", 3}, {"none", "B", 1}},
		},
		&GainRow{Head: h, gain: gap{Estimate: stat.Estimate{Value: 0.25, Low: 0.2, High: 0.3, N: 4}}, leakage: lacking(markup)},
		&GainRow{Head: h, gain: gap{Estimate: stat.Estimate{Value: -0.1, Exact: true}, marked: true}, leakage: lacking(markup)},
		&BiasRow{
			Duel: Duel{Head: h, Anchor: markup, Judge: markup}, Position: PositionRates{Same: stat.NewRate(3, 4), First: stat.NewRate(1, 4)},
			FirstShown: stat.NewRate(5, 8), Longer: stat.Undefined(markup),
		},
		&RanksRow{A: Ranking{Name: markup}, B: Ranking{Name: markup}, Correlation: agree.Correlation{Rho: -0.5, N: 3}},
	}}
	many.Sheets = []table.Table{r.Table()} // the rows are of several kinds
	many.Draw = func(r *Report) (out []chart.Drawing) {
		for _, draw := range []func(*Report) []chart.Drawing{drawAbilities, drawPositions, drawGains, drawVotes, drawBias, drawRanks, drawAlignment} {
			out = append(out, draw(r)...)
		}
		return out
	}
	got := paged(t, &Page{
		Title: markup, Project: markup, Version: markup,
		Sections: []Section{{"accuracy", markup, markup, r}, {"many", "Many", "concord report many", many}},
		Settings: Settings{{Name: "runs", Columns: []table.Column{{Name: markup}}, Rows: [][]table.Cell{{table.Text(markup)}}}},
		Missing:  []Lacking{{markup, markup, markup}},
	})
	for _, bad := range []string{"<script", "\x1b", "\u202e", "ZgotmplZ", "{{"} {
		if at := strings.Index(strings.ReplaceAll(got, "{{.}}", ""), bad); at >= 0 {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if links := regexp.MustCompile(`(?i)(src|href|url|@import)\s*[=(]\s*"?[^#"]`).FindString(got); links != "" {
		t.Errorf("the page leads elsewhere: %s", links)
	}
	for want, n := range map[string]int{"<svg": 10, "</svg>": 10, "25.0%  1/4": 1, ">&#43;25.0</text>": 1, ">-10.0†</text>": 1, ">-0.500  n 3</text>": 1, "62.5%  5/8</text>": 1, "prefers-color-scheme: dark": 1, "@media print": 1, "concord@3": 2, "policy majority": 3} {
		if strings.Count(got, want) != n {
			t.Errorf("%q stands %d times, want %d", want, strings.Count(got, want), n)
		}
	}
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(got, -1) {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
	}
}

func TestHTML(t *testing.T) {
	m, _ := guessed()
	f, err := Scan(t.Context(), m, Options{Reader: reporttest.Readers("1")})
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, accuracyOf(f), table.FormatHTML)
	for _, want := range []string{"<!DOCTYPE html>", `<td class="n best">100.0% [56.6, 100.0]  5/5</td>`, "<svg", "read by rules:letters@1"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
}

// The best is sought among what can be compared, higher being better.
func TestBest(t *testing.T) {
	row := func(model, strategy string, k, frequent int) *AccuracyRow {
		return &AccuracyRow{
			Head: Head{Dataset: "d", Split: "all", Model: model, Modality: "image"}, Strategy: strategy,
			Accuracy: stat.NewRate(k, 10), Frequent: stat.NewRate(frequent, 10),
		}
	}
	r := Report{Name: "accuracy", Rows: []Row{row("a", "vanilla", 9, 1), row("b", "vanilla", 5, 2), row("a", "circular", 3, 1), row("b", "circular", 4, 1)}}
	r.Style = table.Style{NoIntervals: true, NoCounts: true}
	got := render(t, r, table.FormatMarkdown)
	if n := strings.Count(got, "**"); n != 4 || !strings.Contains(got, "**90.0%**") || !strings.Contains(got, "**40.0%**") {
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

func TestSettings(t *testing.T) {
	p := &poll{Memory: reporttest.New()}
	p.AddDataset("d", make([]eval.Sample, 1)...)
	a := p.AddRun(eval.Config{Dataset: "d", Model: "a", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Asked, Rules: "concord", Settings: eval.Settings{
		Endpoint: "http://e", Params: "{}", Prompts: []eval.PromptRef{{Name: "ask", Language: "en", Version: "1", Hash: strings.Repeat("ab", 32)}}, Shots: 2,
		Judges: []eval.JudgeSetup{{Judge: "gpt", Name: "gpt-4"}}, Fallback: true, Seed: 7,
	}})
	b := p.AddRun(eval.Config{Dataset: "d", Model: "b", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, File: "b.json"})
	v := p.vote(0, a, b, eval.Answer1)
	v.Prompt, v.Setup = strings.Repeat("12", 32), strings.Repeat("34", 32)
	s, err := Provenance(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := s.Render(&text, table.FormatMarkdown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ask en 1 (abababababab)", "gpt (gpt-4)", "drawn, seed 7", "http://e", "b.json", "121212121212", "343434343434"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	text.Reset()
	if err := s.Render(&text, table.FormatJSON); err != nil || !strings.Contains(text.String(), `"prompts": "121212121212"`) || strings.Contains(text.String(), `"-"`) {
		t.Errorf("%v in %s", err, &text)
	}
}
