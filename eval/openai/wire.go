package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/text"
)

// Bodies of replies share a budget of the process, so that many large ones at
// a time are read one after the other. What is short needs none of it.
const (
	shortReply  = 512 << 10
	replyCopies = 4 // decoding holds the body, its JSON and its texts
)

// wireClient is the http.RoundTripper under go-openai. It puts the prepared body and the key into the
// request, bounds what comes back, and keeps of a refusal what go-openai drops: its headers. It is also
// go-openai's HTTPDoer: without an http.Client in between no redirect is followed, so the key goes
// nowhere but to the endpoint.
type wireClient struct {
	base   http.RoundTripper
	host   string
	header http.Header // of every request, the key in it; never written to
	query  string      // of every address, encoded
	most   int64       // bytes of a body
	now    func() time.Time
}

// callExchange is what one call hands down to wire and what comes back beside go-openai's own result.
// It travels in the request's context, the only thing that go-openai passes on.
type callExchange struct {
	body   []byte // sent in place of go-openai's; nil: its own
	stream bool
	file   bool          // what comes back is a file of results, of any kind and size
	reply  *bytes.Buffer // the whole body of an answer that is no stream
	whole  bool          // it arrived
	broke  error         // why the stream broke off
	share  func()        // gives back what the reply has of the process's budget; nil: nothing
}

type tripKey struct{}

func (t *callExchange) putIntoContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, tripKey{}, t)
}

// buffers are for replies; go-openai copies out of them what it returns.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (t *callExchange) releaseReplyMemory() {
	if t.share != nil {
		t.reply = nil
		runtime.GC() // the next large reply must not stand beside what is left of this one
		t.share()
		t.share = nil
	}
	if t.reply != nil && t.reply.Cap() <= 1<<20 {
		buffers.Put(t.reply)
	}
	t.reply = nil
}

// reserveReplyMemory waits until there is room for a long reply of so many bytes.
func (t *callExchange) reserveReplyMemory(ctx context.Context, bytes int64) (err error) {
	if t.share == nil {
		t.share, err = bound.Replies.Acquire(ctx, "the reply", min(replyCopies*bytes, bound.Replies.Capacity()))
	}
	return err
}

// refusal is an answer that is none: its status, and what its headers and body say about it.
type refusal struct {
	status   int
	after    time.Duration
	odd      time.Duration // a wait that was asked for and is not believed
	body     []byte
	location string
	within   bool // the error came inside a reply of status 2xx
}

func (r *refusal) Error() string { return r.statusText() }

func (r *refusal) statusText() string {
	if r.within {
		return "the reply of status 200 holds an error"
	}
	text := fmt.Sprintf("refused with HTTP status %d", r.status)
	if name := http.StatusText(r.status); name != "" {
		text += " (" + name + ")"
	}
	return text
}

// kindOfRefusal tells what can be done about the refusal. What a gateway says is about no sample: an
// error with status 200 is trouble behind it, whatever number it names, unless it is a content filter's
// or names the account or the model; and a bad request is the API's word only in the API's form.
func (r *refusal) kindOfRefusal(c complaint) eval.FailureKind {
	kind := failureKindOf(r.status, c)
	switch {
	case !r.within && kind == eval.FailureSample && !isJSONBody(r.body):
		return eval.FailureTransient
	case !r.within:
		return kind
	case c.isContentFilter():
		return eval.FailureSample
	case c.hasWord("insufficient_quota", "billing_hard_limit_reached") || c.isAboutEverySample():
		return eval.FailureConfiguration
	}
	return eval.FailureTransient
}

// isJSONBody reports whether a body is a JSON object or array; one longer than what is kept need not end.
func isJSONBody(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 1 && (body[0] == '{' || body[0] == '[') && (json.Valid(body) || len(body) >= bound.Refusal-1)
}

// garbage is a reply that cannot be read as an answer. It says nothing about
// the sample: a gateway, a proxy or a broken connection made it.
type garbage struct{ why string }

func (g *garbage) Error() string { return g.why }

// withheld is an answer that the endpoint's content filter kept back.
type withheld struct{}

func (*withheld) Error() string { return "the endpoint's content filter withheld the answer" }

// Do makes wire what go-openai takes for an http.Client.
func (w *wireClient) Do(req *http.Request) (*http.Response, error) { return w.RoundTrip(req) }

// RoundTrip returns answers with status 2xx that hold what was asked for, and everything else as an error.
func (w *wireClient) RoundTrip(req *http.Request) (*http.Response, error) {
	t, _ := req.Context().Value(tripKey{}).(*callExchange)
	if t == nil || req.URL.Host != w.host {
		return nil, errors.New("request to an address that is not the endpoint's")
	}
	if req.Body != nil && t.body != nil {
		_ = req.Body.Close() // bytes in memory
	}
	resp, err := w.base.RoundTrip(w.withEndpointHeader(req, t))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, w.readRefusal(resp)
	}
	err = checkContentType(resp.Header.Get("Content-Type"), t)
	if as := resp.Header.Get("Content-Encoding"); err == nil && as != "" && as != "identity" {
		err = &garbage{fmt.Sprintf("malformed reply: encoded as %q, which was not asked for", text.Outside(as).Shorten(20))}
	}
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	if t.file {
		return resp, nil
	}
	if t.stream {
		resp.Body = &boundedStream{ctx: req.Context(), from: resp.Body, most: w.most, trip: t}
		return resp, nil
	}
	if err := w.readWholeBody(req.Context(), resp, t); err != nil {
		return nil, err
	}
	return resp, nil
}

// withEndpointHeader is the one that is sent; a RoundTripper must not change its own.
func (w *wireClient) withEndpointHeader(req *http.Request, t *callExchange) *http.Request {
	out := req.WithContext(req.Context())
	out.Header = w.header
	if form := req.Header.Get("Content-Type"); strings.HasPrefix(form, "multipart/") {
		out.Header = w.header.Clone()
		out.Header.Set("Content-Type", form)
	}
	if w.query != "" {
		address := *req.URL
		address.RawQuery = strings.TrimPrefix(req.URL.RawQuery+"&"+w.query, "&")
		out.URL = &address
	}
	if t.body != nil {
		out.ContentLength = int64(len(t.body))
		out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.body)), nil }
		out.Body, _ = out.GetBody()
	}
	return out
}

func (w *wireClient) readRefusal(resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, bound.Refusal)) // what arrived will do
	wait, odd := parseRetryAfter(resp.Header, w.now())
	return &refusal{
		status:   resp.StatusCode,
		after:    wait,
		odd:      odd,
		body:     body,
		location: resp.Header.Get("Location"),
	}
}

// readWholeBody takes in the whole body. Reading to its end also keeps the connection:
// go-openai stops at the last brace and so loses it when the body is chunked.
func (w *wireClient) readWholeBody(ctx context.Context, resp *http.Response, t *callExchange) error {
	from := resp.Body
	defer func() { _ = from.Close() }()
	if resp.ContentLength > w.most {
		return newTooLongError(w.most)
	}
	t.reply = buffers.Get().(*bytes.Buffer)
	t.reply.Reset()
	if n := resp.ContentLength; n > 0 && n <= shortReply {
		t.reply.Grow(int(n) + bytes.MinRead)
	}
	n, err := t.reply.ReadFrom(io.LimitReader(from, min(shortReply, w.most+1)))
	if err == nil && n == shortReply {
		n, err = w.readLongBody(ctx, from, resp.ContentLength, t)
	}
	switch {
	case n > w.most:
		return newTooLongError(w.most)
	case err != nil:
		return err
	}
	t.whole = true
	resp.Body = io.NopCloser(bytes.NewReader(t.reply.Bytes()))
	return nil
}

// readLongBody reads the rest of a long body, once there is room for all of it, and
// returns the whole's size.
func (w *wireClient) readLongBody(ctx context.Context, from io.Reader, length int64, t *callExchange) (int64, error) {
	if length < 0 {
		length = w.most
	}
	if err := t.reserveReplyMemory(ctx, length); err != nil {
		return 0, err
	}
	t.reply.Grow(int(length) - t.reply.Len() + bytes.MinRead + 1)
	_, err := t.reply.ReadFrom(io.LimitReader(from, w.most+1-int64(t.reply.Len())))
	return int64(t.reply.Len()), err
}

func newTooLongError(most int64) error {
	return &garbage{fmt.Sprintf("reply of more than %d bytes", most)}
}

// checkContentType refuses web pages and the like. Some servers send JSON as text, or say nothing.
func checkContentType(header string, t *callExchange) error {
	stream := t.stream
	if header == "application/json" && !stream {
		return nil
	}
	kind, _, err := mime.ParseMediaType(header)
	switch {
	case header == "" || t.file && kind != "text/html":
		return nil
	case err == nil && stream && kind == "text/event-stream":
		return nil
	case err == nil && !stream && (kind == "application/json" || kind == "text/plain" || strings.HasSuffix(kind, "+json")):
		return nil
	}
	return &garbage{fmt.Sprintf("content type %q instead of the API's: is the base URL right?", text.Outside(header).Shorten(60))}
}

// boundedStream is the body of a stream, cut at a number of bytes.
type boundedStream struct {
	ctx        context.Context
	from       io.ReadCloser
	most, read int64
	trip       *callExchange
}

func (b *boundedStream) Read(p []byte) (int, error) {
	if b.read >= b.most {
		b.trip.broke = &garbage{"endless stream"}
		return 0, b.trip.broke
	}
	if b.read > shortReply {
		if err := b.trip.reserveReplyMemory(b.ctx, b.most); err != nil {
			b.trip.broke = err
			return 0, err
		}
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.most-b.read)])
	b.read += int64(n)
	if err != nil && err != io.EOF {
		b.trip.broke = err
	}
	return n, err
}

func (b *boundedStream) Close() error { return b.from.Close() }
