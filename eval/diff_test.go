package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"concord/eval"
)

func TestDiff(t *testing.T) {
	base := func() eval.Config {
		return eval.Config{
			Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Asked, Rules: "concord",
			Settings: eval.Settings{
				Endpoint: "https://x/v1", Name: "m-1", Params: `{"temperature":0}`,
				Prompts: []eval.PromptRef{{Name: "choice", Language: "en", Version: "2", Hash: "0123456789abcdef"}},
				Judges:  []eval.JudgeSetup{{Judge: "gpt", Name: "gpt-4", Pseudo: "Z"}},
			},
		}
	}
	check := func(change func(*eval.Config), want ...string) {
		t.Helper()
		was, is := base(), base()
		change(&is)
		var got []string
		for _, d := range is.DiffFromEarlier(&was) {
			got = append(got, d.String())
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(func(*eval.Config) {})
	check(func(c *eval.Config) { c.Settings.Params, c.AllPasses = `{"temperature":1}`, true },
		"all-passes: true, was false", `params: {"temperature":1}, was {"temperature":0}`)
	check(func(c *eval.Config) { c.Settings.Prompts[0].Hash = "fedcba9876543210" },
		"prompts: choice/en 2 (fedcba98), was choice/en 2 (01234567)")
	check(func(c *eval.Config) { c.Settings.Judges[0].Pseudo = "X" }, "judge gpt pseudo: X, was Z")
	check(func(c *eval.Config) { c.Settings.Judges = nil }, "judges: nothing, was gpt")
	check(func(c *eval.Config) {
		c.Settings.Judges = append(c.Settings.Judges, eval.JudgeSetup{Judge: "qwen"})
	}, "judges: gpt, qwen, was gpt")
	check(func(c *eval.Config) { c.Settings.Shots, c.Settings.Seed = 5, 7 }, "shots: 5, was 0", "seed: 7, was 0")

	was, is := base(), base()
	is.Settings.Exemplars = []eval.Exemplar{{Question: "q", Answer: "A"}}
	was.Settings.Exemplars = []eval.Exemplar{{Question: "r", Answer: "A"}}
	if d := is.DiffFromEarlier(&was); len(d) != 1 || d[0].Field != "exemplars" || d[0].Was == d[0].Is {
		t.Errorf("other examples: %v", d)
	}
	if d := fmt.Sprint(is.DiffFromEarlier(&is)); d != "[]" {
		t.Errorf("against itself: %s", d)
	}
}
