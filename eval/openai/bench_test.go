package openai

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval/openai/openaitest"
)

const prompt = "Question: Which of these animals is shown?\nThere are several options:\nA. cat\nB. dog\nC. horse\nD. a fish\nAnswer with the option's letter from the given choices directly."

// BenchmarkAgainstBareLoop holds the claim that a Model costs no more than a
// bare go-openai loop does: 64 calls in parallel, no latency, server in the
// same process. It reports calls a second of both, and their ratio.
func BenchmarkAgainstBareLoop(b *testing.B) {
	_, m := serve(b, openaitest.Options{}, Limits{}, ModelOptions{})
	c := goopenai.DefaultConfig(testKey)
	c.BaseURL = m.endpoint.url
	c.HTTPClient = &http.Client{Transport: newTransport(64)}
	client := goopenai.NewClientWithConfig(c)
	bare := func(ctx context.Context) error {
		_, err := client.CreateChatCompletion(ctx, goopenai.ChatCompletionRequest{
			Model: "vlm", Messages: []goopenai.ChatCompletionMessage{{Role: "user", Content: prompt}},
		})
		return err
	}
	ours := func(ctx context.Context) error {
		_, err := m.Chat(ctx, say(prompt))
		return err
	}
	var seconds [2]float64
	for b.Loop() {
		for i, ask := range []func(context.Context) error{bare, ours} {
			seconds[i] += timed(b, ask)
		}
	}
	const calls = 4000
	b.ReportMetric(float64(b.N*calls)/seconds[0], "bare/s")
	b.ReportMetric(float64(b.N*calls)/seconds[1], "ours/s")
	b.ReportMetric(seconds[1]/seconds[0], "ratio")
}

// timed makes 4000 calls, 64 at once.
func timed(b *testing.B, ask func(context.Context) error) float64 {
	var left atomic.Int64
	left.Store(4000)
	var all sync.WaitGroup
	start := b.Elapsed()
	for range 64 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := ask(b.Context()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return (b.Elapsed() - start).Seconds()
}
