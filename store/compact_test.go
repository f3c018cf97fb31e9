package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
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
