package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/projecttest"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/tui/endpoint"
	"concord/tui/job"
)

// A model that is connected while the app is open can be asked at once, and a
// server that was asked before stays the same one.
func TestAConnectedModelCanBeAskedAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Models: []string{"fresh"}}, "1\tq\ta\tb\tc\td\tA\tcat\t\n")
	a := &project.Project{Path: r.path("p.db")}
	st := projecttest.New(t)
	s := jobs.NewScheduler(t.Context(), a, st, nil)
	before, err := s.LoadFactoryOnce()
	if err != nil {
		t.Fatal(err)
	}
	was, err := before.Models.Endpoints.FindEndpoint("lab")
	if err != nil {
		t.Fatal(err)
	}
	c := view.Endpoints{Project: a}
	server := endpoint.Server{Name: "mine", URL: r.server.URL(), KeyEnv: rigVariable}
	models, err := c.ListModels(t.Context(), server)
	if err != nil || !slices.Contains(models, "fresh") {
		t.Fatalf("listed %q, %v", models, err)
	}
	said, err := c.AddServerToConfig(t.Context(), server, []string{"fresh"})
	if err != nil || !strings.Contains(said, "fresh can be asked now") {
		t.Fatalf("said %q, %v", said, err)
	}
	choices, err := s.FormChoices(t.Context())
	if err != nil || !slices.ContainsFunc(choices.Models, func(m job.ModelChoice) bool { return m.Name == "fresh" && m.Why == "" }) {
		t.Errorf("choices %+v, %v", choices.Models, err)
	}
	after, err := s.LoadFactoryOnce()
	if err != nil {
		t.Fatal(err)
	}
	if is, err := after.Models.Endpoints.FindEndpoint("lab"); err != nil || is != was {
		t.Errorf("an endpoint was made twice: its limits would hold twice, %v", err)
	}
	if text := r.read("concord.toml"); strings.Contains(text, rigKey) || !strings.Contains(text, "[models.fresh]\nendpoint = \"lab\"") {
		t.Errorf("the file says\n%s", text)
	}
}

func TestAConnectionThatDoesNotWorkSaysWhy(t *testing.T) {
	r := newRig(t, openaitest.Options{})
	c := view.Endpoints{Project: &project.Project{Path: r.path("p.db")}}
	check := func(s endpoint.Server, want string) {
		t.Helper()
		_, err := c.ListModels(context.Background(), s)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), rigKey) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	t.Setenv("CONCORD_EMPTY", "")
	check(endpoint.Server{Name: "x", URL: r.server.URL(), KeyEnv: "CONCORD_EMPTY"}, "CONCORD_EMPTY is not set")
	check(endpoint.Server{Name: "x", URL: r.server.URL()}, "wants a key")
	check(endpoint.Server{Name: "x", URL: "localhost:1"}, "wants a URL")
	check(endpoint.Server{Name: "x", URL: "http://127.0.0.1:1/v1"}, "start the server, or correct the address")
	check(endpoint.Server{Name: "x", URL: r.server.URL(), KeyEnv: rigKey}, "looks like a key")
	if said, err := c.AddServerToConfig(context.Background(), endpoint.Server{Name: "x", URL: r.server.URL(), KeyEnv: rigKey}, []string{"m"}); err == nil {
		t.Error(fmt.Sprint("wrote a key: ", said))
	}
}

// A run that a command works on is not gone on with by the app of the same process: each of
// its calls would be made twice.
func TestRunOfACommandIsNotStartedTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{}, "1\tq\ta\tb\tc\td\tA\tcat\t\n")
	a, st := &project.Project{Path: r.path("p.db"), Live: new(project.Live)}, projecttest.New(t)
	run, err := st.Runs().CreateRun(t.Context(), eval.Config{Dataset: "d", Model: "vlm", Strategy: eval.Vanilla, Modality: eval.TextOnly, Origin: eval.Asked})
	if err != nil {
		t.Fatal(err)
	}
	a.Live.SetProgressSource(run.ID, func() eval.Progress { return eval.Progress{State: eval.Running} })
	s := jobs.NewScheduler(t.Context(), a, st, nil)
	for what, err := range map[string]error{"resume": s.Resume(run.ID), "judge": s.RunInBackground(run.ID, jobs.Effort{JudgeOnly: []eval.JudgeSetup{{Judge: "j"}}})} {
		if err == nil || !strings.Contains(err.Error(), "is still at work on it") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.Pause(run.ID); err == nil || !strings.Contains(err.Error(), "end it where it was started") {
		t.Error(err)
	}
}
