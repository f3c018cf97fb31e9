package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

const tunedSamples = 60

// newTunedRig has three models' open answers, and three queues that ann has labelled: s of
// scores, v of votes on two against b, g of grades by two criteria. The judge errs on
// every fifth sample; with HINT in its prompt on two others alone.
func newTunedRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		asked, n := q.Turns[0].Text, 0
		_, behind, _ := strings.Cut(asked[strings.LastIndex(asked, "Number "):], "Number ")
		_, _ = fmt.Sscan(strings.TrimSuffix(strings.Fields(behind)[0], "?"), &n)
		hinted := strings.Contains(asked, "HINT")
		wrong := !hinted && n%5 == 0 || hinted && (n == 7 || n == 11)
		var said string
		switch {
		case strings.Contains(asked, " answer to score\n"):
			said = fmt.Sprint((n+oneIf(wrong))%5 + 1)
		case strings.Contains(asked, " Answer1\n"):
			_, first, _ := strings.Cut(asked, " Answer1\n")
			_, second, _ := strings.Cut(asked, " Answer2\n")
			said = "Answer1"
			if (first[0] < second[0]) != (n%2 == 0) != wrong {
				said = "Answer2"
			}
		case strings.Contains(asked, "Good at once") != wrong:
			said = "met"
		default:
			said = "unmet"
		}
		return openaitest.Response{Text: said, Prompt: 50, Completion: 1}
	}})
	var scores, votes, wanted strings.Builder
	scores.WriteString("sample,annotator,score\n")
	votes.WriteString("sample,model_1,model_2,annotator,vote\n")
	for _, model := range []string{"a", "b", "c"} {
		var rows strings.Builder
		for i := range tunedSamples {
			fmt.Fprintf(&rows, "{\"id\":\"s%d\",\"question\":\"Number %d?\",\"answer\":\"reference\",\"prediction\":\"%s says so\"}\n", i, i, model)
		}
		r.write(model+".jsonl", rows.String())
		r.done("import", "predictions", r.path(model+".jsonl"), "--dataset", "d", "--model", model)
	}
	for i := range tunedSamples {
		fmt.Fprintf(&scores, "s%d,ann,%d\n", i, i%5+1)
		for _, pair := range []string{"ab", "cb"} {
			vote := "answer1"
			if (pair[0] < pair[1]) != (i%2 == 0) {
				vote = "answer2"
			}
			fmt.Fprintf(&votes, "s%d,%c,%c,ann,%s\n", i, pair[0], pair[1], vote)
		}
		fmt.Fprintf(&wanted, "{\"sample\":\"s%d\",\"criteria\":[{\"id\":\"x\",\"text\":\"Good at once\"},{\"id\":\"y\",\"text\":\"Fine\"}]}\n", i)
	}
	r.write("scores.csv", scores.String())
	r.write("votes.csv", votes.String())
	r.write("criteria.jsonl", wanted.String())
	r.done("queue", "create", "s", "--dataset", "d", "--from", "all", "--model", "a", "--overlap", "1")
	r.done("import", "labels", r.path("scores.csv"), "--queue", "s")
	r.done("import", "votes", r.path("votes.csv"), "--dataset", "d", "--queue", "v", "--sample-of", "pairs", "--seed", "7")
	r.done("import", "criteria", r.path("criteria.jsonl"), "--dataset", "d")
	r.done("queue", "create", "g", "--dataset", "d", "--from", "criteria", "--model", "b", "--overlap", "1")
	gradeTuned(t, r)
	return r
}

func oneIf(is bool) int { return map[bool]int{true: 1}[is] }

// onStore does something with the rig's project.
func onStore(t *testing.T, r *rig, do func(*store.Store) error) {
	t.Helper()
	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(st), st.Close()); err != nil {
		t.Fatal(err)
	}
}

func queueItems(t *testing.T, r *rig, name annotate.QueueName) (out []annotate.QueueItem) {
	t.Helper()
	onStore(t, r, func(st *store.Store) error {
		for it, err := range st.Queues().QueueItems(t.Context(), name) {
			if err != nil {
				return err
			}
			out = append(out, it)
		}
		return nil
	})
	return out
}

// gradeTuned has ann grade all responses of the queue g.
func gradeTuned(t *testing.T, r *rig) {
	t.Helper()
	var acts []annotate.Act
	for i, it := range queueItems(t, r, "g") {
		acts = append(acts, annotate.Act{Queue: "g", Annotator: "ann", N: uint32(i + 1), Item: it.Key, Kind: annotate.Labelled, At: time.Unix(int64(i), 0)})
	}
	onStore(t, r, func(st *store.Store) error {
		for i := range acts {
			set, err := st.Criteria().Set("d", acts[i].Item.Sample)
			if err != nil {
				return err
			}
			cs := set.Criteria()
			acts[i].Reading = annotate.Reading{Kind: annotate.Graded, Grades: []annotate.Grade{
				{Criterion: criteria.CriterionName(cs, 0), Hash: cs[0].HashText(), Verdict: eval.Met},
				{Criterion: criteria.CriterionName(cs, 1), Hash: cs[1].HashText(), Verdict: eval.Unmet},
			}}
		}
		return st.Acts().Append(t.Context(), acts)
	})
}

// Prompts of judges that score, compare and grade are tried, measured and promoted like
// those of judges that read.
func TestJudgeIsTunedOnEveryKind(t *testing.T) {
	r := newTunedRig(t)
	for _, c := range []struct {
		queue, template string
		per, calls      int    // labels and calls of a sample
		judge           string // what has the judge asked under its own name
	}{
		{"s", "score", 1, 1, "judge scores --dataset d --model a --judge judge"},
		{"v", "vote", 2, 4, "judge votes --dataset d --model a --anchor b --judge judge --without-images"},
		{"g", "grade", 2, 2, "judge criteria --dataset d --model b --judge judge"},
	} {
		t.Run(c.template, func(t *testing.T) {
			r.tb = t
			own := r.done("config", "prompt", c.template)
			r.write("own.txt", own)
			r.write("hint.txt", strings.Replace(own, "{{.Fence}} question", "HINT\n{{.Fence}} question", 1))
			calls := func() int { n, _ := r.server.TotalCalls(); return n }
			tune := func(args ...string) partReport {
				t.Helper()
				return decode[partReport](t, r.done(append([]string{"judge", "tune", "--queue", c.queue, "--judge", "judge", "--json"}, args...)...))
			}
			r.done(strings.Fields(c.judge)...) // is taken over
			known := calls()
			first := tune("--prompt", r.path("own.txt"))
			if len(first.Rows) == 0 || first.Rows[0].Part != "development" {
				t.Fatalf("%+v", first)
			}
			count := func(r *partReport) (n int) {
				for _, row := range r.Rows {
					if row.Saved == 0 {
						n += row.Alignment.N
					}
				}
				return n / c.per
			}
			dev := count(&first)
			if again := calls() - known; dev < 15 || dev > 45 || again != dev*(c.calls-map[string]int{"s": 1, "v": 2, "g": 2}[c.queue]) {
				t.Fatalf("%d calls for %d samples", again, dev)
			}
			before := calls()
			second := tune("--prompt", r.path("hint.txt"))
			if asked := calls() - before; asked != dev*c.calls {
				t.Fatalf("%d calls for %d samples", asked, dev)
			}
			notes := strings.Join(second.Notes, "\n")
			if !strings.Contains(notes, "fixed ") || strings.Contains(notes, "fixed 0") {
				t.Errorf("%s", notes)
			}
			for _, row := range second.Rows {
				if row.Alignment.N == 0 || row.Alignment.K < row.Alignment.N/2 {
					t.Errorf("%+v", row)
				}
			}
			before = calls()
			tune("--prompt", r.path("own.txt"))
			if calls() != before {
				t.Errorf("%d calls made twice", calls()-before)
			}
			for _, said := range [][]string{{"report", "scores"}, {"report", "votes", "--anchor", "b"}, {"report", "rubric", "--dataset", "d"}, {"report", "agreement"}} {
				if got := r.concord(said...); strings.Contains(got.out, "judge~") {
					t.Errorf("what was tried is in %q:\n%s", said, got.out)
				}
			}
			hint := []string{"judge", "tune", "--queue", c.queue, "--judge", "judge", "--prompt", r.path("hint.txt")}
			held := decode[struct{ Candidate, Next string }](t, r.done(append(hint, "--part", "held-out", "--json")...))
			look := decode[partReport](t, r.done("report", "alignment", "--queue", c.queue, "--part", "held-out", "--judge", held.Candidate, "--save", "--as", "ann", "--json"))
			if count(&look) != tunedSamples-dev {
				t.Fatalf("%+v", look.Rows)
			}
			if out := r.done(append(hint, "--promote")...); !strings.Contains(out, held.Candidate) || !strings.Contains(r.read("concord.toml"), c.template+"@judge\" = ") {
				t.Errorf("%s\n%s", out, r.read("concord.toml"))
			}
			if got := r.ends(cli.ExitFailed, strings.Fields(c.judge)...); !strings.Contains(got.err, fmt.Sprintf("%q = ", c.template+"@NAME")) {
				t.Errorf("how to go on under the new prompt is not in %s", got.err)
			}
			if out := r.done("report", "calibrations", "--queue", c.queue); !strings.Contains(out, held.Candidate) {
				t.Errorf("%s", out)
			}
		})
	}
}

// Examples of what people say stand in the prompts of judges that score, compare and grade.
func TestExamplesOfEveryKind(t *testing.T) {
	r := newTunedRig(t)
	for _, c := range []struct{ queue, template, want string }{
		{"s", "score", "Right answer: reference\nAnswer: a says so\nReply: 5\n"},
		{"v", "vote", "Reply: Answer2\n"},
		{"g", "grade", "Criterion: Good at once\nReply: met\n"},
	} {
		r.write("shots.txt", strings.Replace(r.done("config", "prompt", c.template), "{{.Fence}} question", "{{examples 6}}\n{{.Fence}} question", 1))
		got := r.ends(cli.ExitDone, "judge", "tune", "--queue", c.queue, "--judge", "judge", "--json", "--prompt", r.path("shots.txt"))
		_, file, _ := strings.Cut(got.err, "6 examples drawn into the prompt, which is ")
		file, _, _ = strings.Cut(file, " now:")
		if filled := r.read(file); !strings.Contains(filled, c.want) {
			t.Errorf("nothing of %q in\n%s", c.want, filled)
		}
	}
}

// A prompt is promoted after a look at all of the held-out part, and what it was asked
// before is not asked again by the judge's own name.
func TestPromotionNeedsAWholeLook(t *testing.T) {
	r := newTunedRig(t)
	r.write("hint.txt", strings.Replace(r.done("config", "prompt", "score"), "{{.Fence}} question", "HINT\n{{.Fence}} question", 1))
	hint := []string{"judge", "tune", "--queue", "s", "--judge", "judge2", "--prompt", r.path("hint.txt")}
	r.done(hint...)
	refused := func(what string, args ...string) {
		t.Helper()
		if got := r.ends(cli.ExitFailed, args...); !strings.Contains(got.err, what) {
			t.Errorf("%v: %s", args, got.err)
		}
	}
	candidate := ""
	for _, row := range decode[partReport](t, r.done("report", "alignment", "--queue", "s", "--part", "development", "--json")).Rows {
		candidate = row.Extractor
	}
	look := []string{"report", "alignment", "--queue", "s", "--part", "held-out", "--judge", candidate, "--save", "--as", "ann"}
	r.done(look...) // of nothing
	refused("whole held-out part", append(hint, "--promote")...)
	r.done(append(hint, "--part", "held-out")...)
	refused("whole held-out part", append(hint, "--promote")...)
	r.done(look...)
	r.done(append(hint, "--promote")...)
	before, _ := r.server.TotalCalls()
	if out := r.done("judge", "scores", "--dataset", "d", "--model", "a", "--judge", "judge2"); !strings.Contains(out, "60 of 60") {
		t.Error(out)
	}
	if after, _ := r.server.TotalCalls(); after != before {
		t.Errorf("%d calls for what was asked before", after-before)
	}
	r.write("empty.txt", "\n")
	for what, args := range map[string][]string{
		"whatever --cluster names": {"report", "alignment", "--queue", "s", "--part", "development", "--cluster", "question"},
		"is empty":                 {"judge", "tune", "--queue", "s", "--judge", "judge2", "--prompt", r.path("empty.txt")},
		"is the name of a prompt":  {"judge", "tune", "--queue", "s", "--judge", candidate, "--prompt", r.path("hint.txt")},
	} {
		if got := r.concord(args...); got.code == cli.ExitDone || !strings.Contains(got.err, what) {
			t.Errorf("%v: exit status %d: %s", args, got.code, got.err)
		}
	}
}
