package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/eval/prompt"
	"concord/store"
)

// newScoreRig gives a project with n open questions, all but the first of which
// have a reference, that two models answered; one call failed. The server
// scores an answer by its last digit.
func newScoreRig(t *testing.T, n int, o openaitest.Options) *rig {
	t.Helper()
	o.Answer = func(q *openaitest.Request) openaitest.Response {
		asked := q.Turns[0].Text
		_, behind, _ := strings.Cut(asked, " answer to score\n")
		answer, _, _ := strings.Cut(behind, "\n")
		score := answer[len(answer)-1:]
		switch {
		case score == "0" && len(q.Turns) == 1:
			score = "I would say 4."
		case score == "9":
			score = "It is right."
		case score == "8":
			return openaitest.Response{Fault: openaitest.Filtered}
		case score == "0":
			score = "**4**"
		}
		return openaitest.Response{Text: score, Prompt: 50, Completion: 1}
	}
	r := newRig(t, o)
	for _, model := range []string{"one", "two"} {
		var rows strings.Builder
		for i := range n {
			answer := ""
			if i > 0 {
				answer = fmt.Sprintf("reference %d", i)
			}
			prediction := fmt.Sprintf("%s says %d", model, i%10)
			fmt.Fprintf(&rows, "{\"id\":%d,\"question\":\"Number %d?\",\"answer\":%q,\"prediction\":%q}\n", i, i, answer, prediction)
		}
		r.write(model+".jsonl", rows.String())
		r.done("import", "predictions", r.path(model+".jsonl"), "--dataset", "vqa", "--model", model)
	}
	return r
}

var scoreArgs = []string{"judge", "scores", "--dataset", "vqa", "--judge", "judge", "--json"}

func (r *rig) scores(args ...string) jobs.ScoringSummary {
	r.tb.Helper()
	return decode[jobs.ScoringSummary](r.tb, r.done(append(append([]string(nil), scoreArgs...), args...)...))
}

func TestJudgeScores(t *testing.T) {
	r := newScoreRig(t, 11, openaitest.Options{})
	if e := r.done(append(scoreArgs, "--estimate")...); !strings.Contains(e, `"questions": 20`) {
		t.Errorf("estimate %s", e)
	}
	one := r.scores("--model", "one")
	if one.State != "done" || one.Wanted != 10 || one.Asked != 10 || one.LeftOut[jobs.NoReference] != 1 || len(one.Runs) != 1 {
		t.Fatalf("%+v", one)
	}
	// Answers 1 to 5 and 10, which is scored when asked again, and 6, 7 and 9,
	// which are not; 8 is refused.
	run := one.Runs[0]
	if run.Values != [5]int{1, 1, 1, 2, 1} || run.Mean == nil || *run.Mean != 19.0/6 || one.Stored != 6 || one.Unparsed != 3 || one.Failed != 1 {
		t.Errorf("%+v", one)
	}
	all := r.scores()
	if all.Wanted != 20 || all.Asked != 10 || all.Stored != 12 || len(all.Runs) != 2 || all.Usage.Prompt < 20*50 || all.Cost == nil {
		t.Errorf("%+v", all)
	}
	total, _ := r.server.TotalCalls()
	if again := r.scores(); again.Asked != 0 || again.Usage != all.Usage || again.Pending != 0 {
		t.Errorf("%+v", again)
	}
	if after, _ := r.server.TotalCalls(); after != total {
		t.Errorf("%d calls about nothing", after-total)
	}
	if failed := r.scores("--retry-failed"); failed.Asked != 2 || failed.Failed != 2 {
		t.Errorf("%+v", failed)
	}
	text := r.done("judge", "scores", "--dataset", "vqa", "--judge", "judge")
	for _, want := range []string{"scores of judge on vqa: done, 20 of 20 scores", "12 stored, 6 that hold no score", "mean score 3.17 of 6", "left out  2 answers: no reference"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing of %q in:\n%s", want, text)
		}
	}
	exported := r.done("export", "scores", "--model", "two")
	if n := strings.Count(exported, "\n"); n != 12-1 || !strings.Contains(exported, `"sample":"10","pass":0,"model":"two","judge":"judge","score":4,"raw":"**4**"`) ||
		!strings.Contains(exported, `"earlier":["I would say 4."]`) || !strings.Contains(exported, `"score":null,"raw":"It is right."`) {
		t.Errorf("%d rows:\n%s", n, exported)
	}

	// Scores of two kinds are never mixed.
	r.configure("[models.vlm2]\nendpoint = \"lab\"\n")
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), "[models.judge]\n", "[models.judge]\nparams = {temperature = 1}\n", 1))
	if got := r.ends(cli.ExitFailed, scoreArgs...); !strings.Contains(got.err, "were made with other settings") || !strings.Contains(got.err, "params") {
		t.Errorf("%s", got.err)
	}
}

func TestNothingToScore(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{})
	r.write("a.jsonl", `{"id":1,"question":"Write a poem.","prediction":"Roses are red."}`+"\n")
	r.done("import", "predictions", r.path("a.jsonl"), "--dataset", "tales", "--model", "tiny")
	check := func(code int, want string, args ...string) {
		t.Helper()
		if got := r.ends(code, args...); !strings.Contains(got.err, want) {
			t.Errorf("%v: %q, want %q in it", args, got.err, want)
		}
	}
	check(cli.ExitFailed, "no open question with a reference", "judge", "scores", "--dataset", "tales", "--judge", "judge")
	check(cli.ExitFailed, "none of its images", "caption", "--dataset", "tales", "--model", "vlm")
	check(cli.ExitUsage, "--judge is missing", "judge", "scores", "--dataset", "tales")
	check(cli.ExitUsage, "--edge -3", "caption", "--dataset", "tales", "--model", "vlm", "--edge", "-3")
}

func TestCaptions(t *testing.T) {
	t.Parallel()
	var seen int
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		if len(q.Pictures) != 1 {
			return openaitest.Response{Fault: openaitest.Reject}
		}
		if seen++; seen == 1 {
			return openaitest.Response{Text: "A grey field."}
		}
		return openaitest.Response{Text: prompt.CaptionBegin + "\nA grey field.\n" + prompt.CaptionEnd, Completion: 7}
	}})
	if err := os.Mkdir(r.path("images"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.png", "2.png"} {
		f, err := os.Create(r.path("images/" + name))
		if err == nil {
			err = png.Encode(f, image.NewGray(image.Rect(0, 0, 8, 8)))
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.write("q.json", `[{"id":1,"image_path":"1.png","question":"What?","meta":{}},{"id":2,"image_path":"2.png","question":"Who?","meta":{}},{"id":3,"image_path":"3.png","question":"Why?","meta":{}}]`)
	r.done("import", "dataset", r.path("q.json"), "--name", "mb")
	args := []string{"caption", "--dataset", "mb", "--model", "vlm", "--concurrency", "1", "--json"}
	s := decode[jobs.CaptionSummary](t, r.done(args...))
	if s.State != "done" || s.Wanted != 2 || s.Stored != 2 || s.LeftOut[jobs.PictureNotHeld] != 1 || seen != 3 {
		t.Errorf("%d calls, %+v", seen, s)
	}
	if again := decode[jobs.CaptionSummary](t, r.done(args...)); again.Asked != 0 || again.Stored != 2 || seen != 3 {
		t.Errorf("%d calls, %+v", seen, again)
	}
}

// A model translates what has an answer; a page of an error is no translation, and what
// failed is asked again by the same command.
func TestTranslations(t *testing.T) {
	t.Parallel()
	asked := make(map[string]int)
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		text := q.Prompt()
		switch {
		case !strings.Contains(text, "into Chinese:"):
			return openaitest.Response{Fault: openaitest.Reject}
		case strings.Contains(text, "Who?"):
			if asked["who"]++; asked["who"] <= 2 {
				return openaitest.Response{Text: "<html>Bad gateway</html>"}
			}
			return openaitest.Response{Text: "Question: 谁？\nA: 安\nB: 鲍勃"}
		}
		if asked["what"]++; asked["what"] == 1 {
			return openaitest.Response{Text: "Question: 什么？\nA: 猫"}
		}
		return openaitest.Response{Text: "Question: 什么？\nA: 猫\nB: 狗"}
	}})
	r.write("q.tsv", "index\tquestion\tA\tB\tanswer\n1\tWhat?\ta cat\ta dog\tB\n2\tWho?\tAnn\tBob\tA\n3\tWhich?\tone\ttwo\t\n")
	r.done("import", "dataset", r.path("q.tsv"), "--name", "mb")
	args := []string{"translate", "--dataset", "mb", "--to", "zh", "--model", "vlm", "--concurrency", "1", "--as", "ann", "--json"}
	if s := decode[jobs.CaptionSummary](t, r.ends(cli.ExitDone, args...).out); s.Stored != 1 || s.Failed != 1 || s.LeftOut["not_choice"] != 1 {
		t.Errorf("%+v", s)
	}
	if s := decode[jobs.CaptionSummary](t, r.done(args...)); s.Asked != 1 || s.Stored != 2 || asked["what"] != 2 {
		t.Errorf("%v asked, %+v", asked, s)
	}
	if got := r.done("log", "--dataset", "mb-chinese"); !strings.Contains(got, "submit written sample 2, translated by vlm") {
		t.Errorf("%s", got)
	}
	if got := r.ends(cli.ExitUsage, append(args, "--as-dataset", "mb")...); !strings.Contains(got.err, "mb") {
		t.Errorf("%s", got.err)
	}
}

// A translation whose original changed is made anew by the same command, which says so; one
// that is accepted stands meanwhile.
func TestTranslationsOfChangedOriginals(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: eval.Either(strings.Contains(q.Prompt(), "Which?"), "Question: 哪个？\nA: 猫\nB: 狗", "Question: 什么？\nA: 猫\nB: 狗")}
	}})
	act := func(d eval.DatasetName, kind criteria.Kind, who annotate.Annotator, text string) {
		t.Helper()
		st, err := store.Open(r.path("p.db"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := eval.Collect(st.Authoring().AllSets(t.Context(), d))
		set := eval.Either(len(all) > 0, append(all, authoring.Set{}), []authoring.Set{{}})[0]
		a := set.NewAct(kind, who, time.Unix(1, 0))
		a.Dataset, a.Text = d, text
		if err == nil {
			_, err = st.Authoring().Append(t.Context(), a, nil)
		}
		if err := errors.Join(err, st.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write := func(question string) {
		act("bench", criteria.Submitted, "ann", "Question: "+question+"\nA: a cat\nB: a dog\nAnswer: B")
		act("bench", criteria.Accepted, "bob", "")
	}
	translate := func() jobs.CaptionSummary {
		t.Helper()
		return decode[jobs.CaptionSummary](t, r.done("translate", "--dataset", "bench", "--to", "zh", "--model", "vlm", "--as", "ann", "--json"))
	}
	write("What?")
	if s := translate(); s.Asked != 1 || s.Stale != 0 {
		t.Errorf("%+v", s)
	}
	if got := r.ends(cli.ExitFailed, "export", "dataset", "bench-chinese"); !strings.Contains(got.err, "no sample of dataset bench-chinese is accepted yet: 0 in draft, 1 in review") {
		t.Error(got.err)
	}
	act("bench-chinese", criteria.Accepted, "cid", "")
	write("Which?")
	if s := translate(); s.Asked != 1 || s.Stale != 1 {
		t.Errorf("%+v", s)
	}
	if s := translate(); s.Asked != 0 || s.Stale != 0 {
		t.Errorf("asked once more: %+v", s)
	}
	if got := r.ends(cli.ExitDone, "export", "dataset", "bench-chinese"); !strings.Contains(got.out, "什么") || !strings.Contains(got.err, "whose original changed since: 1;") {
		t.Errorf("%s\n%s", got.out, got.err)
	}
	act("bench-chinese", criteria.Accepted, "cid", "")
	if got := r.ends(cli.ExitDone, "export", "dataset", "bench-chinese"); strings.Contains(got.err, "changed since") || !strings.Contains(got.out, "哪个") {
		t.Errorf("%s\n%s", got.out, got.err)
	}
}
