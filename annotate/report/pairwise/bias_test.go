package pairwise

import (
	"math/rand/v2"
	"strings"
	"testing"

	"concord/annotate/report/reporttest"
	"concord/eval"
)

// newConfounded is a judge without a bias who prefers the model's answer in four of
// five pairs. The model is shown first, and on the first
// questions second as well.
func newConfounded(r *rand.Rand, both, questions int) *reporttest.Votes {
	p := &reporttest.Votes{Memory: reporttest.New()}
	p.AddDataset("d", make([]eval.Sample, questions)...)
	config := eval.Config{Dataset: "d", Model: "anchor", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported}
	anchor := p.AddRun(config)
	config.Model = "model"
	model := p.AddRun(config)
	said := func(first, second float64) eval.Vote {
		if r.Float64() < first/(first+second) {
			return eval.Answer1
		}
		return eval.Answer2
	}
	for o := range eval.Ordinal(questions) {
		p.AllSamples["d"][o].Ordinal = o
		p.AddResponse(anchor, o, 0, "one")
		p.AddResponse(model, o, 0, "two")
		p.AddVote(o, model, anchor, said(0.8, 0.2))
		if int(o) < both {
			p.AddVote(o, anchor, model, said(0.2, 0.8))
		}
	}
	return p
}

// Who stands first and is better is confounded by construction: the figures and the
// chart tell of no bias, but of pairs that were voted on in both orders.
func TestQualityIsNoBias(t *testing.T) {
	const draws = 200
	r, misses, confounded := rand.New(rand.NewPCG(1, 1)), 0, 0
	for range draws {
		out, err := ReportBias(t.Context(), newConfounded(r, 60, 200), VoteOptions{Anchor: "anchor"})
		if err != nil {
			t.Fatal(err)
		}
		row := out.Rows[0].(*BiasRow)
		if row.BothOrders.N != 120 || row.FirstShown.N != 260 {
			t.Fatalf("%+v", row)
		}
		if b := row.BothOrders; b.Low > 0.5 || b.High < 0.5 {
			misses++
		}
		if row.FirstShown.Low > 0.5 {
			confounded++
		}
	}
	if misses > draws/10 || confounded < draws*9/10 {
		t.Errorf("over both orders a bias in %d of %d, over all votes in %d", misses, draws, confounded)
	}
	for both, want := range map[int]bool{0: false, 60: true} {
		out, err := ReportBias(t.Context(), newConfounded(r, both, 200), VoteOptions{Anchor: "anchor"})
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, d := range out.Draw(&out) {
			for i := range d.Texts {
				all += d.Texts[i].Text + "\n"
			}
		}
		if strings.Contains(all, "50% without a bias") != want || strings.Contains(all, "one order of each pair") == want || strings.Contains(all, "/120") != want || strings.Contains(all, "/260") {
			t.Errorf("%d in both orders:\n%s", both, all)
		}
	}
}
