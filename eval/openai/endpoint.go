package openai

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/text"
)

// What Options leave out.
const (
	DefaultTimeout = 2 * time.Minute
	DefaultMaxBody = bound.Reply
	mostCalls      = 64
)

// Options are an endpoint as a configuration describes it.
type Options struct {
	Name       string            // as messages call it; "": its host
	BaseURL    string            // up to, and without, /chat/completions
	Key        string            // "" for endpoints that want none
	KeyName    string            // the environment variable that Key was read from
	Responses  bool              // it is asked by the Responses API, not by chats
	Headers    map[string]string // sent with each call, in the place of one of that name; their values are secrets
	Query      map[string]string // parameters of each call's address; those that look like a key are secrets
	Limits     Limits
	Timeout    time.Duration     // of one call; 0 is DefaultTimeout
	MaxBody    int64             // bytes of a reply; 0 is DefaultMaxBody
	MaxRequest int               // bytes of a call; 0 is no limit
	Transport  http.RoundTripper // nil: one for this endpoint
	Now        func() time.Time  // nil is time.Now
}

// Limits are what an endpoint allows all callers together. 0 is no limit, Concurrency 0 is 64.
type Limits struct {
	RequestsPerMinute, TokensPerMinute int
	Concurrency                        int // at most; fewer while the endpoint is overloaded
}

// Endpoint is an address with its key and its limits. All runs that ask it share one, from any goroutine.
type Endpoint struct {
	name, url, keyName string
	secrets            *secrets // a pointer, so that printing an endpoint shows no key
	timeout            time.Duration
	maxRequest         int
	wording            wording
	wire               *wireClient
	client             *goopenai.Client
	urls               *urlCache
	crowd              *concurrencyLimit
	pace               *rateLimit
}

// NewEndpoint makes an endpoint; it makes no call. Its errors are configuration failures.
func NewEndpoint(o Options) (*Endpoint, error) {
	key := strings.TrimSpace(o.Key)
	base, err := parseBaseURL(o.BaseURL)
	if err == nil && strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		err = fmt.Errorf("the key in %s holds characters that no header can", cmp.Or(o.KeyName, "the configuration"))
	}
	if err != nil {
		name := text.Outside(o.Name).Shorten(100)
		return nil, &eval.Failure{Kind: eval.FailureConfiguration, Message: fmt.Sprintf("endpoint %q: %v", name, err)}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limits.Concurrency <= 0 {
		o.Limits.Concurrency = mostCalls
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.Transport == nil {
		o.Transport = newTransport(o.Limits.Concurrency)
	}
	e := &Endpoint{
		name: cmp.Or(o.Name, base.Host), url: base.String(), keyName: o.KeyName,
		secrets: newSecrets(key, o.Headers, o.Query), timeout: o.Timeout, maxRequest: o.MaxRequest,
		urls:  newURLCache(urlCacheBytes),
		crowd: &concurrencyLimit{most: o.Limits.Concurrency, allowed: o.Limits.Concurrency},
		pace:  newRateLimit(o.Limits, o.Now),
	}
	e.wording = eval.Either(o.Responses, responseWording, chatWording)
	e.wire = &wireClient{base: o.Transport, host: base.Host, header: newHeader(key, o.Headers), query: encodeQuery(o.Query), most: o.MaxBody, now: o.Now}
	config := goopenai.DefaultConfig("") // the key is wire's alone
	config.BaseURL = e.url
	config.EmptyMessagesLimit = 1 << 31 // comments that keep a stream alive; its bytes are bounded
	config.HTTPClient = e.wire
	e.client = goopenai.NewClientWithConfig(config)
	return e, nil
}

// parseBaseURL refuses what would put secrets into messages, or calls into the wrong place.
func parseBaseURL(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(address), "/"))
	switch {
	case err != nil:
		return nil, errors.New("the base URL is no URL")
	case u.User != nil:
		return nil, errors.New("the base URL holds credentials: put the key into an environment variable")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the base URL %q must begin with http:// or https:// and a host", text.Outside(address).Shorten(100))
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the base URL must have neither ? nor #")
	case strings.HasSuffix(u.Path, "/chat/completions") || strings.HasSuffix(u.Path, "/responses") || strings.HasSuffix(u.Path, "/models"):
		return nil, errors.New("the base URL ends before /chat/completions or /responses")
	}
	u.Host = strings.TrimSuffix(u.Host, ":") // as requests have it
	return u, nil
}

func encodeQuery(params map[string]string) string {
	out := make(url.Values)
	for name, value := range params {
		out.Set(name, value)
	}
	return out.Encode()
}

func newHeader(key string, more map[string]string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json, text/event-stream"},
		"User-Agent":   {"concord"},
	}
	if key != "" {
		h["Authorization"] = []string{"Bearer " + key}
	}
	for name, value := range more {
		h.Set(name, value)
	}
	return h
}

// newTransport keeps a connection for each call that may be under way.
func newTransport(calls int) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          calls,
		MaxIdleConnsPerHost:   calls,
		DisableCompression:    true, // answers are short, and a bomb could hide in them
		ForceAttemptHTTP2:     true,
	}
}

// Name is what messages call the endpoint.
func (e *Endpoint) Name() string { return e.name }

// ListModels lists the models of the endpoint, sorted. It costs no tokens, and is held back by no limit.
func (e *Endpoint) ListModels(ctx context.Context) (names []string, err error) {
	a := callContext{endpoint: e, timeout: min(e.timeout, 30*time.Second)}
	ctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	var t callExchange
	defer t.releaseReplyMemory()
	list, err := e.client.ListModels(t.putIntoContext(ctx))
	switch {
	case err != nil && t.whole:
		return nil, a.newFailure(eval.FailureConfiguration, "the answer to GET /models is no list of models: %v", err)
	case err != nil:
		return nil, a.failureOfError(err)
	}
	for i := range list.Models {
		names = append(names, text.Outside(e.secrets.stripKeys(list.Models[i].ID)).Shorten(200))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// room for data URLs: what 64 questions under way need, with pictures of a megabyte each.
const urlCacheBytes = 64 << 20

// urlCache turns pictures into quoted data URLs, and keeps the latest:
// CircularEval shows a picture once for each option.
type urlCache struct {
	mu          sync.Mutex
	pages       map[page]*list.Element // of *sheet
	used        list.List              // front: lately
	bytes, most int
	hands       chan struct{} // a decoded picture takes a hundred megabytes: few at once
}

type page struct {
	hash [sha256.Size]byte
	edge int
}

type sheet struct {
	page page
	url  []byte
}

func newURLCache(most int) *urlCache {
	return &urlCache{
		pages: make(map[page]*list.Element),
		most:  most,
		hands: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// dataURL is picture number n of a chat as a quoted data URL. A picture that
// cannot be read is the sample's failure.
func (a *urlCache) dataURL(n int, file []byte, edge int) ([]byte, error) {
	p := page{sha256.Sum256(file), max(edge, 0)}
	if url := a.getURL(p); url != nil {
		return url, nil
	}
	out, format, err := a.fitPicture(file, edge)
	if err != nil {
		return nil, &eval.Failure{
			Kind:    eval.FailureSample,
			Unasked: true,
			Message: fmt.Sprintf("read image %d (sha256 %x, %d bytes): %v", n+1, p.hash[:6], len(file), err),
		}
	}
	head := `"data:image/` + format + `;base64,`
	url := make([]byte, 0, len(head)+base64.StdEncoding.EncodedLen(len(out))+1)
	url = append(base64.StdEncoding.AppendEncode(append(url, head...), out), '"')
	a.putURL(p, url)
	return url, nil
}

// fitPicture calls fit with a pair of hands. A decoder that panics on a stranger's file has not read it.
func (a *urlCache) fitPicture(file []byte, edge int) (out []byte, format string, err error) {
	a.hands <- struct{}{}
	defer func() {
		<-a.hands
		if v := recover(); v != nil {
			err = fmt.Errorf("decoder panicked: %v", v)
		}
	}()
	return fitForCall(file, edge)
}

func (a *urlCache) getURL(p page) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok := a.pages[p]
	if !ok {
		return nil
	}
	a.used.MoveToFront(e)
	return e.Value.(*sheet).url
}

func (a *urlCache) putURL(p page, url []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.pages[p]; ok || len(url) > a.most {
		return
	}
	a.pages[p] = a.used.PushFront(&sheet{p, url})
	for a.bytes += len(url); a.bytes > a.most; {
		old := a.used.Remove(a.used.Back()).(*sheet)
		delete(a.pages, old.page)
		a.bytes -= len(old.url)
	}
}
