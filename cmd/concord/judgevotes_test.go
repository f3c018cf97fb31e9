package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
)

// panel is a server's juror, and what it replied last about each pair.
type panel struct {
	openaitest.Juror
	mu   sync.Mutex
	last map[string]string // by what was asked first
}

func (p *panel) answer(q *openaitest.Request) openaitest.Response {
	r, ok := p.VoteOnAnswers(q)
	if !ok {
		return openaitest.Response{Fault: openaitest.Reject}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[q.Turns[0].Text] = r.Text
	return r
}

// merged is what MLLM-Bench's rule makes of all that was replied (spec of its
// repository: equal votes stand, a model and an "unable" give the model, one
// each is a tie), written down here once more.
func (p *panel) merged() map[string]int {
	pairs := make(map[string][]string) // question -> verdicts, by "model" and "anchor"
	for asked, reply := range p.last {
		_, question, _ := strings.Cut(asked, "What is number ")
		question, _, _ = strings.Cut(question, "?")
		lines := strings.Split(reply, "\n")
		verdict := lines[len(lines)-1]
		if n, ok := strings.CutPrefix(verdict, "Answer"); ok {
			_, behind, _ := strings.Cut(asked, " Answer"+n+"\n")
			verdict, _, _ = strings.Cut(behind, " says")
		}
		if verdict == "model" || verdict == "anchor" || strings.HasPrefix(verdict, "unable") {
			pairs[question] = append(pairs[question], verdict)
		}
	}
	out := make(map[string]int)
	for _, v := range pairs {
		slices.Sort(v) // anchor, model, unable ... one, unable ... two
		switch {
		case len(v) < 2:
			continue
		case v[0] == v[1] && strings.HasPrefix(v[0], "unable"):
			out[map[bool]string{true: "situation_one", false: "situation_two"}[strings.HasSuffix(v[0], "one")]]++
		case strings.HasPrefix(v[0], "unable"):
			out["unable"]++
		case v[0] != v[1] && v[1] == "model":
			out["tie"]++
		case v[0] == "model":
			out["win"]++
		default:
			out["lose"]++
		}
	}
	return out
}

// newVoteRig gives a project with n open questions that two models answered.
func newVoteRig(tb testing.TB, n int, p *panel, o openaitest.Options) *rig {
	tb.Helper()
	p.last = make(map[string]string)
	o.Answer = p.answer
	r := newRig(tb, o)
	var questions []map[string]any
	answers := map[string][]map[string]any{}
	for i := range n {
		q := map[string]any{
			"id": strconv.Itoa(i + 1), "image_path": fmt.Sprintf("%d.png", i+1), "question": fmt.Sprintf("What is number %d?", i),
			"meta": map[string]any{"level": "L" + strconv.Itoa(i%3), "capability": "c", "question type": "open-ended"},
		}
		questions = append(questions, q)
		for _, model := range []string{"model", "anchor"} {
			answers[model] = append(answers[model], map[string]any{
				"unique_idx": q["id"], "image": q["image_path"], "question": q["question"], "meta": q["meta"], "gen_model_id": model,
				"prompt": q["question"], "answer": fmt.Sprintf("%s says it is %d", model, i), "gen_kwargs": map[string]any{},
			})
		}
	}
	file := func(name string, v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			tb.Fatal(err)
		}
		r.write(name, string(text))
		return r.path(name)
	}
	r.done("import", "dataset", file("questions.json", questions), "--name", "mb")
	r.done("import", "predictions", file("anchor.json", answers["anchor"]), "--dataset", "mb")
	r.done("import", "predictions", file("model.json", answers["model"]), "--dataset", "mb")
	return r
}

var voteArgs = []string{"judge", "votes", "--dataset", "mb", "--model", "model", "--anchor", "anchor", "--judge", "judge", "--concurrency", "8", "--json", "--without-images"}

func (r *rig) votes(args ...string) jobs.VoteSummary {
	r.tb.Helper()
	return decode[jobs.VoteSummary](r.tb, r.done(append(slices.Clone(voteArgs), args...)...))
}

// reportedOf are the counts of report votes, "incomplete" among them.
func (r *rig) reportedOf(anchor string) map[string]int {
	r.tb.Helper()
	rows := decode[struct{ Rows []map[string]any }](r.tb, r.done("report", "votes", "--anchor", anchor, "--json")).Rows
	if len(rows) == 0 {
		r.tb.Fatal("no rows")
	}
	out := make(map[string]int)
	for _, name := range []string{"win", "lose", "tie", "situation_one", "situation_two", "unable", "incomplete", "n"} {
		for _, row := range rows { // with the image, and without it
			if k, ok := row[name].(float64); ok && k > 0 {
				out[name] += int(k)
			}
		}
	}
	return out
}

// firstAsks are the calls about pairs, less those after a hint: a pair that was
// under way costs both again.
func (r *rig) firstAsks() map[openaitest.Ask]int {
	all := r.server.CallCounts()
	for a := range all {
		if strings.Contains(a.Prompt, "Reply again with your vote") {
			delete(all, a)
		}
	}
	return all
}

// A judge run over 840 pairs is killed again and again: what is stored in the
// end is what the server replied, each pair once, and the report counts so.
func TestKilledJudgeVotes(t *testing.T) {
	kills := 12
	if testing.Short() {
		kills = 3
	}
	const samples = 420
	p := &panel{Juror: openaitest.Juror{Seed: 1, First: 0.2, Undecided: 0.15, Wordy: 0.06}}
	r := newVoteRig(t, samples, p, openaitest.Options{Latency: 2 * time.Millisecond, Jitter: 8 * time.Millisecond, Seed: 1})
	r.patient()
	for range kills {
		before := r.firstAsks()
		r.kill(voteArgs, time.Duration(5+rand.IntN(40))*time.Millisecond)
		if n := repeats(before, r.firstAsks()); n > killedAtOnce {
			t.Fatalf("%d calls were made again after a kill", n)
		}
	}
	before := r.firstAsks()
	s := r.votes()
	if n := repeats(before, r.firstAsks()); n > killedAtOnce {
		t.Errorf("%d calls were made again after the last kill", n)
	}
	if s.State != "done" || s.Wanted != 2*samples || s.Stored+s.Unparsed != 2*samples || s.Unparsed == 0 || s.Failed+s.Pending != 0 ||
		s.WithoutPicture != 2*samples || len(s.LeftOut) != 0 || s.Cost == nil {
		t.Errorf("%+v", s)
	}
	want := p.merged()
	n := 0
	for _, k := range want {
		n += k
	}
	want["n"], want["incomplete"] = n, samples-n
	if got := r.reportedOf("anchor"); fmt.Sprint(got) != fmt.Sprint(want) || want["win"] < 50 || want["incomplete"] == 0 || want["tie"] < 50 {
		t.Errorf("report votes has %v, the server replied %v", got, want)
	}
	total, _ := r.server.TotalCalls()
	if again := r.votes(); again.Asked != 0 || again.Stored != s.Stored || again.Usage != s.Usage {
		t.Errorf("%+v", again)
	}
	if after, _ := r.server.TotalCalls(); after != total {
		t.Errorf("%d calls were made about nothing", after-total)
	}
}

// With faults on a fifth of the calls no vote is lost: what an outage took the
// same command asks, what was refused for its content --retry-failed does.
func TestFaultsLoseNoVotes(t *testing.T) {
	const samples = 210
	p := &panel{Juror: openaitest.Juror{Seed: 2, First: 0.2, Undecided: 0.1}}
	r := newVoteRig(t, samples, p, openaitest.Options{Faults: openaitest.FaultAtRate(1, 0.2, rigFaults()...)})
	var s jobs.VoteSummary
	s.Failed = 1
	sessions := 0
	for args := slices.Clone(voteArgs); s.Failed+s.Pending > 0 && sessions < 20; sessions++ {
		got := r.concord(args...)
		s = decode[jobs.VoteSummary](t, got.out)
		if s.Stored+s.Unparsed+s.Failed+s.Pending != 2*samples || (got.code == cli.ExitDone) != (s.Pending == 0) {
			t.Fatalf("session %d, exit status %d: %+v", sessions, got.code, s)
		}
		if sessions == 1 {
			args = append(args, "--retry-failed")
		}
	}
	if s.Stored+s.Unparsed != 2*samples || sessions < 3 {
		t.Errorf("after %d sessions: %+v", sessions, s)
	}
}
