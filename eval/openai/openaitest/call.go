package openaitest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"concord/eval/openai/chatserver"
)

// call is an answer on its way out.
type call struct {
	*chatserver.Call

	s *Server
}

var refusals = map[Fault]struct {
	status        int
	message, code string
}{
	Busy:        {http.StatusTooManyRequests, "too many requests", "rate_limit_exceeded"},
	BusyAfter:   {http.StatusTooManyRequests, "too many requests", "rate_limit_exceeded"},
	AfterAges:   {http.StatusTooManyRequests, "too many requests", "rate_limit_exceeded"},
	Quota:       {http.StatusTooManyRequests, "you exceeded your current quota", "insufficient_quota"},
	Crash:       {http.StatusInternalServerError, "the server had an error", "server_error"},
	Unavailable: {http.StatusServiceUnavailable, "overloaded", "overloaded"},
	Reject:      {http.StatusBadRequest, "this image is not supported", "invalid_image"},
	Filtered:    {http.StatusBadRequest, "the prompt was filtered", "content_filter"},
	NoLogProbs:  {http.StatusForbidden, "You are not allowed to request logprobs from this model.", "invalid_request_error"},
}

// garbled are the bodies of the faults that send another one with status 200.
var garbled = map[Fault]string{
	Malformed:   `{"choices": [{"message": }]`,
	Choiceless:  `{"id":"x","object":"chat.completion","choices":[]}`,
	PageAsJSON:  "<!DOCTYPE html><html><title>Sign in</title><p>B</html>",
	Empty:       "",
	Null:        `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null}}]}`,
	ErrorInside: `{"error":{"message":"upstream failed","type":"upstream_error"}}`,
	CodeInside:  `{"error":{"message":"provider returned an error","code":400}}`,
	ErrorBeside: `{"choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}],"error":{"message":"the model died"}}`,
}

// sendAnswerOrFault sends the answer, or what the fault makes of it.
func (c *call) sendAnswerOrFault(f Fault) {
	h := c.W.Header()
	if r, ok := refusals[f]; ok {
		switch f {
		case BusyAfter:
			h.Set("Retry-After", strconv.Itoa(int((c.s.o.RetryAfter+time.Second-1)/time.Second)))
		case AfterAges:
			h.Set("Retry-After", "1000000000000")
		default:
		}
		chatserver.WriteErrorResponse(c.W, r.status, r.message, r.code)
		return
	}
	if body, ok := garbled[f]; ok {
		chatserver.WriteResponse(c.W, http.StatusOK, []byte(body))
		return
	}
	switch f {
	case Withheld:
		c.Response.Text, c.Response.Finish = "", "content_filter"
	case Refusal:
		c.Response.Text, c.Response.Refusal = "", "I'm sorry, I can't help with that."
	case Length:
		c.Response.Finish = "length"
	default:
	}
	switch f {
	case Broken:
		whole := c.WholeBody(true)
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(whole)))
		_, _ = c.W.Write(whole[:len(whole)/2])
		_ = http.NewResponseController(c.W).Flush()
		panic(http.ErrAbortHandler) // how net/http breaks a connection
	case Cut, ShortLength:
		whole := c.WholeBody(true)
		chatserver.WriteResponse(c.W, http.StatusOK, whole[:len(whole)/2])
	case Hang:
		<-c.Done
	case NoContent:
		c.W.WriteHeader(http.StatusNoContent)
	case Gzip:
		h.Set("Content-Encoding", "gzip")
		chatserver.WriteResponse(c.W, http.StatusOK, append([]byte("\x1f\x8b\x08\x00"), c.WholeBody(true)...))
	case WebPage:
		h.Set("Content-Type", "text/html")
		_, _ = c.W.Write([]byte("<html><title>Welcome</title></html>"))
	case Drip:
		c.sendInPieces(c.WholeBody(true))
	case Endless:
		c.sendEndless()
	default:
		c.SendWholeBody(f != Unmetered)
	}
}

func (c *call) sendInPieces(whole []byte) {
	c.W.Header().Set("Content-Type", "application/json")
	for i := range whole {
		if _, err := c.W.Write(whole[i : i+1]); err != nil {
			return
		}
		_ = http.NewResponseController(c.W).Flush()
		select {
		case <-c.Done:
			return
		case <-time.After(c.s.o.Drip):
		}
	}
}

func (c *call) sendEndless() {
	c.W.Header().Set("Content-Type", "application/json")
	block := []byte(strings.Repeat(" ", 64<<10))
	block[0] = '['
	for {
		if _, err := c.W.Write(block); err != nil {
			return
		}
	}
}

// The faults.
const (
	None        Fault = iota
	Busy              // 429 without Retry-After
	BusyAfter         // 429 with Retry-After
	Quota             // 429: no credit left
	Crash             // 500
	Unavailable       // 503
	Reject            // 400
	Filtered          // 400 of a content filter
	Withheld          // 200 with finish reason content_filter
	Broken            // the connection breaks in the middle of the body
	Drip              // a byte now and then
	Hang              // no answer at all
	Cut               // well framed, half of the JSON
	Malformed         // well framed, no JSON
	Choiceless        // no choices
	Endless           // a body without an end
	WebPage           // 200 with text/html
	PageAsJSON        // 200 with a web page that calls itself JSON
	Empty             // 200 without a body
	NoContent         // 204
	Gzip              // says gzip and is none
	ShortLength       // a Content-Length that is too small
	Null              // null content without a finish reason
	ErrorInside       // 200 with an error object, without a number
	CodeInside        // 200 with an error object and a number
	ErrorBeside       // 200 with an error object beside an empty answer
	AfterAges         // 429 with a Retry-After of 10^12 seconds
	Refusal           // the model's refusal, in its own field
	Length            // finish reason length
	Unmetered         // no usage
	faults
	NoLogProbs // 403: the model gives no log probabilities, which is no fault of an endpoint
)

// AllFaults are the faults, but for None.
func AllFaults() []Fault {
	all := make([]Fault, 0, faults)
	for f := None + 1; f < faults; f++ {
		all = append(all, f)
	}
	return all
}

// FaultAtRate does one of the faults to a share of the calls. Which ones follows from the seed, what is
// asked and how often it was asked before: not from the order in which calls arrive.
func FaultAtRate(seed uint64, share float64, of ...Fault) func(*Request) Fault {
	return func(r *Request) Fault {
		h := fnv.New64a()
		_, _ = h.Write([]byte(r.Model + "\x00" + r.Prompt()))
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(r.Asked))
		_, _ = h.Write(n[:])
		g := rand.New(rand.NewPCG(seed, h.Sum64()))
		if len(of) == 0 || g.Float64() >= share {
			return None
		}
		return of[g.IntN(len(of))]
	}
}
