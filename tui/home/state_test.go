package home

import (
	"testing"
	"time"

	"github.com/muesli/termenv"

	"concord/eval"
)

func TestStateAndWhatCanBeDone(t *testing.T) {
	check := func(name string, origin eval.Origin, s eval.State, live bool, done int, want string) {
		t.Helper()
		r := Row{Run: eval.Run{Config: eval.Config{Origin: origin}}, Live: live}
		r.Progress = eval.Progress{State: s, Total: 10, Counts: eval.Counts{Questions: done}}
		can := ""
		if whyNotPause(r) == "" {
			can += " pause"
			if canResume(r) {
				can += " resume"
			}
		}
		if whyNotCancel(r) == "" {
			can += " cancel"
		}
		if got := StateText(r) + can; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("imported", eval.Imported, eval.StateUnset, false, 4, "imported")
	check("running", eval.Asked, eval.Running, true, 4, "running pause cancel")
	check("waiting", eval.Asked, eval.Waiting, true, 0, "waiting pause cancel")
	check("paused", eval.Asked, eval.Paused, true, 4, "paused pause resume cancel")
	check("done", eval.Asked, eval.Done, true, 10, "done")
	check("done before", eval.Asked, eval.StateUnset, false, 10, "done")
	check("left off", eval.Replayed, eval.StateUnset, false, 4, "stopped pause resume")
	check("failed", eval.Asked, eval.Failed, false, 4, "failed pause resume")
	check("cancelled here", eval.Asked, eval.Cancelled, true, 4, "cancelled pause resume")
	check("cancelled", eval.Asked, eval.Cancelled, false, 4, "cancelled pause resume")
}

func TestRatesAreOfSeconds(t *testing.T) {
	var h rateHistory
	at := clock
	for i := range 5 * history * 10 { // ten readings a second
		h.addRate(float64(i/10), at)
		at = at.Add(100 * time.Millisecond)
	}
	if n := len(h.values); n < history || n >= 2*history {
		t.Errorf("%d rates are kept", n)
	}
	last := h.values[len(h.values)-history:]
	if last[history-1] != 5*history-1 || last[0] != 4*history {
		t.Errorf("from %v to %v", last[0], last[history-1])
	}
}

func TestWhatCanBeRetried(t *testing.T) {
	check := func(name string, set func(*Row), want string) {
		t.Helper()
		r := Row{Run: eval.Run{Config: eval.Config{Origin: eval.Asked}}}
		set(&r)
		if got := whyNotRetry(r); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("nothing failed", func(*Row) {}, "nothing failed in this run")
	check("failures", func(r *Row) { r.Progress.Counts.Failures = 1 }, "")
	check("a judge's", func(r *Row) { r.Progress.Judges = []eval.JudgeProgress{{Counts: eval.JudgeCounts{Failures: 1}}} }, "")
	check("at work", func(r *Row) { r.Progress.Counts.Failures, r.Live, r.Progress.State = 1, true, eval.Running },
		"it is still at work: what failed can be asked again when it has ended")
	check("imported", func(r *Row) { r.Progress.Counts.Failures, r.Run.Config.Origin = 1, eval.Imported },
		"imported from a file: nobody can be asked again")
}

func TestAFailureIsToldShort(t *testing.T) {
	r := Row{Run: eval.Run{Config: eval.Config{Model: "otter", Settings: eval.Settings{Name: "otter-2026"}}}}
	check := func(text, want string) {
		t.Helper()
		if got := shortenFailure(r, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	check(`endpoint "local", model "otter-2026": HTTP status 400`, "HTTP status 400")
	check(`transient: endpoint "local", model "otter": reply cut off`, "transient: reply cut off")
	check(`endpoint "local", model "judge": HTTP status 400`, `endpoint "local", model "judge": HTTP status 400`)
	check("content filter", "content filter")
	check("", "")
}

func TestWorkersOfARunAreShown(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		bubble(t, func(t *testing.T) {
			b := project()
			b.rows[0].Progress.Workers = []eval.WorkerProgress{
				{Name: "gpu-1", Endpoint: "http://gpu-1:8000/v1", Capacity: 8, Answered: 1200, Rate: 9.4},
				{Name: "gpu-2\x1b[31m", Endpoint: "http://gpu-2:8000/v1", Capacity: 8, Answered: 800, Failed: 3, State: "gone", Last: "500 the server\nhad an error"},
			}
			d := sit(t, b, termenv.Ascii, size[0], size[1])
			d.Press("enter")
			d.CheckFits(d.width)
			if size[0] < 100 {
				d.CheckShows("workers", "1 at work · 1 away · 3 errors")
			} else {
				d.CheckShows("gpu-1 · 9.4/s · 1,200 answers · http://gpu-1:8000/v1", "gone · 800 answers · 3 errors · ! 500 the serve")
			}
		})
	}
}
