package view

import (
	"fmt"
	"strings"
	"testing"

	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/tui"
)

// The form takes runs in by their names; the flags name models, and the runs
// of those that have several.
func TestTheFormOfPairsNamesRuns(t *testing.T) {
	on := &facts.RunSet{Dataset: "mb"}
	for i, model := range []string{"anchor", "otter", "otter", "lynx"} {
		on.Runs = append(on.Runs, eval.Run{ID: eval.RunID(i + 1), Config: eval.Config{Dataset: "mb", Model: model}})
	}
	var names []string
	for _, c := range facts.NameContenders(on.Runs) {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, ", "); got != "anchor, otter (run 2), otter (run 3), lynx" {
		t.Fatalf("the form lists %s", got)
	}
	check := func(anchor string, models []string, want string) {
		t.Helper()
		var f draw.Options
		err := nameRunsInFlags(&f, on, tui.PairOrder{Anchor: anchor, Models: models})
		got := fmt.Sprintf("%s %s %d", f.Anchor, f.Models, f.Runs)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q against %q: %s, want %s", models, anchor, got, want)
		}
	}
	check("anchor", []string{"otter (run 3)", "lynx"}, "anchor [otter lynx] [3]")
	check("otter (run 2)", []string{"lynx"}, "otter [lynx] [2]")
	check("anchor", []string{"anchor", "lynx"}, "anchor [lynx] []")
	check("", []string{"lynx", "anchor"}, " [lynx anchor] []")
	check("", nil, "otter has several runs: take in the models")
	check("otter (run 2)", []string{"otter (run 3)"}, "two runs of otter")
}
