package main

import (
	"io"
	"log/slog"
	"testing"

	"github.com/spf13/pflag"

	"concord/cmd/concord/config"
	"concord/eval"
	"concord/eval/demo"
	"concord/eval/judge"
	"concord/store"
)

// Two accounts at one vendor: each model is asked with the key of its own.
func TestEndpointsOfOneAddress(t *testing.T) {
	text := `
[endpoints.first]
base_url = "http://localhost:1/v1"
api_key_env = "FIRST_KEY"
[endpoints.second]
base_url = "http://localhost:1/v1"
api_key_env = "SECOND_KEY"
[models.m]
endpoint = "second"
`
	conf, err := config.Load(config.Options{Base: []byte(text), Env: func(name string) (string, bool) {
		key, ok := map[string]string{"SECOND_KEY": "sk-2"}[name]
		return key, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{conf: conf, pool: newPool(conf)}
	if _, err := l.chatter("m", "http://localhost:1/v1", "m", "{}", 0); err != nil {
		t.Error(err)
	}
	if len(l.pool.made) != 1 || l.pool.made["second"] == nil {
		t.Errorf("made %v", l.pool.made)
	}
	// A run whose model is no longer configured goes on with what is left.
	if _, err := l.chatter("gone", "http://localhost:1/v1", "gone", "{}", 0); !isConfigError(err) {
		t.Errorf("the first endpoint has no key: %v", err)
	}
	if _, err := l.chatter("m", "http://localhost:2/v1", "m", "{}", 0); !isConfigError(err) {
		t.Errorf("unknown address: %v", err)
	}
}

// A budget of 0 is none, and not the configured one.
func TestBudgetFlag(t *testing.T) {
	check := func(want float64, set, ok bool, args ...string) {
		t.Helper()
		var f orderFlags
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.add(fs)
		if err := fs.Parse(args); err != nil {
			t.Fatal(err)
		}
		got, err := f.budget.read()
		if (err == nil) != ok || (got != nil) != set || got != nil && *got != want {
			t.Errorf("%q: %v, %v", args, got, err)
		}
	}
	check(0, false, true)
	check(0, true, true, "--budget", "0")
	check(2.5, true, true, "--budget=2.5")
	check(0, false, false, "--budget=-1")
	check(0, false, false, "--budget=NaN")
}

// judgedRun is a run with a judge of its own, which has read an answer.
func judgedRun(t *testing.T) (*store.Store, eval.Run) {
	st := newProject(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(st.Datasets().BeginDataset(ctx, eval.Dataset{Name: "d", Samples: 1, Hash: "h"}))
	r, err := st.Runs().CreateRun(ctx, eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.TextOnly, Origin: eval.Asked,
		Settings: eval.Settings{Judges: []eval.JudgeSetup{{Judge: "j", Params: `{"temperature":0}`}}},
	})
	must(err)
	k := eval.Key{Run: r.ID}
	must(st.Runs().Record(ctx, eval.Fact{
		Prediction: eval.Prediction{Key: k, Text: "hm"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1",
	}))
	must(st.Judgments().RecordJudgment(ctx, eval.Judgment{Key: k, Judge: "j", Extraction: eval.Extraction{Status: eval.None}}, false))
	return st, r
}

// Runs that no process works on show what their judges read, too.
func TestJudgesOfARunAtRest(t *testing.T) {
	st, _ := judgedRun(t)
	rows, err := homeView{st: st, live: newLive(slog.New(slog.DiscardHandler))}.Runs(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	if js := rows[0].Progress.Judges; len(js) != 1 || js[0].Judge != "j" || js[0].Counts.Judged != 1 {
		t.Errorf("judges %+v", js)
	}
}

// A run's own judge keeps the settings that it began with.
func TestOwnJudges(t *testing.T) {
	_, r := judgedRun(t)
	today := []eval.JudgeSetup{{Judge: "j", Params: `{"temperature":1}`}, {Judge: "k"}}
	got := own(r, today)
	if len(got) != 2 || got[0].Params != `{"temperature":0}` || got[1].Judge != "k" {
		t.Errorf("%+v", got)
	}
	if today[0].Params != `{"temperature":1}` || own(r, nil) != nil {
		t.Error("what was handed in has changed, or came from nothing")
	}
}

// A judge's calls that were exported in a language find their judge again.
func TestBatchJudgeOfALanguage(t *testing.T) {
	st := newProject(t)
	data, err := demo.New()
	if err != nil {
		t.Fatal(err)
	}
	a := newTestApp(streams{out: io.Discard, err: io.Discard}, "")
	d := &demoProject{app: a, st: st, data: data}
	defer d.close()
	if err := d.store(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"", "en", "zh"} {
		setups, err := d.lab.judgeSetups(t.Context(), data.Dataset.Name, []string{data.Judge}, language)
		if err != nil {
			t.Fatal(err)
		}
		hash, _ := judge.Hash(setups[0])
		b := &batchImport{lab: d.lab, extra: []string{data.Judge}}
		r := &batchRun{run: d.runs[0], judges: make(map[string]*judge.Judge)}
		if _, err := b.judgeOf(t.Context(), r, hash[:setupMark]); err != nil {
			t.Errorf("language %q: %v", language, err)
		}
	}
}
