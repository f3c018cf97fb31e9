package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/judging"
)

// court is one comparison, and a form that starts it again.
type court struct{ begun int }

func (c *court) ListJobs(context.Context) ([]job.Row, error) {
	return []job.Row{{ID: "one", Work: eval.Voting, Dataset: "demo", Asked: "judge-x", Model: "otter-7b", Anchor: "lynx-vl", Live: true, Progress: eval.Progress{State: eval.Running}}}, nil
}

func (c *court) ReadComparison(context.Context, annotate.Annotator, eval.Comparison, int) (judging.Look, error) {
	return judging.Look{}, nil
}

func (c *court) FormChoices(context.Context) (judging.Choices, error) {
	return judging.Choices{
		Datasets: []judging.DatasetChoice{{Name: "demo", Samples: 60, Models: []judging.ModelChoice{
			{Run: 1, Name: "otter-7b", Model: "otter-7b"}, {Run: 2, Name: "lynx-vl", Model: "lynx-vl"},
		}}},
		Judges: []job.ModelChoice{{Name: "judge-x"}},
	}, nil
}

func (c *court) Estimate(context.Context, judging.Spec) (judging.Estimate, error) {
	return judging.Estimate{Calls: 120}, nil
}

func (c *court) Start(context.Context, judging.Spec) (job.ID, error) {
	c.begun++
	return "one", nil
}
func (c *court) PauseJob(job.ID) error                   { return nil }
func (c *court) ResumeJob(context.Context, job.ID) error { return nil }
func (c *court) CancelJob(job.ID) error                  { return nil }
func (c *court) RetryJob(context.Context, job.ID) error  { return nil }

// From the list to the form and back to the job that it began, to the job's
// page, and back again.
func TestVotesAreReached(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		c := &court{}
		d := *a.deps
		d.Judging = judging.Deps{Source: c, Control: c, Scheduler: c}
		a.Model = New(t.Context(), d)
		a.size(80, 24)
		a.do(a.tabs.runs.Init())
		see := func(want string) {
			t.Helper()
			if !strings.Contains(a.View(), want) {
				t.Fatalf("no %q in\n%s", want, a.View())
			}
		}
		a.press("V")
		see("Judge pairs")
		a.press("esc")
		see("Judge runs")
		a.press("V", "enter", "enter")
		if c.begun != 1 {
			t.Fatalf("begun %d", c.begun)
		}
		see("votes of judge-x on")
		a.press("enter")
		see("[Results]")
		a.press("esc", "d")
		see("[Results]")
		a.press("esc", "e")
		see("[Failed 0]")
		a.press("q")
		see("Judge runs")
		a.fits()
	})
}
