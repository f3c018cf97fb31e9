package report

import (
	"errors"
	"slices"
	"testing"

	"concord/annotate"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// voted is newPoll, whose judge gives the model a win, a tie and a loss, with a
// queue of all six pairs. People vote for the model, for the model, and for the
// anchor on those three.
func votedPoll(turned bool) (p *poll, anchor, model eval.RunID) {
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
		p.people = append(p.people, annotate.PersonVote{Queue: "v", Annotator: "ann", Pair: pair, Vote: vote})
		p.Acts["v"] = append(p.Acts["v"], annotate.Act{
			Queue: "v", Annotator: "ann", N: uint32(i + 1), Item: k, Kind: annotate.Labelled, Reading: annotate.Reading{Verdict: annotate.Voted, Vote: vote},
		})
	}
	return p, anchor, model
}

func TestCorrectedWinRate(t *testing.T) {
	for _, turned := range []bool{false, true} {
		p, _, _ := votedPoll(turned)
		r, err := Votes(t.Context(), p, VoteOptions{Anchor: "anchor", Corrected: &Correcting{Fewest: 2}})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0].(*VotesRow)
		near(t, "judge", row.JudgeOnly.Value, 1.0/3)
		near(t, "people", row.People.Value, 2.0/3)
		near(t, "corrected", row.Corrected.Value, 2.0/3)
		if row.Corrected.N != 3 || row.Policy != "mllm-bench majority" || !slices.Equal(row.Queues, []annotate.QueueName{"v"}) {
			t.Errorf("%+v", row.Correction)
		}
	}
}

func TestCorrectedWinRateRefused(t *testing.T) {
	check := func(want string, change func(*poll)) {
		t.Helper()
		p, _, _ := votedPoll(false)
		change(p)
		r, err := Votes(t.Context(), p, VoteOptions{Anchor: "anchor", Corrected: &Correcting{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Rows[0].(*VotesRow).Corrected.Undefined; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("no queue drawn at random has labels of it", func(p *poll) { p.AllQueues = nil })
	check("no queue drawn at random has labels of it", func(p *poll) { p.people = nil })
	check("its only labels are of the priority stratum (v), chosen by interest: they say nothing about the others",
		func(p *poll) { p.AllQueues[0].Stratum = annotate.Priority })
	check("queue v was drawn from 4 pairs, and there are 6 by now: with which probability the others would have been drawn is not known",
		func(p *poll) { p.AllQueues[0].Population = 4 })
	p, _, _ := votedPoll(false)
	p.AllQueues[0].Stratum = annotate.Priority
	if _, err := Votes(t.Context(), p, VoteOptions{Corrected: &Correcting{Queues: []annotate.QueueName{"v"}}}); !errors.Is(err, ErrNotRandom) {
		t.Errorf("%v", err)
	}
}

// The judge scores three answers; of a queue of all six people have scored two
// of them, flagged the third and skipped the others.
func TestCorrectedScores(t *testing.T) {
	m := newMarked()
	m.AllQueues[0].Population = 6
	for o := range eval.Ordinal(6) {
		m.Items["q"] = append(m.Items["q"], annotate.QueueItem{Index: int(o), Key: annotate.ItemOf(eval.Key{Run: 1, Sample: o}), Inclusion: 1})
		if o > 2 {
			m.Acts["q"] = append(m.Acts["q"], annotate.Act{Queue: "q", Annotator: "ann", N: 10 + uint32(o), Item: m.Items["q"][o].Key, Kind: annotate.Skipped})
		}
	}
	r, err := Scores(t.Context(), m, Options{Reader: reporttest.Readers("1"), Corrected: &Correcting{Fewest: 2}})
	if err != nil {
		t.Fatal(err)
	}
	gpt := r.Rows[0].(*ScoresRow).Judges[0]
	near(t, "people", gpt.People.Value, 2.75)
	// cov 0.875 of n 2, N 1; the judge's 5, 4 and 2 have the variance 7/3:
	// lambda 0.875 / (3 * 7/3) = 0.125, and 0.125 * 2 + 2.75 - 0.125 * 4.5.
	near(t, "lambda", *gpt.Corrected.Lambda, 0.125)
	near(t, "corrected", gpt.Corrected.Value, 2.4375)
	near(t, "judge", gpt.JudgeOnly.Value, 11.0/3)
	if gpt.Corrected.N != 2 || gpt.Strata[0].Items != 3 || gpt.LeftOut[annotate.LeftFlagged] != 1 || gpt.LeftOut[annotate.LeftUnlabelled] != 2 {
		t.Errorf("%+v", gpt.Correction)
	}
	if b := gpt.Corrected.Bounds; gpt.Corrected.Missing != 1 || b == nil || b.Low > gpt.Corrected.Low || b.High < gpt.Corrected.Value || b.Low < 1 || b.High > 5 {
		t.Errorf("missing %d, bounds %+v", gpt.Corrected.Missing, b)
	}
	if other := r.Rows[0].(*ScoresRow).Judges[1]; other.Corrected.Undefined != "no items" {
		t.Errorf("%+v", other.Correction)
	}
}
