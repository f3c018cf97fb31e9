package jobs

import (
	"testing"

	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/eval"
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
	l := &Factory{Conf: conf, Models: Models{conf, NewEndpoints(conf)}}
	if _, err := l.Models.newChatter("m", "http://localhost:1/v1", "m", "{}", 0); err != nil {
		t.Error(err)
	}
	if len(l.Models.Endpoints.made) != 1 || l.Models.Endpoints.made["second"] == nil {
		t.Errorf("made %v", l.Models.Endpoints.made)
	}
	// A run whose model is no longer configured goes on with what is left.
	if _, err := l.Models.newChatter("gone", "http://localhost:1/v1", "gone", "{}", 0); !cli.IsConfigError(err) {
		t.Errorf("the first endpoint has no key: %v", err)
	}
	if _, err := l.Models.newChatter("m", "http://localhost:2/v1", "m", "{}", 0); !cli.IsConfigError(err) {
		t.Errorf("unknown address: %v", err)
	}
}

// A budget of 0 is none, and not the configured one.
func TestBudgetFlag(t *testing.T) {
	check := func(want float64, set, ok bool, args ...string) {
		t.Helper()
		var f OrderFlags
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.AddFlags(fs)
		if err := fs.Parse(args); err != nil {
			t.Fatal(err)
		}
		got, err := f.Budget.Read()
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

// A run's own judge keeps the settings that it began with.
func TestOwnJudges(t *testing.T) {
	r := eval.Run{Config: eval.Config{Settings: eval.Settings{Judges: []eval.JudgeSetup{{Judge: "j", Params: `{"temperature":0}`}}}}}
	today := []eval.JudgeSetup{{Judge: "j", Params: `{"temperature":1}`}, {Judge: "k"}}
	got := replaceOwnSetup(r, today)
	if len(got) != 2 || got[0].Params != `{"temperature":0}` || got[1].Judge != "k" {
		t.Errorf("%+v", got)
	}
	if today[0].Params != `{"temperature":1}` || replaceOwnSetup(r, nil) != nil {
		t.Error("what was handed in has changed, or came from nothing")
	}
}
