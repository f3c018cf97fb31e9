package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
)

// Damaged pages give errors, or other data, but never bring a reader or a
// writer down.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{NoSync: true}))
	addDataset(t, s, "d", samples(2000))
	run := addRun(t, s, "m")
	got[int](t)(s.Runs().RecordAll(context.Background(), benchFacts(run.ID, 0, 2000)))
	addQueue(t, s, "q", run.ID, 500)
	must(t, s.Acts().Append(context.Background(), []annotate.Act{label("q", "ann", 1, item(run.ID, 1, 0), "A")}))
	must(t, s.Close())
	whole := got[[]byte](t)(os.ReadFile(path))
	rng := rand.New(rand.NewPCG(3, 4))
	page := os.Getpagesize()
	failed := 0
	const files = 25
	for range files {
		raw := file.Clone(whole)
		for range 1 + rng.IntN(20) {
			at := 2*page + rng.IntN(len(raw)/2)
			if rng.IntN(2) == 0 {
				at = at / page * page // a header
			}
			for i := range 1 + rng.IntN(64) {
				if at+i < len(raw) {
					raw[at+i] = byte(rng.Uint32())
				}
			}
		}
		must(t, os.WriteFile(path, raw, 0o600))
		if touchAll(path, run.ID) {
			failed++
		}
	}
	t.Logf("%d of %d files gave an error", failed, files)
}

func touchAll(path string, run eval.RunID) (failed bool) {
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		return true
	}
	ctx := context.Background()
	note := func(err error) { failed = failed || err != nil }
	for _, err := range s.Datasets().Samples(ctx, "d") {
		note(err)
	}
	for _, err := range s.Runs().Questions(ctx, eval.Run{ID: run, Config: eval.Config{Dataset: "d"}}) {
		note(err)
	}
	for i := range 20 {
		_, err := s.Queues().Item(ctx, "q", i*25)
		note(err)
	}
	for _, f := range benchFacts(run, 1990, 20) {
		if err := s.Runs().Record(ctx, f); !errors.Is(err, eval.ErrRecorded) {
			note(err)
		}
	}
	note(s.Close())
	return failed
}
