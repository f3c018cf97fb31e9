package openai

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"concord/eval"
	"concord/eval/openai/openaitest"
)

// TestNothingIsLostAmongFaults asks with faults on a fifth of the calls, as
// an engine does: what is transient is tried again.
func TestNothingIsLostAmongFaults(t *testing.T) {
	const questions, retries = 600, 5
	slow := []openaitest.Fault{openaitest.Hang, openaitest.Drip, openaitest.BusyAfter, openaitest.Quota}
	of := slices.DeleteFunc(openaitest.AllFaults(), func(f openaitest.Fault) bool { return slices.Contains(slow, f) })
	s, m := serve(t, openaitest.Options{Key: testKey, Faults: openaitest.FaultAtRate(1, 0.2, of...)}, Limits{Concurrency: 16}, ModelOptions{})

	var mu sync.Mutex
	outcomes := map[eval.FailureKind]int{}
	var all sync.WaitGroup
	work := make(chan int)
	for range 32 {
		all.Go(func() {
			for i := range work {
				var last eval.FailureKind
				for range 1 + retries {
					_, err := m.Chat(t.Context(), say(fmt.Sprint("question ", i)))
					if last = eval.FailureUnset; err != nil {
						last = eval.FailureOfError(err).Kind
					}
					if last != eval.FailureTransient {
						break
					}
				}
				mu.Lock()
				outcomes[last]++
				mu.Unlock()
			}
		})
	}
	for i := range questions {
		work <- i
	}
	close(work)
	all.Wait()

	if outcomes[eval.FailureConfiguration] != 0 || outcomes[eval.FailureUnset] < questions*8/10 || outcomes[eval.FailureSample] == 0 {
		t.Errorf("outcomes %v", outcomes)
	}
	calls := s.CallCounts()
	for ask, n := range calls {
		if n > 1+retries {
			t.Errorf("%q asked %d times", ask.Prompt, n)
		}
	}
	if _, peak := s.Concurrency(); len(calls) != questions || peak > 16 {
		t.Errorf("%d questions asked, %d at once", len(calls), peak)
	}
}

// TestErrorsStayApart holds that a failure is worded from its own reply,
// whose buffer is another call's by then.
func TestErrorsStayApart(t *testing.T) {
	var n atomic.Int64
	m := model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(q *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(q.Body)
		_, name, _ := strings.Cut(string(body), "number ")
		name, _, _ = strings.Cut(name, `"`)
		reply := fmt.Sprintf(`{"error":{"message":"%s failed","code":%d}}`, name, 400+n.Add(1)%2)
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(reply)), ContentLength: -1}, nil
	})}, ModelOptions{})
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for k := range 50 {
				name := fmt.Sprintf("%d-%d", i, k)
				if _, err := m.Chat(t.Context(), say("number "+name)); err == nil || !strings.Contains(err.Error(), name+" failed") {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	all.Wait()
}
