package openaitest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// call is an answer on its way out.
type call struct {
	s    *Server
	w    http.ResponseWriter
	r    *Request
	p    *Response
	done <-chan struct{} // who asked is gone
}

// refusals are the faults that refuse a call.
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

// serve sends the answer, or what the fault makes of it.
func (c *call) serve(f Fault) {
	h := c.w.Header()
	if r, ok := refusals[f]; ok {
		switch f {
		case BusyAfter:
			h.Set("Retry-After", strconv.Itoa(int((c.s.o.RetryAfter+time.Second-1)/time.Second)))
		case AfterAges:
			h.Set("Retry-After", "1000000000000")
		default:
		}
		writeError(c.w, r.status, r.message, r.code)
		return
	}
	if body, ok := garbled[f]; ok {
		writeResponse(c.w, http.StatusOK, []byte(body))
		return
	}
	switch f {
	case Withheld:
		c.p.Text, c.p.Finish = "", "content_filter"
	case Refusal:
		c.p.Text, c.p.Refusal = "", "I'm sorry, I can't help with that."
	case Length:
		c.p.Finish = "length"
	default:
	}
	whole := encodeJSON(c.p.buildBody(c.r, f != Unmetered))
	half := whole[:len(whole)/2]
	switch f {
	case Broken:
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(whole)))
		_, _ = c.w.Write(half)
		_ = http.NewResponseController(c.w).Flush()
		panic(http.ErrAbortHandler) // how net/http breaks a connection
	case Cut, ShortLength:
		writeResponse(c.w, http.StatusOK, half)
	case Hang:
		<-c.done
	case NoContent:
		c.w.WriteHeader(http.StatusNoContent)
	case Gzip:
		h.Set("Content-Encoding", "gzip")
		writeResponse(c.w, http.StatusOK, append([]byte("\x1f\x8b\x08\x00"), whole...))
	case WebPage:
		h.Set("Content-Type", "text/html")
		_, _ = c.w.Write([]byte("<html><title>Welcome</title></html>"))
	case Drip:
		c.sendInPieces(whole)
	case Endless:
		c.sendEndless()
	default:
		c.sendWhole(f, whole)
	}
}

// sendWhole sends a whole answer, in pieces where that was asked for.
func (c *call) sendWhole(f Fault, whole []byte) {
	if !c.r.Stream {
		writeResponse(c.w, http.StatusOK, whole)
		return
	}
	c.w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range c.p.buildEvents(c.r, f != Unmetered) {
		if _, err := c.w.Write(e); err != nil {
			return
		}
		_ = http.NewResponseController(c.w).Flush() // a recorder cannot
	}
}

func (c *call) sendInPieces(whole []byte) {
	c.w.Header().Set("Content-Type", "application/json")
	for i := range whole {
		if _, err := c.w.Write(whole[i : i+1]); err != nil {
			return
		}
		_ = http.NewResponseController(c.w).Flush()
		select {
		case <-c.done:
			return
		case <-time.After(c.s.o.Drip):
		}
	}
}

func (c *call) sendEndless() {
	c.w.Header().Set("Content-Type", "application/json")
	block := []byte(strings.Repeat(" ", 64<<10))
	block[0] = '['
	for {
		if _, err := c.w.Write(block); err != nil {
			return
		}
	}
}

// Fault is a way to misbehave. The zero value is none.
type Fault uint8

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

// FaultAtRate does one of the faults to a share of the calls. Which ones follows
// from the seed, what is asked and how often it was asked before: not from
// the order in which calls arrive.
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
