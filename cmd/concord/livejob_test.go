package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// Judges vote in the background of the app: the job can be paused, gone on
// with and cancelled, two never ask for the same votes, and the same order
// asks for what is left.
func TestVotesInTheBackground(t *testing.T) {
	p := &panel{Juror: openaitest.Juror{Seed: 1}}
	r := newVoteRig(t, 60, p, openaitest.Options{Latency: 5 * time.Millisecond})
	a := &app{project: r.path("p.db"), now: time.Now, log: slog.New(slog.DiscardHandler)}
	st, err := store.Open(a.project, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	s := a.newStarter(ctx, st, nil)
	defer func() {
		cancel()
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}()
	o := votingOrder{Dataset: "mb", Models: []string{"model"}, Anchor: "anchor", Judge: "judge", Input: eval.SeesImage, Edge: -1}
	id, err := s.Votes(ctx, &o, effort{Concurrency: 2})
	if err != nil {
		t.Fatal(err)
	}
	until := func(what string, ok func(eval.Progress) bool) eval.Progress {
		t.Helper()
		for deadline := time.After(10 * time.Second); ; {
			jobs := s.Jobs()
			if at := jobs[len(jobs)-1].progress; ok(at) {
				return at
			}
			select {
			case <-s.Changed():
			case <-deadline:
				t.Fatalf("never %s: %+v", what, s.Jobs())
			}
		}
	}
	until("ten votes", func(p eval.Progress) bool { return p.Tally.Stored >= 10 })
	if _, err := s.Votes(ctx, &o, effort{}); err == nil {
		t.Error("the same votes are asked for twice at once")
	}
	other := o
	other.Repeats = []int{1}
	if second, err := s.Votes(ctx, &other, effort{}); err != nil || second == id || s.CancelJob(second) != nil {
		t.Errorf("%d, %v", second, err)
	}
	until("cancelled", func(p eval.Progress) bool { return p.State == eval.Cancelled })
	if err := s.PauseJob(id); err != nil || s.Jobs()[0].progress.State != eval.Paused {
		t.Errorf("%v, %+v", err, s.Jobs())
	}
	if err := s.ResumeJob(id); err != nil {
		t.Error(err)
	}
	if err := s.CancelJob(id); err != nil {
		t.Error(err)
	}
	for s.Jobs()[0].progress.State != eval.Cancelled {
		<-s.Changed()
	}
	if err := s.PauseJob(id); err == nil {
		t.Error("a job that has ended is paused")
	}
	if _, err := s.Votes(ctx, &o, effort{Concurrency: 8}); err != nil {
		t.Fatal(err)
	}
	end := until("done", func(p eval.Progress) bool { return p.State == eval.Done })
	if end.Job.Work != eval.Voting || len(end.Job.Contests) != 1 || end.Tally.Settled() != 120 || end.Job.LeftOut[0].Reason != withoutPicture {
		t.Errorf("%+v", end)
	}
	contests, err := st.Votes().Contests(ctx)
	if err != nil || contests[0].Counts.Asked() != 120 {
		t.Errorf("%+v, %v", contests, err)
	}
}
