package openai

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"concord/eval"
)

// longest is the longest cool-down that an endpoint is believed. A header that
// asks for more is wrong, or names a quota that a person should look at.
// coolest is for how long calls are kept back at once: then one tries again.
const (
	longest = time.Hour
	coolest = 10 * time.Minute
)

// lately is for how long an endpoint that answered a call counts as one that
// calls get through to: a refusal then holds back the refused call alone, and
// no rest that was asked for before lasts longer.
const lately = 10 * time.Second

// rateLimit keeps calls within the endpoint's limits per minute, and holds them
// back while it cools down.
type rateLimit struct {
	requests *rate.Limiter // nil: no limit
	tokens   *rate.Limiter
	most     int // tokens a minute
	now      func() time.Time

	mu     sync.Mutex
	until  time.Time // cooling
	last   time.Time // when a call got through
	credit int       // tokens that earlier calls were charged and did not use
	scale  float64   // tokens used by the estimate of them, lately
}

func newRateLimit(l Limits, now func() time.Time) *rateLimit {
	return &rateLimit{
		requests: newPerMinuteLimiter(l.RequestsPerMinute, 60),
		tokens:   newPerMinuteLimiter(l.TokensPerMinute, 6),
		most:     l.TokensPerMinute,
		now:      now,
		scale:    1,
	}
}

// newPerMinuteLimiter allows n a minute and a burst of the given part of it: a whole
// minute's burst would let twice the limit through in the first minute.
func newPerMinuteLimiter(n, part int) *rate.Limiter {
	if n <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(float64(n)/60), max(n/part, 1))
}

// waitForTurn holds a call that is estimated at so many tokens until it may start.
// It returns what the call was charged.
func (p *rateLimit) waitForTurn(ctx context.Context, estimate int) (charged int, err error) {
	if p.requests != nil {
		if err := p.reserveTokens(ctx, p.requests, 1); err != nil {
			return 0, err
		}
	}
	if p.tokens != nil {
		p.mu.Lock()
		charged = min(max(int(float64(estimate)*p.scale), 1), p.tokens.Burst())
		paid := min(p.credit, charged)
		p.credit -= paid
		p.mu.Unlock()
		if err := p.reserveTokens(ctx, p.tokens, charged-paid); err != nil {
			return 0, err
		}
	}
	return charged, p.waitCooldown(ctx)
}

// waitCooldown waits until the endpoint has cooled down.
func (p *rateLimit) waitCooldown(ctx context.Context) error {
	for {
		p.mu.Lock()
		until := p.until
		p.mu.Unlock()
		if until.IsZero() {
			return nil
		}
		d := until.Sub(p.now())
		if d <= 0 {
			return nil
		}
		// In pieces: a call that gets through ends the rest early.
		if err := sleep(ctx, min(d, lately)); err != nil {
			return err
		}
	}
}

// noteSuccess notes that a call got through.
func (p *rateLimit) noteSuccess() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = p.now()
	if end := p.last.Add(lately); p.until.After(end) {
		p.until = end
	}
}

func (p *rateLimit) reserveTokens(ctx context.Context, l *rate.Limiter, n int) error {
	now := p.now()
	r := l.ReserveN(now, n)
	if d := r.DelayFrom(now); d > 0 {
		if err := sleep(ctx, d); err != nil {
			r.CancelAt(p.now())
			return err
		}
	}
	return nil
}

// adjustCharge sets what a call used against what it was charged: the rest is a
// credit for later calls, or a debt that they wait for, a minute at most.
func (p *rateLimit) adjustCharge(estimate, charged int, u eval.Usage) {
	used := u.Prompt + u.Completion
	if p.tokens == nil || used <= 0 {
		return
	}
	p.mu.Lock()
	p.scale += (float64(used)/float64(max(estimate, 1)) - p.scale) / 8
	p.scale = min(max(p.scale, 0.05), 50)
	// The endpoint counts by the minute: no call is owed for longer, whatever a
	// reply says that it used.
	owed := min(used-charged, p.most) - p.credit
	p.credit = min(max(-owed, 0), p.tokens.Burst())
	p.mu.Unlock()
	for now := p.now(); owed > 0; owed -= p.tokens.Burst() {
		p.tokens.ReserveN(now, min(owed, p.tokens.Burst()))
	}
}

// startCooldown keeps all calls back for d from now, unless some get through.
func (p *rateLimit) startCooldown(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d <= 0 || !p.last.IsZero() && p.now().Sub(p.last) < lately {
		return
	}
	if until := p.now().Add(min(d, coolest)); until.After(p.until) {
		p.until = until
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	waiting, stop := context.WithTimeout(ctx, d)
	defer stop()
	<-waiting.Done()
	return ctx.Err()
}

// retryAfter is when a refused call may come back, by the headers that say so: 0
// when none does. x-ratelimit-reset-* counts only for limits that are used up.
// A wait of more than an hour is not believed: it is given as the second value
// and not waited for.
func retryAfter(h http.Header, now time.Time) (wait, odd time.Duration) {
	seconds := parseRetrySeconds(h, now)
	if d := boundedDuration(seconds); d > longest {
		return 0, d
	}
	return boundedDuration(seconds), 0
}

// parseRetrySeconds gives the wait in seconds that the headers ask for.
func parseRetrySeconds(h http.Header, now time.Time) float64 {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return ms / 1e3
	}
	if v := strings.TrimSpace(h.Get("Retry-After")); v != "" {
		if s, err := strconv.ParseFloat(v, 64); err == nil {
			return s
		}
		if t, err := http.ParseTime(v); err == nil {
			return t.Sub(now).Seconds()
		}
	}
	most := 0.0
	for _, what := range []string{"", "-Requests", "-Tokens"} {
		if left := h.Get("X-Ratelimit-Remaining" + what); left == "" || left == "0" {
			most = max(most, parseReset(h.Get("X-Ratelimit-Reset"+what), now))
		}
	}
	return most
}

// parseReset reads "1s", "6m0s", seconds, or the time in seconds or milliseconds
// since 1970, as seconds from now.
func parseReset(v string, now time.Time) float64 {
	if d, err := time.ParseDuration(v); err == nil {
		return d.Seconds()
	}
	n, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil:
		return 0
	case n > 1e11:
		return n/1e3 - float64(now.Unix())
	case n > 1e8:
		return n - float64(now.Unix())
	}
	return n
}

// boundedDuration makes a duration of seconds that strangers named, a century at most.
func boundedDuration(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(seconds, century) * float64(time.Second))
}
