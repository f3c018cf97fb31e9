package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
)

// State is how an endpoint does, for tests.
type State struct {
	Concurrency int       // calls allowed at once now
	Most        int       // allowed at best
	InFlight    int       // calls under way, those that wait for a limit per minute too
	Waiting     int       // calls that wait for their turn
	Cooling     time.Time // no call is sent before; zero when the endpoint did not ask for that
}

// State gives a snapshot.
func (e *Endpoint) State() State {
	allowed, inside, waiting := e.crowd.counts()
	return State{Concurrency: allowed, Most: e.crowd.most, InFlight: inside, Waiting: waiting, Cooling: e.pace.cooldownEnd()}
}

// cooldownEnd is when the cool-down ends; zero when there is none.
func (p *rateLimit) cooldownEnd() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until.After(p.now()) {
		return p.until
	}
	return time.Time{}
}

// lab is an endpoint in the test's own time: it takes latency for a call and
// refuses those beyond its capacity.
type lab struct {
	latency  time.Duration
	capacity int
	answer   func(n int) (status int, h http.Header) // nil: 200; n counts from 1

	mu                sync.Mutex
	now, peak         int
	total, overloaded int
	starts            []time.Time
}

func (l *lab) RoundTrip(q *http.Request) (*http.Response, error) {
	l.mu.Lock()
	l.total++
	n := l.total
	l.now++
	l.peak = max(l.peak, l.now)
	full := l.capacity > 0 && l.now > l.capacity
	if full {
		l.overloaded++
	}
	l.starts = append(l.starts, time.Now())
	l.mu.Unlock()
	select {
	case <-time.After(l.latency):
	case <-q.Context().Done():
	}
	l.mu.Lock()
	l.now--
	l.mu.Unlock()
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	status, h := 200, http.Header{}
	if l.answer != nil {
		status, h = l.answer(n)
	}
	if full {
		status = 429
	}
	body := `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":100}}`
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}, nil
}

// asks makes n calls with the given number at once, each until it succeeds.
func asks(t *testing.T, m *Model, n, parallel int) {
	t.Helper()
	work := make(chan int)
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for range work {
				for {
					_, err := m.Chat(t.Context(), say("q"))
					if err == nil {
						break
					}
					if eval.FailureOfError(err).Kind != eval.FailureTransient {
						t.Error(err)
						break
					}
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	all.Wait()
}

func labModel(t *testing.T, l *lab, limits Limits) *Model {
	return model(t, Options{BaseURL: "http://lab.test/v1", Transport: l, Limits: limits}, ModelOptions{})
}

func TestConcurrencyFindsWhatTheEndpointBears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: 100 * time.Millisecond, capacity: 20}
		m := labModel(t, l, Limits{Concurrency: 64})
		asks(t, m, 4000, 64)
		if s := m.endpoint.State(); s.InFlight != 0 || s.Concurrency < 5 || s.Concurrency > 21 {
			t.Errorf("%+v", s)
		}
		if l.overloaded > 4000/10 {
			t.Errorf("%d of %d calls were too many", l.overloaded, l.total)
		}
	})
}

func TestConcurrencyComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: 100 * time.Millisecond}
		l.answer = func(n int) (int, http.Header) {
			if n <= 8 {
				return 503, http.Header{}
			}
			return 200, http.Header{}
		}
		m := labModel(t, l, Limits{Concurrency: 8})
		asks(t, m, 8, 8) // the first eight fail together: one cut
		if s := m.endpoint.State(); s.Concurrency < 4 || s.Concurrency > 5 {
			t.Errorf("after one round of failures: %+v", s)
		}
		asks(t, m, 100, 8)
		if s := m.endpoint.State(); s.Concurrency != 8 {
			t.Errorf("after 100 successes: %+v", s)
		}
		if l.peak > 8 {
			t.Errorf("%d at once", l.peak)
		}
	})
}

func TestTimeoutsSlowDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := labModel(t, &lab{latency: time.Hour}, Limits{Concurrency: 8})
		_, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f.Kind != eval.FailureTransient || !strings.Contains(f.Message, "no answer within 2m0s") {
			t.Errorf("%v", err)
		}
		if s := m.endpoint.State(); s.Concurrency != 4 {
			t.Errorf("%+v", s)
		}
	})
}

func TestRetryAfterHoldsEveryCallBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: time.Second}
		l.answer = func(n int) (int, http.Header) {
			if n == 1 {
				return 429, http.Header{"Retry-After": {"30"}}
			}
			return 200, http.Header{}
		}
		m := labModel(t, l, Limits{})
		begin := time.Now()
		if _, err := m.Chat(t.Context(), say("q")); eval.FailureOfError(err).After != 30*time.Second {
			t.Errorf("%v", err)
		}
		if got := m.endpoint.State().Cooling.Sub(begin); got != 31*time.Second {
			t.Errorf("cooling until %v", got)
		}
		asks(t, m, 10, 5)
		for _, s := range l.starts[1:] {
			if d := s.Sub(begin); d < 31*time.Second {
				t.Errorf("a call after %v", d)
			}
		}
		if l.total != 11 || !m.endpoint.State().Cooling.IsZero() {
			t.Errorf("%d calls, %+v", l.total, m.endpoint.State())
		}
	})
}

// While calls get through, a refusal holds back nobody else, and a rest that was
// asked for before ends within ten seconds.
func TestRetryAfterWhileCallsGetThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: time.Second}
		l.answer = func(n int) (int, http.Header) {
			if n == 2 {
				return 429, http.Header{"Retry-After": {"600"}}
			}
			return 200, http.Header{}
		}
		m := labModel(t, l, Limits{})
		begin := time.Now()
		for range 4 {
			_, _ = m.Chat(t.Context(), say("q"))
		}
		if d := time.Since(begin); d != 4*time.Second {
			t.Errorf("four calls took %v", d)
		}
		time.Sleep(time.Minute)
		m.endpoint.pace.startCooldown(time.Hour)
		go func() {
			time.Sleep(time.Minute)
			m.endpoint.pace.shortenCooldown() // a call that was under way
		}()
		begin = time.Now()
		_, err := m.Chat(t.Context(), say("q"))
		if d := time.Since(begin); err != nil || d > 71*time.Second {
			t.Errorf("%v after %v", err, d)
		}
	})
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := labModel(t, &lab{latency: time.Minute}, Limits{Concurrency: 1, RequestsPerMinute: 1})
		check := func() {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begin := time.Now()
			if _, err := m.Chat(ctx, say("q")); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
				t.Errorf("after %v: %v", time.Since(begin), err)
			}
		}
		go func() { _, _ = m.Chat(t.Context(), say("q")) }()
		synctest.Wait()
		check() // no place
		time.Sleep(time.Minute)
		m.endpoint.pace.startCooldown(time.Hour)
		check() // cooling
		if s := m.endpoint.State(); s.InFlight != 0 || s.Waiting != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestRequestsPerMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: time.Millisecond}
		m := labModel(t, l, Limits{RequestsPerMinute: 120})
		begin := time.Now()
		asks(t, m, 600, 16)
		if d := time.Since(begin); d < 290*time.Second || d > 310*time.Second {
			t.Errorf("600 calls at 120 a minute took %v", d)
		}
		for i, s := range l.starts {
			if i >= 125 && s.Sub(l.starts[i-125]) < time.Minute {
				t.Fatalf("125 calls within %v", s.Sub(l.starts[i-125]))
			}
		}
	})
}

func TestTokensPerMinuteFollowTheUsage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{latency: 10 * time.Millisecond} // 1000 tokens a call, estimated at far fewer
		m := labModel(t, l, Limits{TokensPerMinute: 60000})
		begin := time.Now()
		asks(t, m, 600, 16)
		if d := time.Since(begin); d < 9*time.Minute || d > 11*time.Minute {
			t.Errorf("600 calls of 1000 tokens at 60,000 a minute took %v", d)
		}
	})
}

// A prompt beyond a minute's tokens is sent all the same, and a usage that is
// out of this world holds the endpoint up for a minute, not for years.
func TestTokensPerMinuteOfHugeCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newRateLimit(Limits{TokensPerMinute: 600}, time.Now)
		call := func(estimate, used int, least, most time.Duration) {
			t.Helper()
			begin := time.Now()
			charged, err := p.waitForTurn(t.Context(), estimate)
			if d := time.Since(begin); err != nil || d < least || d > most {
				t.Errorf("a call of %d tokens waited %v (%v)", estimate, d, err)
			}
			p.correctCharge(estimate, charged, eval.Usage{Prompt: used})
		}
		call(5000, 5000, 0, 0)
		call(10, 10, 30*time.Second, 80*time.Second)
		call(10, 1<<30, 0, 40*time.Second)
		call(10, 10, 30*time.Second, 80*time.Second)
	})
}

func TestAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	check := func(want time.Duration, pairs ...string) {
		t.Helper()
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		if got, _ := parseRetryAfter(h, now); got != want {
			t.Errorf("%v gives %v, want %v", h, got, want)
		}
	}
	check(0)
	check(7*time.Second, "retry-after", "7")
	check(1500*time.Millisecond, "retry-after", "1.5")
	check(250*time.Millisecond, "retry-after-ms", "250", "retry-after", "1")
	check(90*time.Second, "retry-after", "Fri, 02 Jan 2026 03:05:35 GMT")
	check(0, "retry-after", "Fri, 02 Jan 2026 03:03:35 GMT")
	check(0, "retry-after", "-5")
	check(0, "retry-after", "NaN")
	check(0, "retry-after", "soon")
	check(time.Hour, "retry-after", "3600")
	check(0, "retry-after", "1e300")
	check(0, "retry-after", "1000000000000")
	check(0, "retry-after", "Fri, 02 Jan 2099 03:05:35 GMT")
	check(6*time.Minute, "x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "6m0s", "x-ratelimit-remaining-tokens", "50", "x-ratelimit-reset-tokens", "9m")
	check(20*time.Millisecond, "x-ratelimit-reset-tokens", "20ms")
	check(30*time.Second, "x-ratelimit-remaining", "0", "x-ratelimit-reset", "1767323075000")
	check(30*time.Second, "x-ratelimit-reset", "1767323075")
}

// counts is the number allowed, inside and waiting.
func (c *concurrencyLimit) counts() (allowed, inside, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allowed, c.inside, c.queue.Len()
}
