package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
	"concord/eval/stat"
	"concord/tui/workshop"
)

// newPartsRig is a labelled queue of 80 answers, and a judge that misreads every fifth
// of them. With HINT in its prompt it reads those, and misreads two others.
func newPartsRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		n, right, wrong := rigAsk(q)
		hinted := strings.Contains(q.Prompt(), "HINT")
		if !hinted && n%5 == 0 || hinted && (n == 7 || n == 11) {
			right = wrong
		}
		return openaitest.Response{Text: right, Prompt: 50, Completion: 1}
	}}, rigRows(80, "")...)
	var rows, labels strings.Builder
	labels.WriteString("sample,annotator,choice\n")
	for i := range 80 {
		fmt.Fprintf(&rows, "{\"id\":%d,\"prediction\":\"It could be many things.\"}\n", i)
		fmt.Fprintf(&labels, "%d,ann,%c\n", i, 'A'+i%4)
	}
	r.write("otter.jsonl", rows.String())
	r.done("import", "predictions", r.path("otter.jsonl"), "--dataset", "d", "--model", "otter")
	r.done("queue", "create", "q", "--dataset", "d", "--from", "unparsable", "--overlap", "1")
	r.write("labels.csv", labels.String())
	r.done("import", "labels", r.path("labels.csv"), "--queue", "q")
	return r
}

// partReport is what a test reads of an alignment report.
type partReport struct {
	Notes []string
	Rows  []struct {
		Extractor, Part string
		Saved           int
		Alignment       struct {
			K, N      int
			Low, High float64
		}
	}
}

// A prompt of one judge alone is chosen on one half of the labels. Each look at the
// other half is saved and counted, and widens the interval.
func TestAlignmentInParts(t *testing.T) {
	r := newPartsRig(t)
	r.write("hint.txt", strings.Replace(r.done("config", "prompt", "extract-choice"), "You are given", "HINT. You are given", 1))
	r.configure("[prompts]\n\"extract-choice@judge2\" = \"hint.txt\"\n")
	r.done("judge", "--dataset", "d", "--judge", "judge,judge2")
	report := func(args ...string) partReport {
		t.Helper()
		return decode[partReport](t, r.done(append([]string{"report", "alignment", "--queue", "q", "--json"}, args...)...))
	}
	found := make(map[string]int)
	dev := 0
	for _, row := range report("--part", "development").Rows {
		if strings.HasPrefix(row.Extractor, "rules:") {
			continue
		}
		if dev = row.Alignment.N; row.Part != "development" || dev < 25 || dev > 55 {
			t.Fatalf("%+v", row)
		}
		found[row.Extractor] = row.Alignment.K
	}
	if found["judge2"] <= found["judge"] || found["judge"] == 0 {
		t.Fatalf("the prompt of one judge changes %v", found)
	}

	if got := r.ends(cli.ExitFailed, "report", "alignment", "--queue", "q", "--part", "held-out"); !strings.Contains(got.err, "add --save") || strings.Contains(got.out, "judge") {
		t.Errorf("%s%s", got.out, got.err)
	}
	for looks, judge := range []string{"judge2", "judge"} {
		out := report("--part", "held-out", "--judge", judge, "--save", "--as", "ann")
		row := out.Rows[0]
		if row.Extractor != judge || row.Saved != 0 || row.Alignment.N != 80-dev {
			t.Fatalf("%+v", out.Rows)
		}
		if want := fmt.Sprintf("Looks at it that are saved: %d. The intervals of alignment hold for all %d extractors", looks+1, looks+1); !strings.Contains(strings.Join(out.Notes, "\n"), want) {
			t.Errorf("nothing of %q in %q", want, out.Notes)
		}
		low, _ := stat.WilsonInterval(row.Alignment.K, row.Alignment.N, 1-0.05/float64(looks+1))
		if d := low - row.Alignment.Low; d > 1e-9 || d < -1e-9 {
			t.Errorf("look %d: from %g, want from %g", looks+1, row.Alignment.Low, low)
		}
	}
	for _, saved := range []string{r.done("report", "calibrations", "--queue", "q"), r.done("log", "--kind", "report")} {
		if !strings.Contains(saved, "judge2") && !strings.Contains(saved, "held-out part") {
			t.Errorf("%s", saved)
		}
	}
	if got := r.ends(cli.ExitFailed, "report", "alignment", "--queue", "q", "--judge", "nobody"); !strings.Contains(got.err, "nobody") {
		t.Errorf("%s", got.err)
	}
}

// Prompts are tried on one half of the labels, and no call is made twice for the same
// prompt, answer and settings.
func TestJudgeIsTuned(t *testing.T) {
	r := newPartsRig(t)
	own := r.done("config", "prompt", "extract-choice")
	r.write("own.txt", own)
	r.write("hint.txt", strings.Replace(own, "You are given", "HINT. You are given", 1))
	tune := func(args ...string) partReport {
		t.Helper()
		return decode[partReport](t, r.done(append([]string{"judge", "tune", "--queue", "q", "--judge", "judge", "--json"}, args...)...))
	}
	first := tune("--prompt", r.path("own.txt"))
	if len(first.Rows) != 1 || first.Rows[0].Part != "development" || first.Rows[0].Alignment.N == 0 {
		t.Fatalf("%+v", first)
	}
	calls := func() int { n, _ := r.server.TotalCalls(); return n }
	dev, asked := first.Rows[0].Alignment.N, calls()
	if asked != dev {
		t.Fatalf("%d calls for %d answers", asked, dev)
	}
	second := tune("--prompt", r.path("hint.txt"))
	if len(second.Rows) != 2 || calls() != 2*dev {
		t.Fatalf("%d calls: %+v", calls(), second)
	}
	notes := strings.Join(second.Notes, "\n")
	if !strings.Contains(notes, "fixed 7 (") && !strings.Contains(notes, "fixed 8 (") || !strings.Contains(notes, "broken ") {
		t.Errorf("%s", notes)
	}
	tune("--prompt", r.path("own.txt"))
	tune("--prompt", r.path("hint.txt"))
	if calls() != 2*dev {
		t.Errorf("%d calls for two prompts and %d answers", calls(), dev)
	}
	if out := r.done("report", "alignment", "--queue", "q"); strings.Contains(out, "judge~") {
		t.Errorf("what was tried on one half is measured on both:\n%s", out)
	}
	if out := r.done("log"); !strings.Contains(out, "judge~") {
		t.Errorf("no candidate in %s", out)
	}

	// The better one is measured on the other half, and only then the judge's own.
	hint := []string{"judge", "tune", "--queue", "q", "--judge", "judge", "--prompt", r.path("hint.txt")}
	if got := r.ends(cli.ExitFailed, append(hint, "--promote")...); !strings.Contains(got.err, "--part held-out") {
		t.Errorf("%s", got.err)
	}
	held := decode[struct{ Candidate, Next string }](t, r.done(append(hint, "--part", "held-out", "--json")...))
	if calls() != 2*dev+80-dev || !strings.Contains(held.Next, held.Candidate) {
		t.Fatalf("%d calls, %+v", calls(), held)
	}
	look := decode[partReport](t, r.done("report", "alignment", "--queue", "q", "--part", "held-out", "--judge", held.Candidate, "--save", "--as", "ann", "--json"))
	if len(look.Rows) == 0 || look.Rows[0].Alignment.N != 80-dev {
		t.Fatalf("%+v", look.Rows)
	}
	before := r.read("concord.toml")
	if out := r.done(append(hint, "--promote")...); !strings.Contains(out, held.Candidate) {
		t.Errorf("%s", out)
	}
	if got := r.read(filepath.Join("prompts", held.Candidate+".txt")); got != r.read("hint.txt") {
		t.Errorf("%s", got)
	}
	if after := r.read("concord.toml"); !strings.Contains(after, "extract-choice@judge\" = ") || !strings.Contains(r.done("config"), held.Candidate+".txt") {
		t.Errorf("%s\nwas\n%s", after, before)
	}
	was := calls()
	if r.done("judge", "--dataset", "d", "--judge", "judge"); calls() != was {
		t.Errorf("%d calls for what the candidate has read", calls()-was)
	}
}

// Examples come from the half of the labels that prompts are chosen on, one of each class
// in turn, and leave its figures, also those of the prompts without them.
func TestExamplesInPrompts(t *testing.T) {
	r := newPartsRig(t)
	own := r.done("config", "prompt", "extract-choice")
	r.write("own.txt", own)
	r.write("shots.txt", strings.Replace(own, "Now the one to match", "{{examples 4}}\nNow the one to match", 1))
	tune := func(args ...string) partReport {
		t.Helper()
		return decode[partReport](t, r.done(append([]string{"judge", "tune", "--queue", "q", "--judge", "judge", "--json", "--prompt"}, args...)...))
	}
	calls := func() int { n, _ := r.server.TotalCalls(); return n }
	dev := tune(r.path("own.txt")).Rows[0].Alignment.N
	was := calls()
	got := r.ends(0, "judge", "tune", "--queue", "q", "--judge", "judge", "--json", "--prompt", r.path("shots.txt"))
	_, file, ok := strings.Cut(got.err, "4 examples drawn into the prompt, which is ")
	file, _, _ = strings.Cut(file, " now:")
	if !ok || calls()-was != dev-4 {
		t.Fatalf("%d calls of %d: %s", calls()-was, dev, got.err)
	}
	out := decode[partReport](t, got.out)
	for _, row := range out.Rows {
		if row.Alignment.N != dev-4 {
			t.Errorf("%+v: %d items without the examples", row, dev-4)
		}
	}
	if notes := strings.Join(out.Notes, "\n"); len(out.Rows) != 2 || !strings.Contains(notes, "4 items are left out") {
		t.Errorf("%s", notes)
	}
	filled := r.read(file)
	for _, class := range []string{"A", "B", "C", "D"} {
		if n := strings.Count(filled, "Answer: It could be many things.\nReply: "+class+"\n"); n != 1 {
			t.Errorf("%d examples of %s in\n%s", n, class, filled)
		}
	}
	was = calls()
	for _, prompt := range []string{r.path(file), r.path("shots.txt")} {
		if again := tune(prompt); calls() != was || len(again.Rows) != 2 {
			t.Errorf("%d calls for the prompt with its examples", calls()-was)
		}
	}
	for _, row := range decode[partReport](t, r.done("report", "alignment", "--queue", "q", "--part", "development", "--json")).Rows {
		if !strings.HasPrefix(row.Extractor, "rules:") && row.Alignment.N != dev-4 {
			t.Errorf("%+v: %d items without the examples", row, dev-4)
		}
	}
	held := decode[struct{ Candidate string }](t, r.done("judge", "tune", "--queue", "q", "--judge", "judge", "--json", "--part", "held-out", "--prompt", r.path(file)))
	look := decode[partReport](t, r.done("report", "alignment", "--queue", "q", "--part", "held-out", "--judge", held.Candidate, "--save", "--as", "ann", "--json"))
	if look.Rows[0].Alignment.N != 80-dev {
		t.Errorf("%+v", look.Rows)
	}
}

// The screen tries prompts as the command does: what the judge has read by its own name
// under the same prompt is not asked again, and a promotion stands in the log.
func TestWorkshop(t *testing.T) {
	r := newPartsRig(t)
	r.done("judge", "--dataset", "d", "--judge", "judge")
	calls := func() int { n, _ := r.server.TotalCalls(); return n }
	before := calls()
	b, done := openArbiter(t, r)
	w := jobs.Workshop{Scheduler: b.scheduler}
	read := func() workshop.Bench {
		t.Helper()
		for {
			out, err := w.ReadTrials(t.Context(), "", "")
			if err != nil || out.Why != "" {
				t.Fatalf("%v %s", err, out.Why)
			}
			if !slices.ContainsFunc(out.Candidates, func(c workshop.Candidate) bool { return c.Working != "" }) {
				return out
			}
			time.Sleep(time.Millisecond)
		}
	}
	first := read()
	if first.Queue != "q" || first.Judge != "judge" || len(first.Candidates) != 1 || !first.Candidates[0].Now {
		t.Fatalf("%+v", first)
	}
	own := workshop.Order{Queue: "q", Judge: "judge", Prompt: first.Candidates[0].Text}
	if cost, err := w.Estimate(t.Context(), own); cost != "" || err != nil {
		t.Errorf("what the judge has read is asked again: %s %v", cost, err)
	}
	if err := w.Start(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	if c := read().Candidates[0]; !c.Asked || c.Agreement.N == 0 || calls() != before {
		t.Errorf("%d calls: %+v", calls()-before, c)
	}
	hint := own
	hint.Prompt = strings.Replace(own.Prompt, "You are given", "HINT. You are given", 1)
	name, err := w.KeepPrompt(t.Context(), hint)
	if all := read().Candidates; err != nil || len(all) != 2 || all[1].Name != name || all[1].Asked {
		t.Fatalf("%v %+v", err, all)
	}
	if cost, err := w.Estimate(t.Context(), hint); !strings.Contains(cost, "calls") || err != nil {
		t.Errorf("%q %v", cost, err)
	}
	if err := w.Start(t.Context(), hint); err != nil {
		t.Fatal(err)
	}
	if c := read().Candidates[1]; !c.Asked || len(c.Fixed) < 5 || c.Before == "" || c.Text != hint.Prompt {
		t.Errorf("%+v", c)
	}
	if _, err := w.Promote(t.Context(), hint, "ann"); err == nil {
		t.Error("promoted without a look")
	}
	hint.HeldOut = true
	if err := w.Start(t.Context(), hint); err != nil {
		t.Fatal(err)
	}
	read()
	if err := w.MeasureHeldOut(t.Context(), hint, "ann"); err != nil {
		t.Fatal(err)
	}
	file, err := w.Promote(t.Context(), hint, "ann")
	if c := read(); err != nil || c.Looks != 1 || !c.Candidates[1].Looked || !c.Candidates[1].Now || c.Candidates[0].Now {
		t.Errorf("%v %+v", err, c)
	}
	done()
	if out := r.done("log"); !strings.Contains(out, "promote prompt: extract-choice@judge is "+file) {
		t.Errorf("%s in\n%s", file, out)
	}
	if _, err := w.ReadTrials(t.Context(), "", ""); err == nil {
		t.Error("a store that is closed was read")
	}
}
