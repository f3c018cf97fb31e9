package home

import (
	"errors"
	"fmt"
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
)

// beingJudged makes the imported run one that a judge reads.
func beingJudged(b *bench) {
	r := &b.rows[4]
	r.Live = true
	r.Progress.State, r.Progress.JudgesOnly, r.Progress.Started = eval.Running, true, clock
	r.Progress.Rate, r.Progress.CallsLeft, r.Progress.InFlight = 3.5, 27, 4
	r.Progress.Judges = []eval.JudgeProgress{judged("before", 90, 10, 0, 0, 0), judged("gpt-judge", 101, 48, 1, 0, 0)}
	r.Progress.Judges[1].Asked = true
}

func TestJudgesAreCalled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("down", "down", "down", "down", "J") // imported predictions
		d.CheckShows("the rules cannot read 177 of 4,377 answers", "› [ ]  otter-7b", "⊘ gpt-4o")
		d.Press("enter", "up", " ")
		want := []string{"no judge is chosen: space takes one in", "gpt-4o: OPENAI_API_KEY is not set: export OPENAI_API_KEY=…"}
		if fmt.Sprint(d.Notices) != fmt.Sprint(want) || len(b.called) > 0 {
			t.Errorf("said %q, called %q", d.Notices, b.called)
		}
		d.Press("q", "w", " ", "p", "t", "-", "j", " ", " ", " ")
		d.CheckShows("[x]  qwen2-vl-7b", "[x]  gpt-judge", "354 extractions to make, by 2 judges; not every price is known")
		b.broken = errors.New("the endpoint is closed")
		d.Press("enter")
		d.CheckShows("✗ the endpoint is closed")
		b.broken = nil
		d.Press("enter")
		if fmt.Sprint(b.called) != "[5 [qwen2-vl-7b gpt-judge]]" || d.jury != nil {
			t.Errorf("called %q", b.called)
		}
		if last := d.Notices[len(d.Notices)-1]; last != "llava-v1.5-13b on mmbench_dev: judged by qwen2-vl-7b, gpt-judge" {
			t.Errorf("said %q", last)
		}
	})
}

func TestWhoNeedNotJudge(t *testing.T) {
	check := func(want string, set func(*bench), keys ...string) {
		t.Helper()
		bubble(t, func(t *testing.T) {
			b := project()
			if set != nil {
				set(b)
			}
			d := sit(t, b, termenv.Ascii, 80, 24)
			d.Press(keys...)
			if len(d.Notices) != 1 || d.Notices[0] != want || len(b.called) > 0 {
				t.Errorf("%q: said %q, called %q", keys, d.Notices, b.called)
			}
		})
	}
	imported := []string{"G", "up", "down", "down", "down", "down", "J"}
	all := func(b *bench) { b.rows[4].Progress.Judges = []eval.JudgeProgress{judged("gpt-judge", 170, 7, 0, 0, 0)} }
	read := func(b *bench) { b.rows[4].Progress.Counts = counts(9, 9, 0, 0, 0, 0, 0) }
	at := func(b *bench) { b.rows[0].Progress.Judges[0].Asked = true }
	check("the rules read every answer of this run: nothing is left to judge", read, imported...)
	check("there are no answers to judge in this run", nil, "down", "down", "down", "J")
	check("gpt-judge: it has read all that the rules left", all, append(imported, "g", "p", "t", "-", "j", " ")...)
	check("gpt-judge: it judges this run already", at, "J", "g", "p", "t", "-", "j", " ")
	check("J steers runs: tab goes to them", nil, "tab", "J")
}

// What judges do in a run that has ended is no state of the run.
func TestStateOfAJudgedRun(t *testing.T) {
	check := func(origin eval.Origin, s eval.State, done int, want string) {
		t.Helper()
		r := Row{Run: eval.Run{Config: eval.Config{Origin: origin}}, Live: true}
		r.Progress = eval.Progress{State: s, JudgesOnly: true, Total: 10, Counts: eval.Counts{Questions: done, Predictions: 10}}
		r.Progress.Counts.Statuses[eval.Missing] = 5
		r.Progress.Judges = []eval.JudgeProgress{{Counts: eval.JudgeCounts{Failures: 1}}}
		got := StateText(r)
		for _, act := range []struct {
			name string
			why  func(Row) string
		}{{"pause", whyNotPause}, {"cancel", whyNotCancel}, {"retry", whyNotRetry}, {"judge", whyNotJudge}} {
			if act.why(r) == "" {
				got += " " + act.name
			}
		}
		if got != want {
			t.Errorf("%s %s: %q, want %q", origin, s, got, want)
		}
	}
	check(eval.Imported, eval.Running, 10, "judging pause cancel judge")
	check(eval.Imported, eval.Paused, 10, "paused pause cancel judge")
	check(eval.Imported, eval.Done, 10, "imported retry judge")
	check(eval.Imported, eval.Cancelled, 10, "cancelled pause retry judge")
	check(eval.Imported, eval.Failed, 10, "failed pause retry judge")
	check(eval.Asked, eval.Running, 4, "judging pause cancel judge")
	check(eval.Asked, eval.Done, 10, "done retry judge")
	check(eval.Asked, eval.Done, 4, "stopped pause retry judge") // the run itself can go on
	check(eval.Asked, eval.Cancelled, 10, "done retry judge")
}
