package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

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
	kind := r.failureKind(c)
	hint := a.adviceFor(r.status, c)
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

// adviceFor is what a person can do about a status.
func (a callContext) adviceFor(status int, c complaint) string {
	key := "set its key"
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

// isOverloaded reports whether a failure says that the endpoint has too much to
// do.
func isOverloaded(f *eval.Failure, err error) bool {
	return f.Kind == eval.FailureTransient &&
		(f.Status == 429 || f.Status == 503 || f.Status == 504 || f.Status == 529 || f.Status == 0 && isTimeout(err))
}
