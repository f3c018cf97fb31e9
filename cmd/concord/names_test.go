package main

import (
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

// A name that people give to a dataset or a queue has no letters that nobody
// sees, and what its other letters mean elsewhere means nothing in any sink.
func TestNamesActOnNoSink(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{}, rigRows(2, "")...)
	for _, name := range []string{nastyName, "x\x1b]0;t\x07", "\u202ex", " x"} {
		for _, command := range [][]string{
			{"import", "dataset", r.path("d.tsv"), "--name", name},
			{"queue", "create", name, "--dataset", "d"},
		} {
			if got := r.concord(command...); got.code == cli.ExitDone {
				t.Errorf("concord %q takes the name", command)
			} else {
				checkShown(t, strings.Join(command[:2], " "), got.out+got.err)
			}
		}
	}
	const name = `=1+1<script>alert(1)</script>|` + "`id`" + `$(id)\input{x}*_[a](b)`
	r.done("import", "dataset", r.path("d.tsv"), "--name", name)
	r.write("p.jsonl", `{"id":1,"prediction":"It could be many things."}`+"\n")
	r.done("import", "predictions", r.path("p.jsonl"), "--dataset", name, "--model", name)
	r.done("queue", "create", name, "--dataset", name, "--from", "all")
	seen := 0
	for _, report := range [][]string{{"accuracy"}, {"progress", "--queue", name}, {"annotators", "--queue", name}, {"statuses"}} {
		args := append([]string{"report"}, report...)
		for _, format := range []string{"table", "csv", "markdown", "latex", "html"} {
			got := r.concord(append(args, "--format", format)...)
			seen += strings.Count(got.out, "script")
			checkSink(t, report[0], format, got.out)
		}
	}
	if seen == 0 {
		t.Error("no report shows a name: the test tests nothing")
	}
	for _, kind := range [][]string{{"predictions", "--run", "1"}, {"labels", "--queue", name}} {
		checkCells(t, kind[0], "csv", r.done(append(append([]string{"export"}, kind...), "--format", "csv")...))
	}
}
