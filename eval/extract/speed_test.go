package extract

import (
	"sync/atomic"
	"testing"

	"concord/eval"
)

// benchmarkRules reads the real pairs on all cores and reports pairs a
// second. The stated claim: the default rules read ten times the 101,000
// pairs a second of the kit's bare function.
func benchmarkRules(b *testing.B, name string) {
	rd := readerOf(b, name, eval.KindChoice)
	rows := realRows(b, "extraction/choices.jsonl")
	var next, found atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		i, n := int(next.Add(997)), int64(0)
		for pb.Next() {
			r := &rows[i%len(rows)]
			if rd.Read(r.Options, r.Prediction).IsFound() {
				n++
			}
			i++
		}
		found.Add(n)
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
	if found.Load() == 0 {
		b.Error("nothing was read")
	}
}

func BenchmarkConcord(b *testing.B) { benchmarkRules(b, Default) }

func BenchmarkKit(b *testing.B) { benchmarkRules(b, "vlmevalkit-2026") }
