package main

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"concord/cmd/concord/internal/projecttest"
	"concord/eval/demo"
	"concord/eval/judge"
)

// A judge's calls that were exported in a language find their judge again.
func TestBatchJudgeOfALanguage(t *testing.T) {
	st := projecttest.New(t)
	data, err := demo.New()
	if err != nil {
		t.Fatal(err)
	}
	a := &app{env: env{streams: streams{out: io.Discard, err: io.Discard}, now: time.Now, log: slog.New(slog.DiscardHandler)}}
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
