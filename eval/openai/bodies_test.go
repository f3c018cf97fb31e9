package openai

import (
	"bytes"
	"io"
	"net/http"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/bound"
)

// endless is a body that never ends, and counts how many are read beyond what
// needs no share.
type endless struct {
	long *atomic.Int64 // bodies that are read at a time
	most *atomic.Int64
	all  *atomic.Int64 // bytes
	read int64
}

func (e *endless) Read(b []byte) (int, error) {
	before := e.read
	n := min(len(b), 64<<10)
	for i := range n {
		b[i] = 'x'
	}
	e.all.Add(int64(n))
	if e.read += int64(n); before <= 2*shortReply && e.read > 2*shortReply {
		if now := e.long.Add(1); now > e.most.Load() {
			e.most.Store(now)
		}
	}
	return n, nil
}

func (e *endless) Close() error {
	if e.read > 2*shortReply {
		e.long.Add(-1)
	}
	return nil
}

// Many replies of any length take a bounded memory together: the long ones are
// read a few at a time, and given up at their bound. The same holds for streams.
func TestManyLongReplies(t *testing.T) {
	calls := 64
	if testing.Short() {
		calls = 8
	}
	for _, streams := range []bool{false, true} {
		var long, most, all atomic.Int64
		header := http.Header{}
		if streams {
			header.Set("Content-Type", "text/event-stream")
		}
		m := model(t, Options{BaseURL: "http://lab.test/v1", Timeout: time.Minute, Transport: round(func(q *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: header, Body: &endless{long: &long, most: &most, all: &all}, ContentLength: -1, Request: q}, nil
		})}, ModelOptions{Stream: streams})
		var peak atomic.Uint64
		var asked sync.WaitGroup
		for range calls {
			asked.Go(func() {
				if _, err := m.Chat(t.Context(), say("q")); eval.FailureOfError(err) == nil {
					t.Errorf("an endless reply: %v", err)
				}
				sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
				metrics.Read(sample)
				if now := sample[0].Value.Uint64(); now > peak.Load() {
					peak.Store(now)
				}
			})
		}
		asked.Wait()
		if allowed := bound.Replies.Capacity() / (replyCopies * DefaultMaxBody); most.Load() > allowed {
			t.Errorf("%d long replies were read at a time, want %d at most", most.Load(), allowed)
		}
		t.Logf("streams %v: %d MB came, %d replies at a time, %d MB of objects at most", streams, all.Load()>>20, most.Load(), peak.Load()>>20)
	}
	release, err := bound.Replies.Acquire(t.Context(), "all", bound.Replies.Capacity())
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// A reply that says that it is too long is not read at all, and a long one that
// is whole is an answer.
func TestLongReplies(t *testing.T) {
	answer := `{"choices":[{"message":{"role":"assistant","content":"` + strings.Repeat("x", 3<<20) + `"},"finish_reason":"stop"}]}`
	for _, length := range []int64{-1, int64(len(answer))} {
		m := model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(q *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), ContentLength: length, Request: q}, nil
		})}, ModelOptions{})
		if got, err := m.Chat(t.Context(), say("q")); err != nil || len(got.Text) != 3<<20 {
			t.Errorf("%d bytes, %v", len(got.Text), err)
		}
	}
	var untouched bytes.Reader
	m := model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(q *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(&untouched), ContentLength: 300 << 20, Request: q}, nil
	})}, ModelOptions{})
	if _, err := m.Chat(t.Context(), say("q")); err == nil || !strings.Contains(err.Error(), "reply of more than 16777216 bytes") {
		t.Error(err)
	}
}
