package pairwise

import (
	"errors"
	"slices"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// A judge that votes as everybody else does may take the place of a person, and one
// that is tested on too few pairs is not.
func TestReportReplacing(t *testing.T) {
	for _, c := range []struct {
		models int
		people []string
		judge  string
		beats  float64
		passes bool
	}{
		{4, []string{"M", "M", "A"}, "MM", 1, true},
		{4, []string{"M", "M", "M"}, "AA", 0, false},
		{4, []string{"1", "1", "1"}, "22", 0, false}, // kinds of ties are told apart
		{2, []string{"M", "M", "M"}, "MM", -1, false},
	} {
		p := &reporttest.Votes{Memory: reporttest.New()}
		p.AddDataset("d", slices.Repeat([]eval.Sample{{Kind: eval.KindOpen}}, 10)...)
		for i := range c.models + 1 {
			run := p.AddRun(eval.Config{Dataset: "d", Model: string(rune('a' + i)), Modality: eval.WithImage, Strategy: eval.Vanilla})
			for o := range eval.Ordinal(10) {
				p.AddResponse(run, o, 0, "x")
			}
		}
		p.AllQueues = []annotate.Queue{{Name: panelQueue, Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Anchor: panelAnchor}, Overlap: 3}}
		for i := range 10 * c.models {
			seat(p, i, append(slices.Clone(c.people), ".", c.judge, "--", "--", "--"))
		}
		r, err := ReportReplacing(t.Context(), p, AgreementOptions{VoteOptions: VoteOptions{Judge: "X"}}, 0.2)
		if err != nil || len(r.Rows) == 0 {
			t.Fatal(len(r.Rows), err)
		}
		row := r.Rows[0].(*report.ReplacingRow)
		if row.N != 10*c.models || row.Passes != c.passes || (row.WinningRate.Undefined != "") != (c.beats < 0) || c.beats >= 0 && row.WinningRate.Value != c.beats {
			t.Errorf("%v beside %s: %+v", c.people, c.judge, row)
		}
	}
	if _, err := ReportReplacing(t.Context(), newPanel(), AgreementOptions{VoteOptions: VoteOptions{Judge: "nobody"}}, 0.2); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
}
