package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/projecttest"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/view"
	"concord/eval"
)

func TestFinder(t *testing.T) {
	st := projecttest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	for _, d := range []eval.DatasetName{"a", "b"} {
		must(st.Datasets().BeginDataset(ctx, eval.Dataset{Name: d, Samples: 3, Hash: "h"}))
		var items []dataset.Item
		for i, q := range []string{"Which zebra?", "Which horse is 2?", "Where is the Horse?"} {
			items = append(items, dataset.Item{Sample: eval.Sample{
				Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint(i)), Kind: eval.KindOpen, Question: q, Answer: "A",
			}})
		}
		must(st.Datasets().PutSamples(ctx, d, items))
		must(st.Datasets().FinishDataset(ctx, eval.Dataset{Name: d, Samples: 3, Hash: "h"}))
	}
	run, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "b", Model: "m", Strategy: eval.Vanilla, Modality: eval.TextOnly, Origin: eval.Replayed})
	must(err)
	key := eval.Key{Run: run.ID, Sample: 1}
	must(st.Runs().Record(ctx, eval.Fact{Prediction: eval.Prediction{Key: key, Text: "x"}, Reader: "concord@1"}))

	f := view.Search{Store: st, Now: time.Now}
	check := func(text string, n int, more bool, want ...string) {
		t.Helper()
		found, unseen, err := f.FindSamples(ctx, text, n)
		var got []string
		for _, s := range found {
			got = append(got, string(s.Dataset)+string(s.ID))
		}
		if err != nil || more != unseen || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v %v, want %q %v", text, got, unseen, err, want, more)
		}
	}
	check("horse", 9, false, "a1", "a2", "b1", "b2")
	check("HORSE is", 9, false, "a1", "b1")
	check("2", 9, false, "a2", "b2", "a1", "b1") // ids go first
	check("horse", 1, true, "a1")
	check("no such thing", 9, false)
	for o, want := range map[eval.Ordinal]int{0: 0, 1: 1} {
		n := 0
		for k, err := range f.FirstAnswers(ctx, "b", o) {
			if err != nil || k.Run != run.ID {
				t.Errorf("%v %v", k, err)
			}
			n++
		}
		if n != want {
			t.Errorf("sample %d has %d answers", o, n)
		}
	}
}

func TestCommandsOfThePalette(t *testing.T) {
	a := &project.Project{}
	all := view.ListShellCommands(newRootCmd(a))
	var usages []string
	for _, c := range all {
		usages = append(usages, c.Usage)
		if c.Short == "" {
			t.Errorf("%s says nothing", c.Usage)
		}
	}
	if !slices.ContainsFunc(usages, func(s string) bool { return s == "concord config keys" }) || slices.Contains(usages, "concord") {
		t.Errorf("%q", usages)
	}
	if _, err := screen.NewPreferences(a, new(config.Config)); err != nil {
		t.Error(err)
	}
	a.Screen.Theme = "neon"
	if _, err := screen.NewPreferences(a, new(config.Config)); err == nil {
		t.Error("--theme neon is taken")
	}
}
