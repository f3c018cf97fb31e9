package openai

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/text"
)

// ModelOptions are a model and how it is asked.
type ModelOptions struct {
	Name   string          // as the endpoint calls it
	Params json.RawMessage // a JSON object: temperature, max_tokens, seed, any field that the endpoint knows
	Edge   int             // longer edge of pictures in pixels; 0: as they are
	Stream bool            // have the answer in pieces, for endpoints whose proxies cut long silences

	LogProbs bool // have the log probabilities of the answer's tokens
}

// Model is a model of an endpoint with fixed parameters.
type Model struct {
	endpoint    *Endpoint
	name        string
	edge        int
	stream      bool
	room        int    // tokens it may write, 0: not known
	detail      string // what follows a picture's URL
	head        []byte // of every body, up to the messages
	tail, still []byte // what follows them; still does not stream
}

var _ eval.Chatter = (*Model)(nil)

// NewModel makes a model of the endpoint; it makes no call.
func (e *Endpoint) NewModel(o ModelOptions) (*Model, error) {
	bad := func(err error) error {
		return callContext{endpoint: e, model: o.Name}.newFailure(eval.FailureConfiguration, "%v", err)
	}
	fields, err := parseParams(o.Params)
	if err != nil {
		return nil, bad(err)
	}
	detail, err := takeOutDetail(fields)
	if err != nil {
		return nil, bad(err)
	}
	if o.Name == "" {
		return nil, bad(fmt.Errorf("no model is named"))
	}
	if o.LogProbs {
		fields["logprobs"] = true
	}
	if e.wording == responseWording {
		toResponsesParams(fields)
		if o.Stream {
			return nil, bad(errors.New("the Responses API is asked for replies in one piece: take stream out of the model's section"))
		}
	}
	m := &Model{endpoint: e, name: o.Name, edge: o.Edge, stream: o.Stream, room: maxReplyTokens(fields), detail: detail}
	m.head = append(appendQuote([]byte(`{"model":`), o.Name), e.wording.turns...)
	if m.tail, err = buildBodyTail(fields, o.Stream); err != nil {
		return nil, bad(err)
	}
	if m.still, err = buildBodyTail(fields, false); err != nil {
		return nil, bad(err)
	}
	return m, nil
}

// Endpoint is where the model is asked.
func (m *Model) Endpoint() *Endpoint { return m.endpoint }

// Chat asks once. Its errors are *eval.Failure, except when ctx ended: then
// they wrap its error. The reply beside an error has what the call cost.
func (m *Model) Chat(ctx context.Context, c eval.Chat) (reply eval.Reply, err error) {
	a := callContext{endpoint: m.endpoint, model: m.name, timeout: m.endpoint.timeout}
	defer func() {
		if v := recover(); v != nil {
			reply, err = eval.Reply{}, a.newFailure(eval.FailureSample, "panic: %v", v)
		}
	}()
	body, err := m.BuildBody(c)
	if err != nil {
		return eval.Reply{}, a.failureOfError(err)
	}
	era, err := m.endpoint.crowd.acquire(ctx)
	if err != nil {
		return eval.Reply{}, fmt.Errorf("wait for %v: %w", a, err)
	}
	load := signNone
	defer func() { m.endpoint.crowd.release(era, load) }()
	estimate := m.estimateTokens(c)
	charged, err := m.endpoint.pace.waitForTurn(ctx, estimate)
	if err != nil {
		return eval.Reply{}, fmt.Errorf("wait for %v: %w", a, err)
	}
	reply, err = m.sendCall(ctx, body)
	m.endpoint.pace.correctCharge(estimate, charged, reply.Usage)
	if err == nil {
		load = signGood
		m.endpoint.pace.shortenCooldown()
		return m.stripKeyFromReply(reply), nil
	}
	if ctx.Err() != nil {
		return reply, fmt.Errorf("ask %v: %w", a, ctx.Err())
	}
	failure := a.failureOfError(err)
	if isOverloaded(failure, err) {
		load = signStrain
	}
	if failure.Kind == eval.FailureTransient {
		m.endpoint.pace.startCooldown(failure.After)
	}
	return m.stripKeyFromReply(reply), failure
}

// sendCall makes the call within its deadline.
func (m *Model) sendCall(ctx context.Context, body []byte) (eval.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, m.endpoint.timeout)
	defer cancel()
	t := callExchange{body: body, stream: m.stream}
	defer t.releaseReplyMemory()
	ask := eval.Either(m.stream, m.askStreamed, m.askUnstreamed)
	f, raw, err := ask(t.putIntoContext(ctx), &t)
	if err != nil {
		return eval.Reply{Usage: f.Usage, Model: text.Outside(f.Model).Shorten(100)}, err
	}
	return f.replyOrError(raw)
}

// askUnstreamed asks for a reply in one piece. It goes around go-openai, which would encode an empty
// request first and read the reply into fields of which one in three is of use.
func (m *Model) askUnstreamed(ctx context.Context, t *callExchange) (wireReply, []byte, error) {
	w := m.endpoint.wording
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint.url+w.path, http.NoBody)
	if err != nil {
		return wireReply{}, nil, err
	}
	resp, err := m.endpoint.wire.RoundTrip(req)
	if err != nil {
		return wireReply{}, nil, err
	}
	_ = resp.Body.Close() // in memory
	f, err := eval.Either(w == responseWording, newResponseReply, newWireReply)(t.reply.Bytes())
	return f, t.reply.Bytes(), err
}

// stripKeyFromReply keeps the key out of facts, should an endpoint echo it.
func (m *Model) stripKeyFromReply(r eval.Reply) eval.Reply {
	s := m.endpoint.secrets
	if said := strings.Join(eval.Map(r.Tokens, func(t eval.Token) string { return t.Text }), ""); s.stripKeys(said) != said {
		r.Tokens = nil
	}
	r.Text, r.Reasoning, r.Finish, r.Model = s.stripKeys(r.Text), s.stripKeys(r.Reasoning), s.stripKeys(r.Finish), s.stripKeys(r.Model)
	return r
}

// concurrencyLimit holds the number of calls under way to what the endpoint bears: half
// as many after a sign of overload, one more after as many successes as there
// may be calls (additive increase, multiplicative decrease, as TCP does).
type concurrencyLimit struct {
	mu                    sync.Mutex
	most, allowed, inside int
	good                  int // successes since allowed last changed
	era                   int // counts the cuts
	queue                 list.List
}

// loadSign is what the end of a call says about the endpoint's load.
type loadSign uint8

const (
	signNone   loadSign = iota // nothing: cancelled, or broken for other reasons
	signGood                   // it answered
	signStrain                 // it refused for load, or took too long
)

// acquire waits for a place. It returns the era that it was given in, or why ctx ended.
func (c *concurrencyLimit) acquire(ctx context.Context) (era int, err error) {
	c.mu.Lock()
	if c.inside < c.allowed && c.queue.Len() == 0 {
		c.inside++
		era = c.era
		c.mu.Unlock()
		return era, nil
	}
	place := make(chan int, 1)
	waiter := c.queue.PushBack(place)
	c.mu.Unlock()
	select {
	case era = <-place:
		return era, nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-place: // given and given up at the same moment
		c.inside--
		c.admitWaiting()
	default:
		c.queue.Remove(waiter)
	}
	return 0, ctx.Err()
}

// release gives the place back. Calls that entered before the last cut say
// nothing new about it, so a burst of refusals cuts once per round trip.
func (c *concurrencyLimit) release(era int, s loadSign) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside--
	switch {
	case s == signStrain && era == c.era:
		c.allowed = max(c.allowed/2, 1)
		c.good = 0
		c.era++
	case s == signGood && c.allowed < c.most:
		if c.good++; c.good >= c.allowed {
			c.allowed++
			c.good = 0
		}
	}
	c.admitWaiting()
}

// admitWaiting lets in who waited longest; the caller holds mu.
func (c *concurrencyLimit) admitWaiting() {
	for c.inside < c.allowed && c.queue.Len() > 0 {
		place := c.queue.Remove(c.queue.Front()).(chan int)
		c.inside++
		place <- c.era
	}
}

// wording is how the parts of a call are written in one of the two APIs.
type wording struct{ path, turns, text, picture, pictureEnd string }

var (
	chatWording     = wording{"/chat/completions", `,"messages":[`, `{"type":"text","text":`, `{"type":"image_url","image_url":{"url":`, `}},`}
	responseWording = wording{"/responses", `,"input":[`, `{"type":"input_text","text":`, `{"type":"input_image","image_url":`, `},`}
)

// toResponsesParams makes parameters of chats those of the Responses API, where concord
// knows them. Others are sent as they are: the endpoint names what it refuses. Nothing
// is stored at the vendor unless the parameters say so, as with chats.
func toResponsesParams(fields map[string]any) {
	for _, name := range []string{"max_completion_tokens", "max_tokens"} {
		if n, ok := fields[name]; ok {
			fields["max_output_tokens"] = n
			delete(fields, name)
		}
	}
	if fields["logprobs"] == true {
		list, _ := fields["include"].([]any)
		fields["include"] = append(list, "message.output_text.logprobs")
	}
	delete(fields, "logprobs")
	if _, ok := fields["store"]; !ok {
		fields["store"] = false
	}
}

// response is a reply of the Responses API. go-openai leaves its output undecoded, and
// reads errors in one shape alone.
type response struct {
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []struct {
		Type    string `json:"type"`
		Role    string `json:"role"`
		Content []struct {
			Text     string             `json:"text"`
			Refusal  string             `json:"refusal"`
			LogProbs []goopenai.LogProb `json:"logprobs"`
		} `json:"content"`
		Summary []struct {
			Text string `json:"text"`
		} `json:"summary"`
	} `json:"output"`
	Usage struct {
		Input        int `json:"input_tokens"`
		InputDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Output        int `json:"output_tokens"`
		OutputDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

func newResponseReply(body []byte) (wireReply, error) {
	var r response
	s, err := readReplyShape(body)
	if err != nil {
		return wireReply{}, err
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return wireReply{failed: s.hasError()}, eval.Either[error](s.hasError(), nil, &garbage{fmt.Sprintf("malformed reply: %v", err)})
	}
	u := &r.Usage
	f := wireReply{failed: s.hasError(), Reply: eval.Reply{Model: r.Model, Usage: usageOf(&goopenai.Usage{
		PromptTokens: u.Input, PromptTokensDetails: &goopenai.PromptTokensDetails{CachedTokens: u.InputDetails.Cached},
		CompletionTokens: u.Output, CompletionTokensDetails: &goopenai.CompletionTokensDetails{ReasoningTokens: u.OutputDetails.Reasoning},
	})}}
	message := false
	var thoughts []string
	for _, item := range r.Output {
		own := item.Type == "message" && (item.Role == "" || item.Role == "assistant")
		message = message || own && len(item.Content) > 0
		for _, part := range item.Content {
			switch {
			case own:
				f.Text, f.refusal = f.Text+part.Text, f.refusal+part.Refusal
				f.addTokens(&goopenai.LogProbs{Content: part.LogProbs})
			case item.Type == "reasoning":
				thoughts = append(thoughts, part.Text)
			}
		}
		for _, part := range item.Summary {
			thoughts = append(thoughts, part.Text)
		}
	}
	f.Reasoning = strings.Join(thoughts, "\n\n")
	switch {
	case r.Status == "completed":
		f.Finish = "stop"
	case r.Status == "incomplete" && r.Incomplete.Reason == "max_output_tokens":
		f.Finish = string(goopenai.FinishReasonLength)
	case r.Status == "incomplete":
		f.Finish = r.Incomplete.Reason
	case r.Status == "failed" || r.Status == "cancelled":
		f.Finish = r.Status
	case r.Status != "" && !f.failed:
		return f, &garbage{fmt.Sprintf("reply without an answer: its status is %q", text.Outside(r.Status).Shorten(40))}
	}
	f.said = f.holdsAnswer(message)
	return f, nil
}
