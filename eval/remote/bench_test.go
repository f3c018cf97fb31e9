package remote

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"concord/eval"
)

// BenchmarkCall is a call through queue, worker and commit, with a question and an answer
// of 200 characters each: how long it takes, how many messages, and how many bytes of
// them. Holder and 16 workers of 4 calls are within this process.
func BenchmarkCall(b *testing.B) {
	r := newRig(b, "127.0.0.1:0")
	text := strings.Repeat("x", 200)
	for i := range 16 {
		join(b, r.url(), fmt.Sprint("w", i), func(context.Context, eval.Chat) (eval.Reply, error) {
			return eval.Reply{Text: text, Finish: "stop", Usage: eval.Usage{Prompt: 300, Completion: 60}}, nil
		})
	}
	eventually(b, "all are there", func() bool { return len(r.holder.Workers()) == 16 })
	l := &ledger{facts: make(map[eval.Key]int)}
	rec := Recorder{l, r.holder}
	varz := func() *server.Varz {
		v, err := r.server.Varz(nil)
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
	before := varz()
	b.ResetTimer()
	var all sync.WaitGroup
	next := make(chan eval.Ordinal)
	for range 64 {
		all.Go(func() {
			for i := range next {
				k := eval.Key{Run: 1, Sample: i}
				_, err := r.model.Answer(b.Context(), ask(i, text))
				if err == nil {
					err = rec.Record(b.Context(), eval.Fact{Prediction: eval.Prediction{Key: k}})
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range b.N {
		next <- eval.Ordinal(i)
	}
	close(next)
	all.Wait()
	b.StopTimer()
	after, n := varz(), float64(b.N)
	b.ReportMetric(float64(after.InMsgs-before.InMsgs)/n, "msgs/call")
	b.ReportMetric(float64(after.InBytes-before.InBytes)/n, "B/call")
	b.ReportMetric(n/b.Elapsed().Seconds(), "calls/s")
}
