package run

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/command/setup"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval/demo"
	"concord/eval/judge"
)

// A judge's calls that were exported in a language find their judge again.
func TestBatchJudgeOfALanguage(t *testing.T) {
	st := projecttest.New(t)
	data, err := demo.BuildProject()
	if err != nil {
		t.Fatal(err)
	}
	a := &project.Project{Env: cli.Env{Streams: cli.Streams{Out: io.Discard, Err: io.Discard}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	d := &setup.Demo{Project: a, Store: st, Data: data}
	defer d.Close()
	if err := d.FillProject(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"", "en", "zh"} {
		setups, err := d.Factory.StoreJudgeSetups(t.Context(), data.Dataset.Name, []string{data.Judge}, language)
		if err != nil {
			t.Fatal(err)
		}
		hash, _ := judge.HashSetup(setups[0])
		b := &batchImport{Factory: d.Factory, extra: []string{data.Judge}}
		r := &batchRun{run: d.Runs[0], judges: make(map[string]*judge.Judge)}
		if _, err := b.findJudgeOfExport(t.Context(), r, hash[:jobs.SetupMark]); err != nil {
			t.Errorf("language %q: %v", language, err)
		}
	}
}
