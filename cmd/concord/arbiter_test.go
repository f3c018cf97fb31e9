package main

import (
	"context"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	judgingpkg "concord/cmd/concord/internal/jobs/judging"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
	"concord/tui/job"
	"concord/tui/judging"
)

// arbiterBench is an arbiter on a rig's project, as the screen has one.
type arbiterBench struct {
	*judgingpkg.Control
	scheduler *jobs.Scheduler
	t         *testing.T
	st        *store.Store
}

// openArbiter opens the project; close ends the work, as quitting does.
func openArbiter(t *testing.T, r *rig) (b *arbiterBench, closeIt func()) {
	t.Helper()
	a := newTestApp(cli.Streams{}, r.path("p.db"))
	a.Waits = project.RetryWaits{Base: time.Millisecond, Most: 2 * time.Millisecond}
	st, err := store.Open(a.Path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := jobs.NewScheduler(ctx, a, st, nil)
	b = &arbiterBench{judgingpkg.NewControl(s), s, t, st}
	return b, func() {
		cancel()
		if err := b.scheduler.WaitForRuns(); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
}

func (b *arbiterBench) row(id job.ID) job.Row {
	b.t.Helper()
	rows, err := b.ListJobs(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range rows {
		if r.ID == id {
			return r
		}
	}
	b.t.Fatalf("no job %s in %+v", id, rows)
	return job.Row{}
}

// until waits for the row of a job to be so.
func (b *arbiterBench) until(id job.ID, what string, ok func(*job.Row) bool) job.Row {
	b.t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		if r := b.row(id); ok(&r) {
			return r
		}
		select {
		case <-b.scheduler.ChangeMarks():
		case <-deadline:
			r := b.row(id)
			b.t.Fatalf("never %s: %s %+v", what, r.StateText(), r)
		}
	}
}

func is(state string) func(*job.Row) bool {
	return func(r *job.Row) bool { return r.StateText() == state }
}

// Judges vote in the background of the app: an order is estimated, paused,
// gone on with, left off by quitting, found again by another process and
// brought to its end; no pair is asked twice.
func TestVotesInTheBackground(t *testing.T) {
	const samples = 60
	p := &panel{Juror: openaitest.Juror{Seed: 1, First: 0.2, Undecided: 0.1}}
	r := newVoteRig(t, samples, p, openaitest.Options{Latency: 5 * time.Millisecond})
	b, quit := openArbiter(t, r)
	c, err := b.FormChoices(t.Context())
	if err != nil || len(c.Datasets) != 1 || len(c.Datasets[0].Models) != 2 || len(c.Judges) != 3 || c.Datasets[0].Criteria != 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	runs := map[string]eval.RunID{}
	for _, m := range c.Datasets[0].Models {
		runs[m.Name] = m.Run
	}
	spec := judging.Spec{
		Dataset: "mb", Models: []eval.RunID{runs["model"]}, Anchor: runs["anchor"], Judge: "judge",
		Input: eval.SeesNothing, Repeats: 1, Concurrency: 2,
	}
	e, err := b.Estimate(t.Context(), spec)
	if err != nil || e.Calls != 2*samples || e.Tally.Wanted != 2*samples || !e.Priced || e.Cost <= 0 || len(e.LeftOut) != 1 || !e.LeftOut[0].Asked || e.Live {
		t.Fatalf("%+v, %v", e, err)
	}
	if _, err := b.Estimate(t.Context(), judging.Spec{Dataset: "mb", Models: spec.Models, Anchor: spec.Anchor, Judge: "judge", Input: eval.SeesCaption}); err == nil {
		t.Error("captions are shown that there are none of")
	}
	id, err := b.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	b.until(id, "ten votes", func(r *job.Row) bool { return r.Tally.Stored >= 10 })
	if again, err := b.Start(t.Context(), spec); err != nil || again != id {
		t.Errorf("the same order is %s, %v", again, err)
	}
	other := spec
	other.Repeats = 2
	if _, err := b.Start(t.Context(), other); err == nil {
		t.Error("the same votes are asked for twice at once")
	}
	if err := b.PauseJob(id); err != nil {
		t.Fatal(err)
	}
	if row := b.row(id); row.StateText() != "paused" || row.NoPause != "" || row.Tally.Wanted != 2*samples || row.Model != "model" || row.Anchor != "anchor" {
		t.Errorf("%s %+v", row.StateText(), row)
	}
	if err := b.ResumeJob(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	quit()

	b, quit = openArbiter(t, r)
	defer quit()
	if row := b.row(id); row.StateText() != "stopped" || row.Live || row.Tally.Wanted != 2*samples || row.IsAllAsked() {
		t.Errorf("%s %+v", row.StateText(), row)
	}
	if err := b.PauseJob(id); err == nil {
		t.Error("a job that is not at work is paused")
	}
	if err := b.ResumeJob(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	row := b.until(id, "done", is("done"))
	if row.Tally.CountStored() != 2*samples || row.Cost <= 0 || row.NoPause == "" || row.NoRetry == "" {
		t.Errorf("%+v", row)
	}
	if total, each := r.server.TotalCalls(); total != 2*samples {
		t.Errorf("%d calls (%d)", total, each)
	}
	look, err := view.Judging{Control: b.Control, Store: b.st, Now: time.Now, Policy: view.NewPolicies(b.st)}.ReadComparison(t.Context(), "", row.Comparison, 5)
	want := p.merged()
	got := look.Results
	if err != nil || got.Win != want["win"] || got.Lose != want["lose"] || got.Tie != want["tie"] || got.SituationOne != want["situation_one"] ||
		got.Unable != want["unable"] || got.N != samples || look.Model+look.Anchor+look.Unable != 2*samples || look.Same.N != samples || look.Orders != 2 {
		t.Errorf("%+v, the server replied %v, %v", look, want, err)
	}
}

// An order that has cost its budget pauses, says so when it is to go on, and
// goes on with a larger one.
func TestVotesHaveABudget(t *testing.T) {
	p := &panel{Juror: openaitest.Juror{Seed: 1}}
	r := newVoteRig(t, 20, p, openaitest.Options{Latency: time.Millisecond})
	b, quit := openArbiter(t, r)
	defer quit()
	o := jobs.VotingOrder{Dataset: "mb", Models: []string{"model"}, Anchor: "anchor", Judge: "judge", Input: eval.SeesImage, WithoutImages: true, Edge: -1}
	most := 1e-9
	h, err := b.StartVoting(t.Context(), &o, jobs.Effort{Concurrency: 1, Budget: &most})
	if err != nil {
		t.Fatal(err)
	}
	id := judgingpkg.ComparisonJobID(h.Voting.FirstComparison())
	b.until(id, "paused", is("paused"))
	if err := b.ResumeJob(t.Context(), id); err == nil {
		t.Error("it continues without money")
	}
	most = 1000
	if again, err := b.StartVoting(t.Context(), &o, jobs.Effort{Budget: &most}); err != nil || again != h {
		t.Errorf("%v, another hearing: %v", err, again != h)
	}
	b.until(id, "done", is("done"))
}

// A cancelled job says so, and one whose replies hold no vote asks for those
// alone when it is asked to. What a judge said is kept from a person who is to
// vote on the same sample.
func TestVotesAskedAgain(t *testing.T) {
	const samples = 20
	p := &panel{Juror: openaitest.Juror{Seed: 1, Wordy: 1}}
	r := newVoteRig(t, samples, p, openaitest.Options{Latency: time.Millisecond})
	b, quit := openArbiter(t, r)
	defer quit()
	o := jobs.VotingOrder{Dataset: "mb", Models: []string{"model"}, Anchor: "anchor", Judge: "judge", Input: eval.SeesImage, WithoutImages: true, Edge: -1, Shuffled: true, Seed: 1}
	h, err := b.StartVoting(t.Context(), &o, jobs.Effort{Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	id := judgingpkg.ComparisonJobID(h.Voting.Tallies[0].Comparison)
	b.until(id, "three replies", func(r *job.Row) bool { return r.Tally.CountStored() >= 3 })
	if err := b.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	b.until(id, "cancelled", is("cancelled"))
	if err := b.ResumeJob(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	row := b.until(id, "done", is("done"))
	if row.Tally.Unparsed == 0 || row.Tally.CountStored() != samples || row.NoRetry != "" {
		t.Fatalf("%+v", row.Tally)
	}
	v := view.Judging{Control: b.Control, Store: b.st, Now: time.Now, Policy: view.NewPolicies(b.st)}
	look, err := v.ReadComparison(t.Context(), "ada", row.Comparison, 2)
	if err != nil || look.Orders != 1 || len(look.Unparsed)+look.MoreReplies != row.Tally.Unparsed || !look.Unparsed[0].Visibility.ShowsText() || look.Unparsed[0].Raw == "" {
		t.Fatalf("%+v, %v", look, err)
	}
	q := annotate.Queue{
		Name: "votes", Rule: annotate.Rule{Dataset: "mb", From: annotate.FromPairs, Runs: []eval.RunID{row.Comparison.A, row.Comparison.B}, Anchor: h.Voting.Anchor.ID, Rate: 1},
		Stratum: annotate.Random, Overlap: 1, Growing: true, Created: time.Now(),
	}
	if err := b.st.Queues().CreateQueue(t.Context(), q, nil); err != nil {
		t.Fatal(err)
	}
	if look, err = v.ReadComparison(t.Context(), "ada", row.Comparison, 2); err != nil || look.Unparsed[0].Visibility.ShowsText() || look.Unparsed[0].Raw != "" {
		t.Errorf("somebody who may have to vote reads %+v, %v", look.Unparsed, err)
	}
	p.Wordy = 0
	if err := b.RetryJob(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.until(id, "read", func(r *job.Row) bool { return r.Tally.Unparsed == 0 && !r.IsMoving() })
}
