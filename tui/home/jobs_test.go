package home

import (
	"fmt"
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/job"
	"concord/tui/widget"
)

// withVotes adds judgings in several states: two of one order at work, one
// that was left off, one from a file, and captions.
func withVotes(b *bench) {
	row := func(id job.ID, model, judge string, wanted, stored, failed int) job.Row {
		return job.Row{
			ID: id, Work: eval.Voting, Dataset: "mllm_bench", Asked: judge, Model: model, Anchor: "llava-v1.5-13b",
			Comparison: eval.Comparison{Ballot: eval.Ballot{Judge: judge, Input: eval.SeesImage, Criteria: id == "a"}},
			Tally:      eval.Tally{Wanted: wanted, Stored: stored, Unparsed: stored / 50, Failed: failed, Usage: eval.Usage{Prompt: 600 * stored, Completion: 30 * stored}},
			Cost:       0.002 * float64(stored), Priced: true, NoCancel: "it is not at work in this process",
		}
	}
	p := eval.Progress{
		State: eval.Running, Rate: 18.4, InFlight: 8, CallsLeft: 1030, Cost: 1.2, Priced: true, Budget: 5, Started: clock,
		LastFailure: `sample: endpoint "lab", model "gpt-4o": content filter`,
	}
	at, next := row("a", "qwen-vl-chat", "gpt-judge", 840, 611, 3), row("b", "otter-7b", "gpt-judge", 840, 0, 0)
	at.Live, at.Progress, at.Shares, at.NoCancel, at.NoRetry = true, p, 1, "", "it is still at work"
	next.Live, next.Progress, next.Shares, next.Resting, next.NoCancel = true, p, 1, true, ""
	done := row("d", "qwen2-vl-7b", "gpt-4-turbo", 840, 824, 0)
	done.NoPause, done.NoRetry = "every vote was asked for", ""
	captions := job.Row{
		ID: "job/3", Work: eval.Captioning, Dataset: "mllm_bench", Asked: "otter-7b", Live: true, Priced: true,
		Tally: eval.Tally{Wanted: 45, Stored: 12}, Progress: eval.Progress{State: eval.Paused},
	}
	b.jobs = []job.Row{at, next, row("c", "qwen-vl-chat", "free-judge", 0, 178, 1), done, captions}
}

func TestJudgingsAreSteered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		withVotes(b)
		d := sit(t, b, termenv.Ascii, 120, 40)
		d.Press("V", "tab")
		d.CheckShows("● running", "votes of gpt-judge on qwen-vl-chat")
		d.Press("p", "t", "c")
		d.CheckShows("Cancel the votes of gpt-judge", "1 other")
		d.Press("esc", "c", "y", "down", "down", "p", "c", "t", "V", "enter", "e", "J", "down", "down", "p")
		if got := fmt.Sprint(b.steered); got != "[pause a cancel a resume c retry c resume job/3]" {
			t.Errorf("steered %s", got)
		}
		want := "[{} {c} {c false} {c true}]"
		if got := fmt.Sprint(d.asked); got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if fmt.Sprint(d.Notices[1:3]) != "[it is still at work votes of gpt-judge on qwen-vl-chat : llava-v1.5-13b: cancelled; p continues from here]" {
			t.Errorf("said %q", d.Notices)
		}
	})
}

// A judging of votes leads to the report on its dataset; one of another kind
// has none.
func TestJudgingsLeadToTheirReport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		withVotes(b)
		b.jobs = []job.Row{{ID: "a", Work: eval.Voting, Dataset: "open"}, {ID: "b", Work: eval.Captioning, Dataset: "open"}}
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("tab")
		if msg, ok := d.Update(annotationtest.NewKeyMsg("r"))().(OpenVotes); !ok || msg.Dataset != "open" {
			t.Errorf("r asks for %+v", msg)
		}
		d.Press("down")
		if said, ok := d.Update(annotationtest.NewKeyMsg("r"))().(widget.Notify); !ok || said.Text != "it is of votes" {
			t.Errorf("r on captions says %+v", said)
		}
	})
}

// Tab goes through the lists that have rows; news moves no cursor, and what
// was started just now is gone to once it is there.
func TestJudgingsStayInTheirPlaces(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		withVotes(b)
		all := b.jobs
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("tab", "down", "down")
		b.jobs = append([]job.Row{{ID: "new", Work: eval.Voting}}, all...)
		d.Run(d.Refresh())
		if j, _ := d.jobs.currentRow(); j.ID != "c" || len(d.jobs.rows) != 6 || d.jobs.rows[5].ID != "new" {
			t.Errorf("at %s of %d", j.ID, len(d.jobs.rows))
		}
		d.Press("tab")
		if d.focus != atQueues {
			t.Errorf("focus %d", d.focus)
		}
		d.Press("tab", "shift+tab", "shift+tab")
		if d.focus != atJobs {
			t.Errorf("focus %d", d.focus)
		}
		b.jobs = nil
		d.Run(d.Refresh())
		if d.focus != atRuns || d.listHeight(atJobs) != 0 {
			t.Errorf("focus %d on a list that is gone", d.focus)
		}
		d.GoToJob("late")
		d.Run(d.Refresh())
		b.jobs = append(all, job.Row{ID: "late", Work: eval.Voting})
		d.Run(d.Refresh())
		if j, _ := d.jobs.currentRow(); d.focus != atJobs || j.ID != "late" {
			t.Errorf("at %s, focus %d", j.ID, d.focus)
		}
	})
}
