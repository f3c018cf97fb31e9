package main

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
)

// A run goes on under the settings that it was made with, or not at all.
func TestChangedConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(8, "")...)
	order := []string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--strategy", "circular", "--judge", "judge"}
	r.done(order...)
	config := r.read("concord.toml")
	r.write("mine.txt", "Answer this.\n{{.Question}}\n{{range .Options}}{{.Letter}}. {{.Text}}\n{{end}}Only a letter of {{.Letters}}.\n")
	check := func(name, toml string, want []string, args ...string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			r.write("concord.toml", toml)
			defer r.write("concord.toml", config)
			before, _ := r.server.TotalCalls()
			got := r.ends(cli.ExitFailed, append(append([]string{}, order...), args...)...)
			for _, w := range append(want, "run 1 ", "--run 1", "--new") {
				if !strings.Contains(got.err, w) {
					t.Errorf("nothing of %q in: %s", w, got.err)
				}
			}
			if after, _ := r.server.TotalCalls(); after != before {
				t.Errorf("%d calls were made", after-before)
			}
		})
	}
	warm := strings.Replace(config, "[models.vlm]", "[models.vlm]\nparams = { temperature = 0.7 }", 1)
	check("params", warm, []string{"temperature", "0.7"})
	mine := config + "[prompts]\nchoice-text-only = \"mine.txt\"\n"
	check("prompt", mine, []string{"prompt"})
	check("another judge", config, []string{"judge2"}, "--judge", "judge2")
	check("judge's params", strings.Replace(config, "[models.judge]", "[models.judge]\nparams = { max_tokens = 9 }", 1), []string{"max_tokens"})
	check("all passes", config, []string{"passes"}, "--all-passes")

	t.Run("new", func(t *testing.T) {
		r.write("concord.toml", mine)
		defer r.write("concord.toml", config)
		s := r.eval(append(order[5:], "--new")...)
		if !s.Made || s.Run != 2 || s.Questions != 8 {
			t.Errorf("%+v", s)
		}
		asked := 0
		_, each := r.asked("vlm")
		for ask := range each {
			if strings.HasPrefix(ask.Prompt, "Answer this.") {
				asked++
			}
		}
		if asked != 32 {
			t.Errorf("%d questions were asked with the new prompt", asked)
		}
	})
}

// A picture's edge is a setting too.
func TestChangedEdgeIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(2, rigPicture)...)
	r.eval()
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), "[models.vlm]", "[models.vlm]\nedge = 512", 1))
	if got := r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm"); !strings.Contains(got.err, "512") {
		t.Errorf("%s", got.err)
	}
}

// rigPicture is a PNG of one pixel.
const rigPicture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// --run goes on under the run's own settings: the prompt's file and the
// parameters may have changed since.
func TestRunGoesOnUnderItsOwnSettings(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly, Latency: 2 * time.Millisecond}, rigRows(60, "")...)
	const first = "First version.\n{{.Question}}\n{{range .Options}}{{.Letter}}. {{.Text}}\n{{end}}Only a letter of {{.Letters}}.\n"
	r.write("mine.txt", first)
	r.configure("[prompts]\nchoice-text-only = \"mine.txt\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go r.after(10, cancel)
	if got := r.concordIn(ctx, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "2"); got.code != cli.ExitInterrupted {
		t.Fatalf("%d: %s", got.code, got.err)
	}
	r.write("mine.txt", strings.Replace(first, "First", "Second", 1))
	r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text")
	r.done("eval", "--run", "1")
	total, each := r.asked("vlm")
	for ask := range each {
		if !strings.HasPrefix(ask.Prompt, "First version.") {
			t.Errorf("asked %q", ask.Prompt)
		}
	}
	if total != 60 || len(each) != 60 {
		t.Errorf("%d calls for %d questions, want 60", total, len(each))
	}
}

// Ctrl-C, once, ends a command cleanly, and the same command resumes. Nothing
// that is answered is asked again.
func TestInterruptedEvalResumes(t *testing.T) {
	const questions = 120
	r := newRig(t, openaitest.Options{Answer: rightly, Latency: 10 * time.Millisecond}, rigRows(questions, "")...)
	args := []string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "4", "--json"}
	cmd := r.child(args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.after(20, func() {})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	s := decode[jobs.RunSummary](t, out.String())
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitInterrupted || s.State != "cancelled" || s.Predictions < 20 || s.Predictions == questions {
		t.Errorf("exit status %d, %+v, %s", code, s, errs.String())
	}
	if e := decode[struct{ Error struct{ Kind string } }](t, errs.String()); e.Error.Kind != "interrupted" {
		t.Errorf("%s", errs.String())
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		t.Error("it was killed")
	}
	if s = decode[jobs.RunSummary](t, r.done(args...)); s.Made || s.Questions != questions || s.State != "done" {
		t.Errorf("%+v", s)
	}
	if total, _ := r.server.TotalCalls(); total != questions {
		t.Errorf("%d calls for %d questions: those in flight were to be recorded", total, questions)
	}
}

// A budget pauses with the status of a gate that is not met, and a larger one
// goes on.
func TestBudgetPauses(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		p := rightly(q)
		p.Prompt, p.Completion = 1000, 500 // cost 0.002
		return p
	}}, rigRows(40, "")...)
	args := []string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "2", "--json"}
	got := r.ends(cli.ExitGate, append(args, "--budget", "0.02")...)
	s := decode[jobs.RunSummary](t, got.out)
	if s.State != "paused" || s.Cost == nil || *s.Cost < 0.02 || s.Predictions < 10 || s.Predictions > 11 || !strings.Contains(s.Why, "budget") {
		t.Errorf("%+v", s)
	}
	if got.err != "" {
		t.Errorf("said beside the object: %s", got.err)
	}
	s = decode[jobs.RunSummary](t, r.done(append(args, "--budget", "1")...))
	if total, _ := r.server.TotalCalls(); s.State != "done" || s.Questions != 40 || total != 40 {
		t.Errorf("%d calls, %+v", total, s)
	}
}

// Without a terminal there are plain lines, without a carriage return or an
// escape.
func TestPlainLinesWithoutATerminal(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(10, "")...)
	got := r.ends(cli.ExitDone, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text")
	if strings.ContainsAny(got.out+got.err, "\r\x1b") || !strings.Contains(got.out, "10 of 10 questions") || !strings.Contains(got.err, "run 1: about 10 calls") {
		t.Errorf("%q %q", got.out, got.err)
	}
}

// after waits for a number of calls, and then does something.
func (r *rig) after(calls int, do func()) {
	for total := 0; total < calls && r.tb.Context().Err() == nil; total, _ = r.server.TotalCalls() {
		time.Sleep(time.Millisecond)
	}
	do()
}
