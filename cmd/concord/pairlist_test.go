package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
	"concord/tui/pairs"
)

// duelRig is a project of four pairs that a judge has voted on in both orders;
// ada and bo have, ada but for the last.
func duelRig(t *testing.T) view.Pairs {
	r := newRig(t, openaitest.Options{})
	var questions, judge, people strings.Builder
	answers := map[string]*strings.Builder{"otter": {}, "lynx": {}}
	for i := 1; i <= 4; i++ {
		_, _ = fmt.Fprintf(&questions, `{"index":%d,"question":"What is %d?","question type":"open-ended"}`+"\n", i, i)
		for model, b := range answers {
			_, _ = fmt.Fprintf(b, `{"id":%d,"prediction":"%s says %d"}`+"\n", i, model, i)
		}
		for order, models := range [][2]string{{"lynx", "otter"}, {"otter", "lynx"}} {
			vote := "Answer1" // the first shown, but on the first sample: lynx
			if i == 1 && order == 1 {
				vote = "Answer2"
			}
			_, _ = fmt.Fprintf(&judge, `{"uid":"%d_%d","id":%d,"question":"What is %d?","criteria":"1. It says %d.","model_1":%q,"model_2":%q,"answer1":"%s says %d","answer2":"%s says %d","judge":"j","judge_raw":"well\n%s"}`+"\n",
				i, order+1, i, i, i, models[0], models[1], models[0], i, models[1], i, vote)
		}
		for _, who := range []string{"ada", "bo"} {
			if who == "bo" || i < 4 {
				_, _ = fmt.Fprintf(&people, `{"sample":"%d","model_1":"otter","model_2":"lynx","annotator":%q,"vote":"answer1","note":"so"}`+"\n", i, who)
			}
		}
	}
	r.write("q.jsonl", questions.String())
	r.done("import", "dataset", r.path("q.jsonl"), "--name", "d")
	for _, model := range []string{"otter", "lynx"} {
		r.write(model+".jsonl", answers[model].String())
		r.done("import", "predictions", r.path(model+".jsonl"), "--dataset", "d", "--model", model)
	}
	r.write("j.jsonl", judge.String())
	r.done("import", "votes", r.path("j.jsonl"), "--dataset", "d")
	r.write("p.jsonl", people.String())
	r.done("import", "votes", r.path("p.jsonl"), "--dataset", "d", "--queue", "q", "--overlap", "2")
	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return view.Pairs{Samples: view.Samples{Source: facts.NewSource(st), Policy: view.NewPolicies(st), Now: time.Now}}
}

// rowsOf are the rows behind a figure, as a person sees them.
func rowsOf(t *testing.T, b view.Pairs, who annotate.Annotator, tells bool, w report.Which) []pairs.Row {
	t.Helper()
	rep, err := pairwise.ReportVotes(t.Context(), b.Source, pairwise.VoteOptions{Anchor: "otter"})
	if err != nil {
		t.Fatal(err)
	}
	ask := pairs.Ask{Who: who, Tells: tells, Ballot: &eval.Ballot{Judge: "j", Criteria: true, Input: eval.SeesImage}}
	var out []pairs.Row
	for row, err := range b.RowsOfPairs(context.Background(), ask, report.PairsBehindRow(rep.Rows[0], report.Selection{Which: w})) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

func TestPairsBehindVotes(t *testing.T) {
	b := duelRig(t)
	all := rowsOf(t, b, "bo", false, report.Every)
	if len(all) != 4 || slices.ContainsFunc(all, func(r pairs.Row) bool { return r.Blinded }) {
		t.Fatalf("%+v", all)
	}
	first := all[0]
	if first.Outcome != "win" || first.Models != [2]string{"lynx", "otter"} || first.Orders[0].Vote != eval.Answer1 || first.Orders[1].Vote != eval.Answer1 {
		t.Errorf("the pair that lynx won: %+v", first)
	}
	if !slices.Equal(first.People, []eval.Vote{eval.Answer2, eval.Answer2}) { // they prefer otter
		t.Errorf("people's votes: %v", first.People)
	}
	if all[1].Outcome != "tie" || all[1].Orders[1].Vote != eval.Answer2 {
		t.Errorf("a pair that the first shown won twice: %+v", all[1])
	}
	if wins := rowsOf(t, b, "bo", true, pairwise.Wins); len(wins) != 1 || wins[0].Sample != "1" {
		t.Errorf("behind the wins: %+v", wins)
	}
	d, err := b.Detail(t.Context(), "bo", first.Pair)
	if err != nil || d.Blinded || d.Answers[0].Text != "lynx says 1" || d.Criteria != "1. It says 1." || d.Type != eval.OpenEnded {
		t.Fatalf("%+v %v", d, err)
	}
	if len(d.Ballots) != 1 || d.Ballots[0].Orders[1].Raw != "well\nAnswer2" || d.Ballots[0].Outcome != "win" {
		t.Errorf("%+v", d.Ballots)
	}
	if len(d.People) != 2 || d.People[0] != (pairs.Vote{Who: "ada", Queue: "q", Vote: eval.Answer2, Second: true, Note: "so"}) {
		t.Errorf("%+v", d.People)
	}
}

// A pair that waits for the reader's vote, and all of them before whoever has
// voted on none, come without names, votes and answers.
func TestPairsAreSealedBeforeTheVote(t *testing.T) {
	b := duelRig(t)
	for who, sealed := range map[annotate.Annotator]int{"ada": 1, "bo": 0, "cy": 4, "": 4} {
		all := rowsOf(t, b, who, false, report.Every)
		n := 0
		for _, row := range all {
			if !row.Blinded {
				continue
			}
			n++
			if row.Models != [2]string{} || row.Orders != [2]pairs.Order{} || row.Outcome != "" || row.People != nil {
				t.Errorf("%q sees %+v", who, row)
			}
			d, err := b.Detail(t.Context(), who, row.Pair)
			if err != nil || !d.Blinded || d.Models != [2]string{} || d.Answers != [2]pairs.Answer{} ||
				d.Ballots != nil || d.People != nil || d.Criteria != "" {
				t.Errorf("%q sees %+v %v", who, d, err)
			}
		}
		if n != sealed || len(all) != 4 {
			t.Errorf("%q: %d of %d sealed, want %d", who, n, len(all), sealed)
		}
		hidden := 0
		for _, row := range rowsOf(t, b, who, true, pairwise.Ties) {
			if row.LeftOut {
				hidden++
				if row.Sample != "" || row.Pair != (eval.Pair{}) {
					t.Errorf("%q is told that a pair is in the list: %+v", who, row)
				}
			}
		}
		if want := min(sealed, 3); hidden != want {
			t.Errorf("%q: %d ties are hidden, want %d", who, hidden, want)
		}
	}
}
