package main

import (
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

// rigFaults are those that are transient, or of one sample; but for the wait
// that BusyAfter asks for, a whole second at least, they take no time.
func rigFaults() []openaitest.Fault {
	var some []openaitest.Fault
	for _, f := range openaitest.AllFaults() {
		switch f {
		case openaitest.Quota, openaitest.BusyAfter, openaitest.Hang, openaitest.Drip, openaitest.Endless:
		default:
			some = append(some, f)
		}
	}
	return some
}

// rigRetries is the default of the configuration.
const rigRetries = 4

// With faults on a fifth of the calls no question is lost, none is asked more
// often than the retries allow, the same command asks again only what an outage
// took, and with --retry-failed what the samples are to blame for.
func TestFaultsLoseNothing(t *testing.T) {
	const questions = 400
	r := newRig(t, openaitest.Options{Answer: halfUnreadable, Faults: openaitest.FaultAtRate(1, 0.2, rigFaults()...)}, rigRows(questions, "")...)
	args := []string{"--modality", "text", "--strategy", "circular", "--judge", "judge", "--concurrency", "32"}
	s := r.eval(args...)
	r.attempts(t, 1)
	if s.State != "done" || s.Predictions+s.Errors != 4*questions || s.Errors == 0 || s.Judges[0].Errors == 0 {
		t.Errorf("first: %+v", s)
	}
	waits := s.Errors + s.Judges[0].Errors + s.Judges[0].Waiting
	for session := 2; s.Errors+s.Judges[0].Errors > 0 && session < 20; session++ {
		if session == 3 { // the second asks what an outage took, as the same command does
			args = append(args, "--retry-failed")
		}
		failed := s.Errors + s.Judges[0].Errors
		before := r.server.CallCounts()
		if s = r.eval(args...); s.Made || s.State != "done" {
			t.Fatalf("session %d: %+v", session, s)
		}
		again := 0
		for ask, n := range r.server.CallCounts() {
			if n > before[ask] && before[ask] > 0 {
				again++
			}
		}
		// A judge's call after a hint is another question than the one that failed.
		if again > failed {
			t.Errorf("session %d asked %d questions again, %d had failed", session, again, failed)
		}
		r.attempts(t, session)
	}
	if s.Predictions != 4*questions || s.Errors != 0 || s.Questions != questions ||
		s.Judges[0].Judged != s.Predictions-s.Found || s.Judges[0].Errors != 0 || s.Judges[0].Waiting != 0 {
		t.Errorf("in the end: %+v", s)
	}
	before, _ := r.server.TotalCalls()
	r.eval(args[:len(args)-1]...)
	if after, _ := r.server.TotalCalls(); after != before {
		t.Errorf("a run with nothing left made %d calls", after-before)
	}
	t.Logf("%d calls for %d; %d failed at first", before, 4*questions+s.Judges[0].Judged, waits)
}

// attempts holds that no question was asked more often than sessions of the
// retry policy allow.
func (r *rig) attempts(t *testing.T, sessions int) {
	t.Helper()
	for ask, n := range r.server.CallCounts() {
		if n > sessions*(1+rigRetries) {
			t.Errorf("asked %d times in %d sessions: %q", n, sessions, ask.Prompt)
		}
	}
}

// Endpoints that hang, drip or flood cost a deadline, not the run.
func TestSlowFaultsEndAtTheDeadline(t *testing.T) {
	const questions = 24
	n := 0
	slow := []openaitest.Fault{openaitest.Hang, openaitest.Drip, openaitest.Endless, openaitest.BusyAfter}
	r := newRig(t, openaitest.Options{Answer: rightly, Faults: func(q *openaitest.Request) openaitest.Fault {
		if number, _, _ := rigAsk(q); q.Asked == 0 && number > 0 && number <= len(slow) {
			return slow[number-1]
		}
		return openaitest.None
	}}, rigRows(questions, "")...)
	r.configure("")
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), `"2s"`, `"300ms"`, 1))
	s := r.eval("--modality", "text", "--concurrency", "8")
	for ask, times := range r.server.CallCounts() {
		if n += times - 1; times > 2 {
			t.Errorf("asked %d times: %q", times, ask.Prompt)
		}
	}
	if s.State != "done" || s.Questions != questions || s.Predictions+s.Errors != questions || n < 3 {
		t.Errorf("%d asked again: %+v", n, s)
	}
}

func TestWrongKeyEndsTheRunWithOneCall(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(50, "")...)
	t.Setenv(rigVariable, "sk-wrong-key-4712")
	got := r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "32")
	if total, refused := r.server.TotalCalls(); total != 0 || refused != 1 {
		t.Errorf("%d calls, %d refused: want the canary alone", total, refused)
	}
	if !strings.Contains(got.err, rigVariable) || strings.Contains(got.err+got.out, "4712") {
		t.Errorf("the message must name the variable and not the key: %s%s", got.out, got.err)
	}
	t.Setenv(rigVariable, rigKey)
	if s := r.eval("--modality", "text"); s.Made || s.Questions != 50 || s.Errors != 0 {
		t.Errorf("with the right key the run continues: %+v", s)
	}
}

func TestWrongJudgeKeyCostsOneCall(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: halfUnreadable}, rigRows(50, "")...)
	model := r.server
	r.serve(openaitest.Options{Answer: halfUnreadable, Key: "sk-another"})
	judge := r.server
	r.server = model
	r.configure("[endpoints.court]\nbase_url = \"" + judge.URL() + "\"\napi_key_env = \"CONCORD_COURT_KEY\"\n[models.strict]\nendpoint = \"court\"\n")
	t.Setenv("CONCORD_COURT_KEY", "sk-wrong-key-4713")
	got := r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--judge", "strict", "--concurrency", "16")
	if total, refused := judge.TotalCalls(); total != 0 || refused != 1 {
		t.Errorf("%d calls, %d refused of the judge: want one", total, refused)
	}
	if !strings.Contains(got.err, "CONCORD_COURT_KEY") || strings.Contains(got.err+got.out, "4713") {
		t.Errorf("the message must name the variable and not the key: %s%s", got.out, got.err)
	}
}

func TestMissingKeyMakesNoRun(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(5, "")...)
	t.Setenv(rigVariable, "")
	got := r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text")
	if total, refused := r.server.TotalCalls(); total+refused != 0 || !strings.Contains(got.err, rigVariable) {
		t.Errorf("%d calls: %s", total+refused, got.err)
	}
	if got := r.ends(cli.ExitFailed, "report", "accuracy"); !strings.Contains(got.err, "no predictions yet") {
		t.Errorf("there is a run: %s%s", got.out, got.err)
	}
}
