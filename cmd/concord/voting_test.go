package main

import (
	"maps"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
)

// smallVoteRig is a small project with criteria on three of its six samples, of
// which the first judge saw all.
func smallVoteRig(t *testing.T) (*rig, *panel) {
	t.Helper()
	p := &panel{Juror: openaitest.Juror{Seed: 1}}
	r := newVoteRig(t, 6, p, openaitest.Options{})
	r.write("criteria.jsonl", `{"sample":"1","criteria":"1. Names the number."}
{"sample":"2","criteria":"1. Names the number."}
{"sample":"3","criteria":"1. Is short.","question_type":"compound"}
`)
	r.done("import", "criteria", r.path("criteria.jsonl"), "--dataset", "mb")
	return r, p
}

func TestJudgeVotesWithCriteria(t *testing.T) {
	r, _ := smallVoteRig(t)
	s := r.votes("--criteria")
	if s.Wanted != 6 || s.Stored != 6 || !maps.Equal(s.LeftOut, map[string]int{jobs.NoCriteria: 6}) {
		t.Errorf("%+v", s)
	}
	_, each := r.asked("judge")
	seen := 0
	for a := range each {
		if strings.Contains(a.Prompt, "1. Is short.") && strings.Contains(a.Prompt, "compound") {
			seen++
		}
	}
	if seen != 2 {
		t.Errorf("%d prompts show the third sample's criteria and type", seen)
	}
	// A revision makes votes stale: they stand until they are asked again.
	r.write("criteria.jsonl", `{"sample":"2","criteria":"1. Names the number twice."}`)
	r.done("import", "criteria", r.path("criteria.jsonl"), "--dataset", "mb")
	if s = r.votes("--criteria"); s.Stale != 2 || s.Asked != 0 || s.Stored != 6 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--criteria", "--stale"); s.Stale != 2 || s.Asked != 2 || s.Stored != 6 || s.Wanted != 6 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--criteria", "--stale"); s.Stale != 0 || s.Asked != 0 {
		t.Errorf("%+v", s)
	}
	// Without criteria it is another ballot, which leaves nothing out.
	if s = r.votes(); s.Wanted != 12 || s.Asked != 12 || len(s.LeftOut) != 0 || s.Stale != 0 {
		t.Errorf("%+v", s)
	}
}

// Every reason for which a pair is not asked is counted, and spoils nothing
// else.
func TestJudgeVotesLeavesOut(t *testing.T) {
	r, _ := smallVoteRig(t)
	r.write("more.json", `[{"id":"7","image_path":"7.png","question":"What is number 6?","meta":{"level":"L0","capability":"c","question type":"open-ended"}},
{"id":"8","image_path":"8.png","question":"What is number 7?","meta":{"level":"L0","capability":"c","question type":"open-ended"}}]`)
	r.done("import", "dataset", r.path("more.json"), "--name", "other")
	r.write("some.jsonl", `{"id":"7","prediction":"model says it is 6"}`)
	r.done("import", "predictions", r.path("some.jsonl"), "--dataset", "other", "--model", "model")
	r.write("some.jsonl", `{"id":"8","prediction":"anchor says it is 7"}`)
	r.done("import", "predictions", r.path("some.jsonl"), "--dataset", "other", "--model", "anchor")
	s := r.votes("--dataset", "other")
	if s.Wanted != 0 || !maps.Equal(s.LeftOut, map[string]int{jobs.NoAnchor: 2, jobs.NoAnswer: 2}) {
		t.Errorf("%+v", s)
	}

	r.write("captions.jsonl", `{"sample":"1","caption":"A number on a wall.","model":"seer"}`)
	r.done("import", "captions", r.path("captions.jsonl"), "--dataset", "mb")
	r.write("detections.jsonl", `{"sample":"1","objects":[]}
{"sample":"2","objects":[{"label":"digit","confidence":0.5,"bbox":[1,2,3,4]}]}
`)
	r.done("import", "detections", r.path("detections.jsonl"), "--dataset", "mb")
	if s = r.votes("--input", "caption"); s.Stored != 2 || s.LeftOut[jobs.NoCaption] != 10 || s.WithoutPicture != 0 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--input", "detections"); s.Stored != 4 || s.LeftOut[jobs.NoDetections] != 8 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--input", "both", "--criteria"); s.Stored != 2 || !maps.Equal(s.LeftOut, map[string]int{jobs.NoCaption: 4, jobs.NoCriteria: 6}) {
		t.Errorf("%+v", s)
	}
	_, each := r.asked("judge")
	walls, digits := 0, 0
	for a := range each {
		if strings.Contains(a.Prompt, "on a wall") {
			walls++
		}
		if strings.Contains(a.Prompt, "digit") {
			digits++
		}
	}
	if walls != 4 || digits != 2 {
		t.Errorf("%d prompts with the caption, %d with the object", walls, digits)
	}
	for _, c := range []struct{ want, more string }{
		{"no captions", "--input caption --dataset other"},
		{"no detected objects", "--input detections --dataset other"},
		{"no criteria", "--criteria --dataset other"},
		{"seer", "--input caption --captions-by eye"},
	} {
		if got := r.concord(append(append([]string{}, voteArgs...), strings.Fields(c.more)...)...); got.code == cli.ExitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: %d %s", c.more, got.code, got.err)
		}
	}
}

// One order of each pair, drawn with the seed, and then the other order of all
// that is missing; repeats are ballots of their own.
func TestJudgeVotesInOneOrder(t *testing.T) {
	r, p := smallVoteRig(t)
	s := r.votes("--order", "shuffled", "--seed", "7")
	if s.Wanted != 6 || s.Stored != 6 || s.Order != "shuffled" {
		t.Errorf("%+v", s)
	}
	first := 0
	for asked := range p.last {
		if strings.Contains(asked, " Answer1\nmodel says") {
			first++
		}
	}
	if first == 0 || first == 6 {
		t.Errorf("the model comes first %d times of 6", first)
	}
	if s = r.votes("--order", "shuffled", "--seed", "7"); s.Asked != 0 {
		t.Errorf("%+v", s)
	}
	if s = r.votes(); s.Wanted != 12 || s.Asked != 6 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--repeats", "3"); s.Wanted != 36 || s.Asked != 24 || len(s.Repeats) != 3 {
		t.Errorf("%+v", s)
	}
	if s = r.votes("--repeat", "2"); s.Wanted != 12 || s.Asked != 0 {
		t.Errorf("%+v", s)
	}
}

// Votes made with other settings are refused, with what is different and what
// can be done; nothing is asked.
func TestJudgeVotesUnderOtherSettings(t *testing.T) {
	r, _ := smallVoteRig(t)
	r.votes("--order", "shuffled")
	before, _ := r.server.TotalCalls()
	config := r.read("concord.toml")
	warm := strings.Replace(config, "[models.judge]", "[models.judge]\nparams = { temperature = 0.7 }", 1)
	check := func(toml string, want ...string) {
		t.Helper()
		r.write("concord.toml", toml)
		got := r.ends(cli.ExitFailed, voteArgs...)
		for _, w := range append(want, "other settings", "--repeat 1", "[models.NAME]") {
			if !strings.Contains(strings.ReplaceAll(got.err, `\"`, `"`), w) {
				t.Errorf("nothing of %q in: %s", w, got.err)
			}
		}
	}
	check(warm, "params", "0.7")
	check(strings.Replace(config, "[models.judge]", "[models.judge]\nedge = 512", 1), "edge: was 1024, is 512")
	if after, _ := r.server.TotalCalls(); after != before {
		t.Errorf("%d calls were made", after-before)
	}
	if s := r.votes("--repeat", "1"); s.Asked != 12 {
		t.Errorf("%+v", s)
	}
	r.write("concord.toml", config)
	if s := r.votes(); s.Asked != 6 {
		t.Errorf("%+v", s)
	}
	// What was asked with other settings is no repeat, and the rows say in what.
	r.done("report", "bias", "--json") // its schema has the setting
	for _, name := range []string{"repeats", "votes"} {
		rows := decode[struct {
			Rows []struct {
				Judge   string
				Asked   string `json:"judge_setting"`
				Repeats int
			}
		}](t, r.done("report", name, "--json")).Rows
		if len(rows) != 2 || rows[0].Judge != "judge" || rows[0].Asked != "edge 1024" || rows[1].Asked != "edge 512" || rows[0].Repeats > 1 {
			t.Errorf("report %s: %+v", name, rows)
		}
	}
	if out := r.done("report", "votes"); !strings.Contains(out, "judge [edge 512]") {
		t.Errorf("no setting in:\n%s", out)
	}
}

// A reply without a vote stands until somebody wants it asked again.
func TestJudgeVotesAsksUnparsedAgain(t *testing.T) {
	p := &panel{Juror: openaitest.Juror{Seed: 1, Wordy: 1}}
	r := newVoteRig(t, 20, p, openaitest.Options{})
	first := r.votes()
	if first.Unparsed == 0 || first.Stored == 0 || first.Unparsed+first.Stored != 40 {
		t.Errorf("%+v", first)
	}
	if s := r.votes("--retry-failed"); s.Asked != 0 || s.Unparsed != first.Unparsed {
		t.Errorf("%+v", s)
	}
	p.Wordy = 0
	if s := r.votes("--retry-unparsed"); s.Asked != first.Unparsed || s.Unparsed != 0 || s.Stored != 40 {
		t.Errorf("%+v", s)
	}
}

func TestJudgeVotesEstimate(t *testing.T) {
	r, _ := smallVoteRig(t)
	type estimate struct {
		Questions int
		Calls     struct{ Low, High int }
	}
	if e := decode[estimate](t, r.done(append(append([]string{}, voteArgs...), "--estimate")...)); e.Questions != 12 || e.Calls.High != 12 {
		t.Errorf("%+v", e)
	}
	if n, _ := r.server.TotalCalls(); n != 0 {
		t.Errorf("%d calls", n)
	}
	got := r.ends(cli.ExitDone, "judge", "votes", "--dataset", "mb", "--model", "model", "--anchor", "anchor", "--judge", "judge", "--without-images")
	for _, want := range []string{
		"votes of judge on model against anchor, mb (without criteria, by none): done, 12 of 12 votes", "asked     12 now; 12 stored",
		"images    12 votes on samples whose image is not there", "concord report votes --anchor anchor --judge judge",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("nothing of %q in:\n%s", want, got.out)
		}
	}
	if !strings.Contains(got.err, "votes of judge: about 12 calls") {
		t.Errorf("%s", got.err)
	}
	got = r.ends(cli.ExitGate, append(append([]string{}, voteArgs...), "--repeat", "1", "--concurrency", "1", "--budget", "0.001")...)
	if s := decode[jobs.VoteSummary](t, got.out); s.State != "paused" || s.Pending == 0 || s.Stored == 0 {
		t.Errorf("%+v", s)
	}
}

func TestJudgeVotesRefuses(t *testing.T) {
	r, _ := smallVoteRig(t)
	check := func(code int, want string, more ...string) {
		t.Helper()
		if got := r.ends(code, append(append([]string{}, voteArgs...), more...)...); !strings.Contains(got.err, want) {
			t.Errorf("%q: %s", more, got.err)
		}
	}
	check(cli.ExitUsage, "want one of image, caption", "--input", "nose")
	check(cli.ExitUsage, "want both or shuffled", "--order", "none")
	check(cli.ExitUsage, "not compared with itself", "--model", "anchor")
	check(cli.ExitUsage, "leave out one", "--repeat", "1", "--repeats", "2")
	check(cli.ExitUsage, "goes with --criteria", "--stale")
	check(cli.ExitUsage, "--input caption the judge sees none", "--input", "caption", "--edge", "5")
	check(cli.ExitFailed, "models with answers: anchor, model", "--anchor", "nobody")
	r.write("again.jsonl", `{"id":"1","prediction":"x"}`)
	r.done("import", "predictions", r.path("again.jsonl"), "--dataset", "mb", "--model", "model", "--modality", "text")
	check(cli.ExitUsage, "2 runs on dataset mb (2 and 3 among them): name one with --run")
	check(cli.ExitUsage, "run 77 is of none of the compared models", "--run", "2,77")
	if s := r.votes("--run", "2"); s.Models[0].Run != 2 || s.Anchor.Run != 1 || s.Stored != 12 {
		t.Errorf("%+v", s)
	}
}
