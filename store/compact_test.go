package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/store/record"
)

// A compacted project takes at most 80 bytes a prediction beside its text, which counts as what it takes
// compressed where it is long; and nothing of the file is behind its last page.
func TestCompactTakesLittle(t *testing.T) {
	const n, runs = 500, 12
	words := strings.Fields("the of a image shows left right red blue chair answer because object person near behind colour large small")
	r := rand.New(rand.NewPCG(9, 10))
	text := func(bytes int) string {
		var b strings.Builder
		for b.Len() < bytes {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		return b.String()[:bytes]
	}
	for _, c := range []struct{ bytes, most int }{{20, 20}, {200, 200}, {512, 512}, {3000, 1100}} {
		path := filepath.Join(t.TempDir(), "p.db")
		s := openAt(t, path, Options{Now: clock})
		addDataset(t, s, "d", samples(n))
		must(t, s.Compact(t.Context()))
		must(t, s.Close())
		before := got[os.FileInfo](t)(os.Stat(path)).Size()
		s = openAt(t, path, Options{Now: clock})
		for range runs {
			run := addRun(t, s, "m")
			facts := benchFacts(run.ID, 0, n)
			for i := range facts {
				facts[i].Prediction.Text = text(c.bytes)
			}
			got[int](t)(s.Runs().RecordAll(t.Context(), facts))
		}
		want := all(t, s.Runs().Predictions(t.Context(), eval.RunID(runs), eval.Key{}))
		must(t, s.Compact(t.Context()))
		must(t, s.Close())
		if size := got[os.FileInfo](t)(os.Stat(path)).Size(); size-before > int64(runs*n*(c.most+80)) {
			t.Errorf("texts of %d bytes: %d bytes a prediction", c.bytes, (size-before)/(runs*n))
		}
		s = openAt(t, path, Options{ReadOnly: true})
		same(t, all(t, s.Runs().Predictions(t.Context(), eval.RunID(runs), eval.Key{})), want)
		must(t, s.Close())
	}
}

// Texts that were stored before long ones were compressed are so after compaction, and read the same.
func TestCompactPacksEarlierTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{Now: clock})
	addDataset(t, s, "d", samples(200))
	run := addRun(t, s, "m")
	facts := benchFacts(run.ID, 0, 200)
	for i := range facts {
		p := &facts[i].Prediction
		p.Text, p.Reasoning = strings.Repeat("The chair is left of the lamp. ", 100), strings.Repeat("So it is B. ", 50*(i%2))
		p.Tokens = []eval.Token{{Text: "B", LogProb: -0.5}}
	}
	got[int](t)(s.Runs().RecordAll(t.Context(), facts))
	want := all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{}))
	must(t, s.Close())
	forge(t, path, func(f *forger) {
		codec := got[record.Codec](t)(record.NewCodec())
		for i := range want {
			r := record.NewPrediction(&want[i])
			r.Text, r.Packed, r.Thought, r.PackedThought = want[i].Text, nil, want[i].Reasoning, nil
			f.put(record.TablePredictions, record.PredictionKey(want[i].Key), got[[]byte](t)(codec.Encode(r)))
		}
	})
	s = openAt(t, path, Options{Now: clock})
	same(t, all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{})), want)
	must(t, s.Compact(t.Context()))
	must(t, s.Close())
	if size := got[os.FileInfo](t)(os.Stat(path)).Size(); size > 200*1000 {
		t.Errorf("%d bytes for 200 predictions with texts of 3,100 bytes", size)
	}
	s = openAt(t, path, Options{ReadOnly: true})
	same(t, all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{})), want)
	must(t, s.Close())
}
