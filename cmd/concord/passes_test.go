package main

import (
	"context"
	"strings"
	"sync"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// script answers question n wrongly in its pass n%5 and else rightly; of those
// with 4 every pass is right. Odd questions are answered so that only the
// judge can read it.
type script struct {
	mu    sync.Mutex
	asked map[int]int
	plain bool // the rules read everything
}

func (s *script) answer(q *openaitest.Request) openaitest.Response {
	n, right, wrong := rigAsk(q)
	if q.Model == "judge" {
		pass := strings.Count(q.Prompt(), "zig") - 1
		return openaitest.Response{Text: map[bool]string{true: wrong, false: right}[pass == n%5]}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	pass := s.asked[n] // the passes of a question are asked in their order
	s.asked[n]++
	switch {
	case n%2 == 1 && !s.plain:
		return openaitest.Response{Text: "Hard to say," + strings.Repeat(" zig", pass+1)}
	case pass == n%5:
		return openaitest.Response{Text: wrong}
	}
	return openaitest.Response{Text: right}
}

// stopped is how many calls early stop promises for n questions under script.
func stopped(n int) (calls int) {
	for i := range n {
		calls += min(i%5+1, 4)
	}
	return calls
}

func TestCircularMakesTheCallsThatEarlyStopPromises(t *testing.T) {
	t.Parallel()
	const questions = 100
	check := func(name string, plain bool, wantCalls, wantJudged int, args ...string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			s := &script{asked: make(map[int]int), plain: plain}
			r := newRig(t, openaitest.Options{Answer: s.answer}, rigRows(questions, "")...)
			sum := r.eval(append([]string{"--modality", "text", "--strategy", "circular", "--concurrency", "16"}, args...)...)
			calls, _ := r.asked("vlm")
			judged, _ := r.asked("judge")
			if calls != wantCalls || judged != wantJudged || sum.Questions != questions {
				t.Errorf("%d calls and %d of the judge, want %d and %d: %+v", calls, judged, wantCalls, wantJudged, sum)
			}
			judge := []string{}
			if wantJudged > 0 {
				judge = []string{"--judge", "judge"}
			}
			if a := r.accuracy("circular", judge...); a.Accuracy.K != questions/5 || a.Accuracy.N != questions || a.Pending != 0 {
				t.Errorf("circular: %+v", a)
			}
			if a := r.accuracy("vanilla", judge...); a.Accuracy.K != questions-questions/5 || a.Accuracy.N != questions {
				t.Errorf("vanilla: %+v", a)
			}
		})
	}
	odd := 0 // calls of odd questions: the judge reads them all
	for i := 1; i < questions; i += 2 {
		odd += min(i%5+1, 4)
	}
	check("rules", true, stopped(questions), 0)
	check("judge", false, stopped(questions), odd, "--judge", "judge")
	check("all passes", true, 4*questions, 0, "--all-passes")
	check("all passes, judge", false, 4*questions, 2*questions, "--all-passes", "--judge", "judge")
}

// An older version of the rules read every first pass as wrong, so that the
// later ones were never asked. Today's reads them as right.
func TestOutdatedReadingLeavesPendingQuestionsThatEvalCompletes(t *testing.T) {
	const questions = 12
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(questions, "")...)
	args := []string{"--modality", "text", "--strategy", "circular"}
	r.outdated(t, questions, args)
	if a := r.accuracy("circular"); a.Pending != questions || a.Accuracy.N != 0 {
		t.Errorf("before: %+v", a)
	}
	s := r.eval(args...)
	if total, _ := r.server.TotalCalls(); s.Made || total != 3*questions || s.Questions != questions || s.Predictions != 4*questions {
		t.Errorf("%d calls: %+v", total, s)
	}
	if a := r.accuracy("circular"); a.Pending != 0 || a.Accuracy.K != questions {
		t.Errorf("after: %+v", a)
	}
}

// outdated makes a run as eval does, and stores the answers to its first
// passes with the readings of rules of long ago.
func (r *rig) outdated(t *testing.T, questions int, args []string) {
	t.Helper()
	t.Setenv(rigVariable, "sk-wrong")
	r.ends(cli.ExitFailed, append([]string{"eval", "--dataset", "d", "--model", "vlm"}, args...)...)
	t.Setenv(rigVariable, rigKey)
	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var facts []eval.Fact
	for i := range questions {
		facts = append(facts, eval.Fact{
			Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, Text: string("ABCD"[i%4])},
			Reading:    eval.Extraction{Status: eval.Found, Choice: eval.Choice("BCDA"[i%4])},
			Reader:     "concord@0", Closes: true,
		})
	}
	n, err := st.Runs().RecordAll(context.Background(), facts)
	if err != nil || n != questions {
		t.Fatalf("stored %d: %v", n, err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}
