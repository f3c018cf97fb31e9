package store

import (
	"math"
	"testing"

	"concord/eval"
)

func TestMeasures(t *testing.T) {
	s := openTest(t, Options{})
	ctx, measures := t.Context(), s.ExternalScores()
	put := func(wantAdded int, want []RevisedScore, all ...eval.ExternalScore) {
		t.Helper()
		added, revised, err := measures.Put(ctx, all)
		must(t, err)
		same(t, added, wantAdded)
		same(t, revised, want)
	}
	accuracy := eval.ExternalScore{Benchmark: "mmbench", Model: "gpt", Metric: "accuracy", Value: 75.1, Source: "paper", N: 1784, File: "a.csv", At: clock()}
	zero := eval.ExternalScore{Benchmark: "mmbench", Model: "gpt", Metric: "accuracy_plus", Source: "paper"}
	other := eval.ExternalScore{Benchmark: "mm", Model: "benchgpt", Metric: "accuracy", Value: 1, Source: "paper"}
	put(3, nil, accuracy, zero, other)
	put(0, nil, accuracy, zero, other)

	elsewhere := accuracy
	elsewhere.File = "b.csv" // the same figure from another file is no news
	put(0, nil, elsewhere)
	newer := accuracy
	newer.Value = 75.2
	second := newer
	second.Revision = 1
	put(1, []RevisedScore{{accuracy, second}}, newer)
	put(0, nil, newer)
	back := accuracy // what was said before stands again
	back.Revision = 2
	put(1, []RevisedScore{{second, back}}, accuracy)

	same(t, all(t, measures.All(ctx)), []eval.ExternalScore{other, accuracy, second, back, zero})
	same(t, all(t, measures.Current(ctx)), []eval.ExternalScore{other, back, zero})

	for _, bad := range []func(*eval.ExternalScore){
		func(m *eval.ExternalScore) { m.Benchmark = "" }, func(m *eval.ExternalScore) { m.Model = "" }, func(m *eval.ExternalScore) { m.Metric = "" },
		func(m *eval.ExternalScore) { m.Source = "" }, func(m *eval.ExternalScore) { m.Value = math.NaN() },
		func(m *eval.ExternalScore) { m.Value = math.Inf(1) }, func(m *eval.ExternalScore) { m.N = -1 },
	} {
		m := accuracy
		bad(&m)
		_, _, err := measures.Put(ctx, []eval.ExternalScore{zero, m})
		wantErr(t, err, ErrInvalid)
	}
}
