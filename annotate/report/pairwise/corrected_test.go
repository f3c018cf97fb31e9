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

// voted is newPoll, whose judge gives the model a win, a tie and a loss, with a
// queue of all six pairs. People vote for the model, for the model, and for the
// anchor on those three.
func votedPoll(turned bool) (p *reporttest.Votes, anchor, model eval.RunID) {
	p, anchor, model = newPoll()
	p.AllQueues = []annotate.Queue{{
		Name: "v", Stratum: annotate.Random, Overlap: 1, Population: 6, Items: 6,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Runs: []eval.RunID{model}, Anchor: anchor},
	}}
	if turned {
		p.AllQueues[0].Rule.Runs, p.AllQueues[0].Rule.Anchor = []eval.RunID{anchor, model}, 0
	}
	for i, o := range []eval.Ordinal{0, 1, 2, 3, 4, 6} {
		pair := eval.Pair{Sample: o, First: model, Second: anchor}
		vote := eval.Answer1
		if o == 6 {
			vote = eval.Answer2
		}
		if turned {
			pair, vote = pair.Swapped(), vote.Swapped()
		}
		k := annotate.ItemKey{Key: eval.Key{Run: pair.First, Sample: o}, Against: pair.Second}
		p.Items["v"] = append(p.Items["v"], annotate.QueueItem{Index: i, Key: k, Inclusion: 1})
		p.People = append(p.People, annotate.PersonVote{Queue: "v", Annotator: "ann", Pair: pair, Vote: vote})
		p.Acts["v"] = append(p.Acts["v"], annotate.Act{
			Queue: "v", Annotator: "ann", N: uint32(i + 1), Item: k, Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.Voted, Vote: vote},
		})
	}
	return p, anchor, model
}

func TestCorrectedWinRate(t *testing.T) {
	for _, turned := range []bool{false, true} {
		p, _, _ := votedPoll(turned)
		r, err := ReportVotes(t.Context(), p, VoteOptions{Anchor: "anchor", Corrected: &report.Correcting{Fewest: 2}})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0].(*VotesRow)
		reporttest.CheckNear(t, "judge", row.JudgeOnly.Value, 1.0/3)
		reporttest.CheckNear(t, "people", row.People.Value, 2.0/3)
		reporttest.CheckNear(t, "corrected", row.Corrected.Value, 2.0/3)
		if row.Corrected.N != 3 || row.Policy != "mllm-bench majority" || !slices.Equal(row.Queues, []annotate.QueueName{"v"}) {
			t.Errorf("%+v", row.Correction)
		}
	}
}

func TestCorrectedWinRateRefused(t *testing.T) {
	check := func(want string, change func(*reporttest.Votes)) {
		t.Helper()
		p, _, _ := votedPoll(false)
		change(p)
		r, err := ReportVotes(t.Context(), p, VoteOptions{Anchor: "anchor", Corrected: &report.Correcting{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Rows[0].(*VotesRow).Corrected.Undefined; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("no queue drawn at random has labels of it", func(p *reporttest.Votes) { p.AllQueues = nil })
	check("no queue drawn at random has labels of it", func(p *reporttest.Votes) { p.People = nil })
	check("its only labels are of targeted sampling (v), chosen by interest: they say nothing about the others",
		func(p *reporttest.Votes) { p.AllQueues[0].Stratum = annotate.Priority })
	check("queue v was drawn from 4 pairs, and there are 6 by now: with which probability the others would have been drawn is not known",
		func(p *reporttest.Votes) { p.AllQueues[0].Population = 4 })
	p, _, _ := votedPoll(false)
	p.AllQueues[0].Stratum = annotate.Priority
	if _, err := ReportVotes(t.Context(), p, VoteOptions{Corrected: &report.Correcting{Queues: []annotate.QueueName{"v"}}}); !errors.Is(err, report.ErrNotRandom) {
		t.Errorf("%v", err)
	}
}
