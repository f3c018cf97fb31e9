package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"concord/eval"
)

// callContext is what a message about a failure can name.
type callContext struct {
	endpoint *Endpoint
	model    string // "" for calls that name none
	timeout  time.Duration
}

func (a callContext) String() string {
	return eval.Either(a.model == "", fmt.Sprintf("endpoint %q", a.endpoint.name), fmt.Sprintf("endpoint %q, model %q", a.endpoint.name, a.model))
}

func (a callContext) newFailure(kind eval.FailureKind, format string, args ...any) *eval.Failure {
	text := fmt.Sprintf(format, args...)
	return &eval.Failure{Kind: kind, Message: a.endpoint.secrets.cleanText(a.String() + ": " + text)}
}

func (a callContext) failureOfError(err error) *eval.Failure {
	var f *eval.Failure
	var r *refusal
	var g *garbage
	var w *withheld
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &r):
		return a.refusalFailure(r)
	case errors.As(err, &g):
		return markUnusable(a.newFailure(eval.FailureTransient, "%s", g.why))
	case errors.As(err, &w):
		return a.newFailure(eval.FailureSample, "%s", err)
	}
	f = a.newFailure(eval.FailureTransient, "%s", a.describeNetworkError(err))
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) {
		f.Sign = eval.SignUnresolved
	}
	return f
}

// markUnusable marks a failure as a reply that is no answer.
func markUnusable(f *eval.Failure) *eval.Failure {
	f.Sign = eval.SignUnusable
	return f
}

// refusalFailure words a refusal, with what to do about it.
func (a callContext) refusalFailure(r *refusal) *eval.Failure {
	c := parseComplaint(r.body)
	kind := r.kindOfRefusal(c)
	hint := a.adviceForStatus(r.status, c)
	text := r.statusText()
	if kind == eval.FailureConfiguration && r.location != "" && r.status < 400 {
		hint = "it sends on to " + redactURL(r.location) + ": set the base URL so, redirects are not followed"
	}
	if hint != "" {
		text += ": " + hint
	}
	if c.Message != "" {
		text += ": " + a.endpoint.secrets.cleanText(c.Message)
	}
	if c.Code != "" {
		text += " [" + c.Code + "]"
	}
	if r.odd > 0 {
		text += fmt.Sprintf(": its Retry-After of %.0f hours is not believed", r.odd.Hours())
	}
	f := a.newFailure(kind, "%s", text)
	f.Status, f.After = r.status, r.after
	if r.within && kind == eval.FailureTransient {
		return markUnusable(f)
	}
	return f
}

// adviceForStatus is what a person can do about a status.
func (a callContext) adviceForStatus(status int, c complaint) string {
	key := "set its key (api_key_env, headers or query of the endpoint)"
	if name := a.endpoint.keyName; name != "" {
		key = "set the environment variable " + name
	}
	switch {
	case status == 401 && len(*a.endpoint.secrets) == 0:
		return "it wants a key: " + key
	case status == 401 || c.hasWord("invalid_api_key"):
		return "the key is refused: " + key + " to a valid one"
	case (status == 400 || status == 403 || status == 422) && c.refusesLogProbs():
		return "the model gives no log probabilities: take logprobs out of its section in concord.toml"
	case status == 413 && c == (complaint{}) || status == 413 && c.Code == "" && c.Type == "":
		return "a proxy before the endpoint may not let so much through"
	case status == 403:
		return "the key may not use this model: " + key + " to one that may"
	case status == 400 && c.refusesParam():
		return fmt.Sprintf("the model refuses parameter %q: leave it out (null for temperature, which is 0 otherwise)", c.Param)
	case status == 400 && c.wantsTLS():
		return "the base URL " + a.endpoint.url + " must begin with https"
	case status == 402 || status == 429 && failureKindOf(status, c) == eval.FailureConfiguration:
		return "the account behind the key has no credit left"
	case status == 404 || status == 405 || c.hasWord("model_not_found"):
		return "no such model or address: compare the model with GET /models (concord doctor), and the base URL " + a.endpoint.url
	}
	return ""
}

// redactURL is a URL without what may be private in it.
func redactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "another address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// describeNetworkError words an error of the network, with what to check.
func (a callContext) describeNetworkError(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	check := "check the base URL " + a.endpoint.url
	switch {
	case errors.As(err, &dns) && dns.IsTimeout:
		return fmt.Sprintf("host %q not looked up in time: %s, and the network", dns.Name, check)
	case errors.As(err, &dns):
		return fmt.Sprintf("host %q not found: %s", dns.Name, check)
	case isTimeout(err) && errors.As(err, &op) && op.Op == "dial":
		return fmt.Sprintf("no connection in time: is the server up? %s: %v", check, err)
	case isTimeout(err):
		return fmt.Sprintf("no answer within %v, the endpoint's timeout", a.timeout)
	case errors.Is(err, http.ErrSchemeMismatch) || isTLSError(err):
		return fmt.Sprintf("no TLS connection: %s (http or https?): %v", check, err)
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Sprintf("no connection: is the server up? %s: %v", check, err)
	}
	return fmt.Sprintf("connection broken: %v", err)
}

// isTimeout reports whether an error says that time ran out.
func isTimeout(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

func isTLSError(err error) bool {
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &authority) || errors.As(err, &host)
}

// isOverloaded reports whether a failure says that the endpoint has too much to do.
func isOverloaded(f *eval.Failure, err error) bool {
	return f.Kind == eval.FailureTransient &&
		(f.Status == 429 || f.Status == 503 || f.Status == 504 || f.Status == 529 || f.Status == 0 && isTimeout(err))
}

// longest is the longest cool-down that an endpoint is believed. A header that
// asks for more is wrong, or names a quota that a person should look at.
// coolest is for how long calls are kept back at once: then one tries again.
const (
	longest = time.Hour
	coolest = 10 * time.Minute
)

// lately is for how long an endpoint that answered a call counts as one that calls get through to: a
// refusal then holds back the refused call alone, and no rest that was asked for before lasts longer.
const lately = 10 * time.Second

// rateLimit keeps calls within the endpoint's limits per minute, and holds them back while it cools down.
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
	return eval.Either(n <= 0, nil, rate.NewLimiter(rate.Limit(float64(n)/60), max(n/part, 1)))
}

// waitForTurn holds a call estimated at so many tokens until it may start. It returns what it was charged.
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
		if err := sleepOrCancel(ctx, min(d, lately)); err != nil {
			return err
		}
	}
}

// shortenCooldown notes that a call got through.
func (p *rateLimit) shortenCooldown() {
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
		if err := sleepOrCancel(ctx, d); err != nil {
			r.CancelAt(p.now())
			return err
		}
	}
	return nil
}

// correctCharge sets what a call used against what it was charged: the rest is a
// credit for later calls, or a debt that they wait for, a minute at most.
func (p *rateLimit) correctCharge(estimate, charged int, u eval.Usage) {
	used := u.Prompt + u.Completion
	if p.tokens == nil || used <= 0 {
		return
	}
	p.mu.Lock()
	p.scale += (float64(used)/float64(max(estimate, 1)) - p.scale) / 8
	p.scale = min(max(p.scale, 0.05), 50)
	// The endpoint counts by the minute: no call is owed for longer, whatever a reply says that it used.
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

func sleepOrCancel(ctx context.Context, d time.Duration) error {
	waiting, stop := context.WithTimeout(ctx, d)
	defer stop()
	<-waiting.Done()
	return ctx.Err()
}

// parseRetryAfter is when a refused call may come back, by the headers that say so: 0 when none does.
// x-ratelimit-reset-* counts only for limits that are used up. A wait of more than an hour is not
// believed: it is given as the second value and not waited for.
func parseRetryAfter(h http.Header, now time.Time) (wait, odd time.Duration) {
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
			most = max(most, secondsUntilReset(h.Get("X-Ratelimit-Reset"+what), now))
		}
	}
	return most
}

// secondsUntilReset reads "1s", "6m0s", seconds, or the seconds or milliseconds since 1970, as seconds from now.
func secondsUntilReset(v string, now time.Time) float64 {
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
