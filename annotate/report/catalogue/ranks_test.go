package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// Two judges rank four models, a benchmark three of them: by the first judge
// a > b > c > d, by the second b > a > c > d, by accuracy c > b > a.
func TestRanks(t *testing.T) {
	p := &reporttest.Votes{Memory: reporttest.New()}
	p.AddDataset("d", make([]eval.Sample, 4)...)
	p.AddDataset("bench",
		eval.Sample{Kind: eval.KindYesNo, Answer: eval.Yes}, eval.Sample{Kind: eval.KindYesNo, Answer: eval.Yes}, eval.Sample{Kind: eval.KindYesNo, Answer: eval.Yes},
	)
	anchor := p.AddRun(eval.Config{Dataset: "d", Model: "anchor"})
	wins := map[string]map[string]int{"one": {"a": 4, "b": 3, "c": 2, "d": 1}, "two": {"a": 3, "b": 4, "c": 2, "d": 1}}
	for _, model := range []string{"a", "b", "c", "d"} {
		run := p.AddRun(eval.Config{Dataset: "d", Model: model})
		for _, judge := range []string{"one", "two"} {
			for o := range 4 {
				v := eval.Answer2
				if o < wins[judge][model] {
					v = eval.Answer1
				}
				p.AddVote(eval.Ordinal(o), run, anchor, v).Judge = judge
				p.AddVote(eval.Ordinal(o), anchor, run, v.Swapped()).Judge = judge
			}
		}
	}
	for i, model := range []string{"a", "b", "c"} {
		// An older run of the same model, which does not count.
		older := p.AddRun(eval.Config{Dataset: "bench", Model: model, Modality: eval.WithImage, Strategy: eval.Vanilla, Rules: "concord"})
		run := p.AddRun(eval.Config{Dataset: "bench", Model: model, Modality: eval.WithImage, Strategy: eval.Vanilla, Rules: "concord"})
		text := p.AddRun(eval.Config{Dataset: "bench", Model: model, Modality: eval.TextOnly, Strategy: eval.Vanilla, Rules: "concord"})
		for o := range 3 {
			p.AddResponse(older, eval.Ordinal(o), 0, "yes")
			p.AddResponse(text, eval.Ordinal(o), 0, "yes")
			p.AddResponse(run, eval.Ordinal(o), 0, []string{"no", "yes"}[min(1, (i+1)/(o+1))])
		}
	}
	r, err := ReportRankCorrelation(t.Context(), p, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: "anchor"}, Seed: 1}, report.Options{})
	if err != nil || len(r.Rows) != 3 {
		t.Fatal(len(r.Rows), err)
	}
	check := func(i int, n int, rho, p float64, onlyA, onlyB int) {
		t.Helper()
		row := r.Rows[i].(*pairwise.RanksRow)
		c := row.Correlation
		if c.N != n || math.Abs(c.Rho-rho) > 1e-12 || math.Abs(c.P-p) > 1e-12 || !c.Exact || row.OnlyA != onlyA || row.OnlyB != onlyB {
			t.Errorf("%s and %s: %+v", row.A.Name, row.B.Name, row)
		}
	}
	// Of 24 orders 8 have |rho| of 0.8 or 1.
	check(0, 4, 0.8, 8.0/24, 0, 0)
	// The benchmark turns the first judge's order round, as 1 of 6 orders does; 1
	// keeps it.
	check(1, 3, -1, 2.0/6, 1, 0)
	check(2, 3, -0.5, 1, 1, 0)
	for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, f, 80); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", f, err)
		}
		if f == table.FormatJSON && !json.Valid(b.Bytes()) || f == table.FormatTable && !strings.Contains(b.String(), "0.800 (n 4)") {
			t.Errorf("%s", &b)
		}
	}
	for i, model := range []string{"a", "b", "c", "d"} {
		p.AllMeasures = append(p.AllMeasures, eval.ExternalScore{Benchmark: "other", Model: model, Metric: "score", Value: float64(-i), Source: "paper"})
	}
	r, err = ReportRankCorrelation(t.Context(), p, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: "anchor"}, Seed: 1}, report.Options{})
	if err != nil || len(r.Rows) != 6 {
		t.Fatal(len(r.Rows), err)
	}
	if row := r.Rows[2].(*pairwise.RanksRow); row.B.Name != "other, score (external)" || row.B.Kind != "external" || row.B.Sources[0] != "paper" || row.Correlation.Rho != 1 {
		t.Errorf("%+v", row)
	}
	p.AllMeasures = nil
	r, err = ReportRankCorrelation(t.Context(), p, pairwise.RankOptions{Votes: pairwise.VoteOptions{Anchor: "anchor", Dataset: "d", Model: "a"}}, report.Options{})
	if err != nil || r.Rows[0].(*pairwise.RanksRow).Correlation.Undefined == "" {
		t.Errorf("one model: %v", err)
	}
	if _, err = ReportRankCorrelation(t.Context(), p, pairwise.RankOptions{Votes: pairwise.VoteOptions{Dataset: "none"}}, report.Options{}); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
}
