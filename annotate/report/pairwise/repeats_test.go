package pairwise

import (
	"math"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// Three repeats over four questions: won in all, won twice and tied once, won
// and lost, with a result in one alone.
func TestRepeats(t *testing.T) {
	p := &reporttest.Votes{Memory: reporttest.New()}
	samples := make([]eval.Sample, 4)
	for i := range samples {
		samples[i].Taxonomy = []string{"Creating"}
	}
	p.AddDataset("d", samples...)
	anchor := p.AddRun(eval.Config{Dataset: "d", Model: "anchor"})
	model := p.AddRun(eval.Config{Dataset: "d", Model: "model"})
	vote := func(repeat int, o eval.Ordinal, first, second eval.Vote) {
		p.AddVote(o, model, anchor, first).Repeat = repeat
		p.AddVote(o, anchor, model, second.Swapped()).Repeat = repeat
	}
	const win, lose = eval.Answer1, eval.Answer2
	for repeat := range 3 {
		vote(repeat, 0, win, win)
	}
	vote(0, 1, win, win)
	vote(1, 1, win, win)
	vote(2, 1, win, lose)
	vote(0, 2, win, win)
	vote(1, 2, lose, lose)
	vote(2, 2, lose, lose)
	vote(1, 3, win, win)
	r, err := ReportRepeats(t.Context(), p, VoteOptions{Anchor: "anchor"})
	if err != nil || len(r.Rows) != 1 {
		t.Fatal(len(r.Rows), err)
	}
	row := r.Rows[0].(*RepeatsRow)
	// Win rates 3/3, 3/4 and 1/3: mean 25/36.
	rates := []float64{1, 0.75, 1.0 / 3}
	m := 25.0 / 36
	sd := 0.0
	for i, w := range rates {
		if math.Abs(row.WinRates[i].WinRate.Value-w) > 1e-12 {
			t.Errorf("%+v", row.WinRates[i])
		}
		sd += (w - m) * (w - m) / 2
	}
	if math.Abs(row.Mean.Value-m) > 1e-12 || math.Abs(row.Deviation.Value-math.Sqrt(sd)) > 1e-12 || row.Mean.N != 3 || row.Repeats != 3 {
		t.Errorf("%+v %+v", row.Mean, row.Deviation)
	}
	if len(row.Levels) != 1 || row.Levels[0].Path[0] != "Creating" || row.Levels[0].Mean != row.Mean || row.Levels[0].Deviation != row.Deviation {
		t.Errorf("%+v", row.Levels)
	}
	if row.Changed.K != 2 || row.Changed.N != 3 || row.Flipped != 1 || row.Single != 1 {
		t.Errorf("%+v", row)
	}
	if got := slices.Collect(report.PairsBehindRow(row, report.Selection{Which: Changed})); !slices.Equal(got, []eval.Pair{{Sample: 1, First: model, Second: anchor}, {Sample: 2, First: model, Second: anchor}}) {
		t.Errorf("%v", got)
	}
	if got := slices.Collect(report.PairsBehindRow(row, report.Selection{Which: Incompletes})); len(got) != 0 {
		t.Errorf("%v", got)
	}

	p.Prefs = p.Prefs[:2]
	if r, err = ReportRepeats(t.Context(), p, VoteOptions{Anchor: "anchor"}); err != nil {
		t.Fatal(err)
	}
	row = r.Rows[0].(*RepeatsRow)
	if !strings.Contains(row.Mean.WhyUndefined(), "needs two repeats") || row.Deviation.WhyUndefined() == "" || row.Changed.N != 0 || row.Single != 4 {
		t.Errorf("%+v", row)
	}
}

// Rankings by votes under two settings of a judge are two, which say in what.
func TestRankingsTellSettingsOfJudge(t *testing.T) {
	rows := make([]report.Row, 2)
	for i, asked := range []string{"temperature 0", "temperature 1"} {
		row := &VotesRow{}
		row.Dataset, row.Model, row.Judge, row.Asked, row.Input, row.Run, row.N = "d", "m", "j", asked, "image", 1, 1
		rows[i] = row
	}
	got := rankByVotes(&report.Report{Rows: rows})
	if len(got) != 2 || got[0].Name != "d, j [temperature 0], without criteria, image" || got[1].Name != "d, j [temperature 1], without criteria, image" {
		t.Errorf("%d rankings: %+v", len(got), got)
	}
}
