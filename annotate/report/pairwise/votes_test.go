package pairwise

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// newPoll gives an anchor and a model on seven questions: won, tied by position,
// one reply unparsed, one order missing, one call failed, no anchor's answer,
// and lost.
func newPoll() (p *reporttest.Votes, anchor, model eval.RunID) {
	p = &reporttest.Votes{Memory: reporttest.New()}
	var samples []eval.Sample
	for i := range 7 {
		samples = append(samples, eval.Sample{ID: eval.SampleID("abcdefg"[i : i+1]), Kind: eval.KindOpen, Taxonomy: []string{[]string{"Creating", "Applying"}[i%2], "c"}})
	}
	p.AddDataset("d", samples...)
	config := eval.Config{Dataset: "d", Model: "anchor", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported}
	anchor = p.AddRun(config)
	config.Model = "model"
	model = p.AddRun(config)
	for o := range eval.Ordinal(7) {
		if o != 5 {
			p.AddResponse(anchor, o, 0, "short")
		}
		p.AddResponse(model, o, 0, "rather longer")
	}
	p.AddVote(0, model, anchor, eval.Answer1)
	p.AddVote(0, anchor, model, eval.Answer2)
	p.AddVote(1, model, anchor, eval.Answer1)
	p.AddVote(1, anchor, model, eval.Answer1)
	p.AddVote(2, model, anchor, eval.Answer1)
	p.AddVote(2, anchor, model, eval.VoteUnset)
	p.AddVote(3, model, anchor, eval.Answer1)
	p.AddVote(4, model, anchor, eval.Answer1)
	p.AddVote(4, anchor, model, eval.VoteUnset).Failure = &eval.Failure{Kind: eval.FailureTransient}
	p.AddVote(6, model, anchor, eval.Answer1)
	p.AddVote(6, model, anchor, eval.Answer2) // a newer revision stands
	p.AddVote(6, model, anchor, eval.VoteUnset).Failure = &eval.Failure{Kind: eval.FailureTransient}
	p.AddVote(6, anchor, model, eval.SituationTwo)
	return p, anchor, model
}

func TestVotes(t *testing.T) {
	p, _, model := newPoll()
	older, err := ReportVotes(t.Context(), p, VoteOptions{})
	if err != nil || older.Rows[0].(*VotesRow).Anchor != "anchor" || !strings.Contains(strings.Join(older.Notes, " "), "assumed to be anchor") {
		t.Errorf("%+v %v", older.Notes, err)
	}
	r, err := ReportVotes(t.Context(), p, VoteOptions{Anchor: "anchor"})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].(*VotesRow)
	if row.Win != 1 || row.Lose != 1 || row.Tie != 1 || row.N != 3 || row.Folded != 1 || row.WinRate.K != 1 {
		t.Errorf("%+v", row.Outcomes)
	}
	if row.Incomplete != 4 || row.NotAsked != 1 || row.NoAnswer != 1 || row.OneOrder != 1 || row.Unparsed != 1 || row.Errors != 1 {
		t.Errorf("%+v", row)
	}
	if p := row.Position; p.Same.K != 1 || p.First.K != 1 || p.Second.K != 0 || p.Other.K != 1 || p.Other.N != 3 {
		t.Errorf("%+v", p)
	}
	if len(row.Levels) != 4 || row.Levels[0].Path[0] != "Applying" || row.Levels[0].N != 1 || row.Levels[2].N != 2 {
		t.Errorf("%+v", row.Levels)
	}
	open := func(s report.Selection) (out []eval.Ordinal) {
		for k, err := range row.KeysBehind(t.Context(), p, s) {
			if err != nil || k.Run != model {
				t.Fatal(k, err)
			}
			out = append(out, k.Sample)
		}
		return out
	}
	check := func(s report.Selection, want ...eval.Ordinal) {
		t.Helper()
		if got := open(s); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", s, got, want)
		}
	}
	check(report.Selection{Which: Wins}, 0)
	check(report.Selection{Which: Incompletes}, 2, 3, 4, 5)
	check(report.Selection{Which: Incompletes, Level: []string{"Creating"}}, 2, 4)
	check(report.Selection{Which: FirstVotes}, 1)
	check(report.Selection{Which: OtherVotes}, 6)
	check(report.Selection{Which: report.Right})
}

// A third model makes the anchor known, also to who asks for one judge.
// What curators discarded is no question any more, whatever was voted on it.
func TestDiscardedVotes(t *testing.T) {
	p, _, _ := newPoll()
	p.Sets = append(p.Sets, criteria.Set{Dataset: "d", Sample: 0, Removed: &criteria.Removal{Reason: "blurred"}})
	r, err := ReportVotes(t.Context(), p, VoteOptions{Anchor: "anchor"})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].(*VotesRow)
	if row.Win != 0 || row.N != 2 || row.Incomplete != 4 || row.Position.Same.K != 0 || len(row.behind) != 6 {
		t.Errorf("%+v", row)
	}
	if notes := strings.Join(r.Notes, " "); !strings.Contains(notes, "Discarded samples of d are left out (1).") {
		t.Error(notes)
	}
}

func TestAnchor(t *testing.T) {
	p, anchor, model := newPoll()
	better := p.AddRun(eval.Config{Dataset: "d", Model: "better", Modality: eval.WithImage})
	v := p.AddVote(0, better, anchor, eval.Answer1)
	v.Judge = "other"
	if r, err := ReportVotes(t.Context(), p, VoteOptions{Judge: "gpt"}); err != nil || len(r.Rows) != 1 || r.Rows[0].(*VotesRow).Anchor != "anchor" {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := ReportVotes(t.Context(), p, VoteOptions{Judge: "nobody"}); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
	r, err := ReportVotes(t.Context(), p, VoteOptions{Anchor: "model"})
	if err != nil || len(r.Rows) != 1 || r.Rows[0].(*VotesRow).Win != 1 || !strings.Contains(r.Notes[0], "without the anchor model are left out (1)") {
		t.Errorf("%+v %v", r, err)
	}
	p.AddVote(1, better, model, eval.Answer1)
	if _, err := ReportVotes(t.Context(), p, VoteOptions{}); !errors.Is(err, ErrNoAnchor) {
		t.Error(err)
	}
}

func TestBias(t *testing.T) {
	p, anchor, _ := newPoll()
	third := p.AddRun(eval.Config{Dataset: "d", Model: "third", Modality: eval.WithImage})
	p.AddResponse(third, 0, 0, "tiny")
	p.AddVote(0, third, anchor, eval.Answer1)
	p.AddVote(0, anchor, third, eval.Answer1)
	r, err := ReportBias(t.Context(), p, VoteOptions{})
	if err != nil || len(r.Rows) != 2 || len(r.Overall) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	row := r.Rows[0].(*BiasRow)
	if row.Longer.K != 6 || row.Longer.N != 8 || row.Undecided != 1 || row.EqualLength != 0 || row.Lengths[0].Longer.N != 8 || row.Incomplete != 4 {
		t.Errorf("%+v", row)
	}
	all := r.Overall[0].(*BiasRow)
	if all.Position.First.K != 2 || all.Position.First.N != 4 || all.Run != 0 || all.Model != "all" || all.Incomplete != 10 {
		t.Errorf("%+v", all)
	}
}

func TestVotesInEveryFormat(t *testing.T) {
	p, _, _ := newPoll()
	p.AllRuns[1].Config.Model = "mo\x1b[2Jdel"
	for name, build := range map[string]func(context.Context, report.VoteFacts, VoteOptions) (report.Report, error){"votes": ReportVotes, "bias": ReportBias} {
		r, err := build(t.Context(), p, VoteOptions{Anchor: "anchor"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
			var b bytes.Buffer
			if err := report.RenderReport(&b, r, f, 80); err != nil || b.Len() == 0 || strings.ContainsRune(b.String(), 0x1b) {
				t.Errorf("%s as %s: %v\n%s", name, f, err, &b)
			}
			if f == table.FormatTable && name == "votes" && !strings.Contains(b.String(), "50.0%") {
				t.Errorf("no row of the anchor in\n%s", &b)
			}
			if f == table.FormatJSON && !json.Valid(b.Bytes()) {
				t.Errorf("%s", &b)
			}
		}
	}
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		more  int
		r     metric.Result
		bin   int
		which report.Which
	}{
		{24, metric.Win, 0, LongerWon},
		{-25, metric.Win, 1, ShorterWon},
		{-49, metric.Lose, 1, LongerWon},
		{499, metric.Tie, 4, NeitherWon},
		{0, metric.Win, 0, EqualLength},
		{200, metric.Win, 4, LongerWon},
		{199, metric.Lose, 3, ShorterWon},
	} {
		v := lengthVote{more: c.more, result: c.r}
		if v.binIndex() != c.bin || v.figureOfVote() != c.which {
			t.Errorf("%+v: %d, %s", c, v.binIndex(), v.figureOfVote())
		}
	}
}

// The votes that criteria turn are listed once, beside what people come to
// (Table 11).
func TestTurnedVotes(t *testing.T) {
	r, err := ReportAgreement(t.Context(), newPanel(), AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	turned := agreementOf(t, &r, "", "X", true).Effect.Turned
	if len(turned) < 4 || turned[0].Sample == "" || turned[0].Model == turned[0].Against || agreementOf(t, &r, "ann", "X", true).Effect.Turned != nil {
		t.Errorf("%+v", turned)
	}
	for _, v := range turned {
		if v.With == v.Without || v.With == "" || v.Without == "" {
			t.Errorf("%+v", v)
		}
	}
}
