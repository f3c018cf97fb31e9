package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	Name      string // as messages call it; "": its host
	BaseURL   string // up to, and without, /chat/completions
	Key       string // "" for endpoints that want none
	KeyName   string // the environment variable that Key was read from
	Limits    Limits
	Timeout   time.Duration     // of one call; 0 is DefaultTimeout
	MaxBody   int64             // bytes of a reply; 0 is DefaultMaxBody
	Transport http.RoundTripper // nil: one for this endpoint
	Now       func() time.Time  // nil is time.Now
}

// Limits are what an endpoint allows all callers together. 0 is no limit,
// Concurrency 0 is 64.
type Limits struct {
	RequestsPerMinute int
	TokensPerMinute   int
	Concurrency       int // at most; fewer while the endpoint is overloaded
}

// Endpoint is an address with its key and its limits. All runs of a process
// that ask it share one, from any goroutine.
type Endpoint struct {
	name, url, keyName string
	secret             *secret // a pointer, so that printing an endpoint shows no key
	timeout            time.Duration
	client             *goopenai.Client
	urls               *urlCache
	crowd              *crowd
	pace               *rateLimit
}

// NewEndpoint makes an endpoint; it makes no call. Its errors are
// configuration failures.
func NewEndpoint(o Options) (*Endpoint, error) {
	key := strings.TrimSpace(o.Key)
	base, err := baseURL(o.BaseURL)
	if err == nil && strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		err = fmt.Errorf("the key in %s holds characters that no header can", or(o.KeyName, "the configuration"))
	}
	if err != nil {
		name := text.Outside(o.Name).Short(100)
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
		o.Transport = transport(o.Limits.Concurrency)
	}
	e := &Endpoint{
		name: or(o.Name, base.Host), url: base.String(), keyName: o.KeyName,
		secret: newSecret(key), timeout: o.Timeout,
		urls:  newURLCache(urlCacheBytes),
		crowd: newCrowd(o.Limits.Concurrency),
		pace:  newRateLimit(o.Limits, o.Now),
	}
	config := goopenai.DefaultConfig("") // the key is wire's alone
	config.BaseURL = e.url
	config.EmptyMessagesLimit = 1 << 31 // comments that keep a stream alive; its bytes are bounded
	config.HTTPClient = &wire{base: o.Transport, host: base.Host, header: header(key), most: o.MaxBody, now: o.Now}
	e.client = goopenai.NewClientWithConfig(config)
	return e, nil
}

func or(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// baseURL refuses what would put secrets into messages, or calls into the
// wrong place.
func baseURL(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(address), "/"))
	switch {
	case err != nil:
		return nil, errors.New("the base URL is no URL")
	case u.User != nil:
		return nil, errors.New("the base URL holds credentials: put the key into an environment variable")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the base URL %q must begin with http:// or https:// and a host", text.Outside(address).Short(100))
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the base URL must have neither ? nor #")
	case strings.HasSuffix(u.Path, "/chat/completions") || strings.HasSuffix(u.Path, "/models"):
		return nil, errors.New("the base URL ends before /chat/completions")
	}
	u.Host = strings.TrimSuffix(u.Host, ":") // as requests have it
	return u, nil
}

func header(key string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json, text/event-stream"},
		"User-Agent":   {"concord"},
	}
	if key != "" {
		h["Authorization"] = []string{"Bearer " + key}
	}
	return h
}

// transport keeps a connection for each call that may be under way.
func transport(calls int) *http.Transport {
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

// URL is the base URL, which holds no credentials.
func (e *Endpoint) URL() string { return e.url }

// State is how an endpoint does, for screens.
type State struct {
	Concurrency int       // calls allowed at once now
	Most        int       // allowed at best
	InFlight    int       // calls under way, those that wait for a limit per minute too
	Waiting     int       // calls that wait for their turn
	Cooling     time.Time // no call is sent before; zero when the endpoint did not ask for that
}

// State is a snapshot.
func (e *Endpoint) State() State {
	allowed, inside, waiting := e.crowd.look()
	return State{Concurrency: allowed, Most: e.crowd.most, InFlight: inside, Waiting: waiting, Cooling: e.pace.cooling()}
}

// Models lists the models of the endpoint, sorted. It costs no tokens, and is
// held back by no limit.
func (e *Endpoint) Models(ctx context.Context) (names []string, err error) {
	a := asked{endpoint: e, timeout: min(e.timeout, 30*time.Second)}
	ctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	var t trip
	defer t.free()
	list, err := e.client.ListModels(t.in(ctx))
	switch {
	case err != nil && t.whole:
		return nil, a.failure(eval.FailureConfiguration, "the answer to GET /models is no list of models: %v", err)
	case err != nil:
		return nil, a.failureOf(err)
	}
	for i := range list.Models {
		names = append(names, text.Outside(e.secret.strip(list.Models[i].ID)).Short(200))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
