package chatserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options say what a server answers, and who is told of calls or serves them otherwise.
type Options struct {
	Answer func(*Request) Response      // nil: "A" to everything
	Models []string                     // for GET /models; when set, others are not found
	Key    string                       // calls without it get 401; "" takes any
	Wait   func(*Request) time.Duration // before the answer to a call that has the key; nil: none
	Ended  func()                       // after such a call; nil: nobody asks
	Refuse func()                       // after a call without the key; nil: nobody asks
	Serve  func(*Call) bool             // sends the answer in its own way, or reports that it does not; nil: never
}

// Server answers POST .../chat/completions and GET .../models.
type Server struct {
	o     Options
	http  *http.Server
	addr  net.Addr
	calls atomic.Int64
}

// Call is an answer on its way out.
type Call struct {
	W        http.ResponseWriter
	Request  *Request
	Response *Response
	Done     <-chan struct{} // who asked is gone
}

// New makes a server; Start or its ServeHTTP put it to work.
func New(o Options) *Server {
	if o.Answer == nil {
		o.Answer = func(*Request) Response { return Response{Text: "A"} }
	}
	return &Server{o: o}
}

// ServeInBackground serves on l until Close.
func (s *Server) ServeInBackground(l net.Listener) {
	s.addr = l.Addr()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }() // ends with Close
}

// ListenOnFreePort starts on a free port of this machine alone.
func (s *Server) ListenOnFreePort(ctx context.Context) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.ServeInBackground(l)
	return nil
}

// URL is the base URL of a started server.
func (s *Server) URL() string { return "http://" + s.addr.String() + "/v1" }

// Close breaks off all calls.
func (s *Server) Close() error {
	if s.http == nil {
		return nil
	}
	return s.http.Close()
}

// ServeHTTP answers a call.
func (s *Server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	key := strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")
	switch {
	case s.o.Key != "" && key != s.o.Key:
		if s.o.Refuse != nil {
			s.o.Refuse()
		}
		WriteErrorResponse(w, http.StatusUnauthorized, "Incorrect API key provided: "+key, "invalid_api_key")
	case q.Method == http.MethodGet && strings.HasSuffix(q.URL.Path, "/models"):
		s.serveModels(w)
	case q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/chat/completions"):
		s.serveChat(w, q, key)
	default:
		WriteErrorResponse(w, http.StatusNotFound, "no such path: "+q.URL.Path, "not_found")
	}
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (s *Server) serveChat(w http.ResponseWriter, q *http.Request, key string) {
	buf := bodies.Get().(*bytes.Buffer)
	buf.Reset()
	if q.ContentLength > 0 {
		buf.Grow(int(min(q.ContentLength, 1<<26)) + bytes.MinRead)
	}
	defer bodies.Put(buf)
	if _, err := buf.ReadFrom(io.LimitReader(q.Body, 1<<28)); err != nil {
		return
	}
	r, err := parseRequest(buf.Bytes())
	switch {
	case err != nil:
		WriteErrorResponse(w, http.StatusBadRequest, err.Error(), "invalid_request_error")
		return
	case len(s.o.Models) > 0 && !slices.Contains(s.o.Models, r.Model):
		WriteErrorResponse(w, http.StatusNotFound, "the model "+r.Model+" does not exist", "model_not_found")
		return
	}
	r.Key = key
	r.Number = int(s.calls.Add(1))
	if s.o.Ended != nil {
		defer s.o.Ended()
	}
	if s.o.Wait != nil && !sleep(q.Context(), s.o.Wait(r)) {
		return
	}
	p := s.o.Answer(r)
	p.fillUsageAndFinish(r)
	c := &Call{W: w, Request: r, Response: &p, Done: q.Context().Done()}
	if s.o.Serve == nil || !s.o.Serve(c) {
		c.SendWholeBody(true)
	}
}

// CountValidCalls is how many calls came with a valid key.
func (s *Server) CountValidCalls() int { return int(s.calls.Load()) }

// WholeBody is the whole answer, with what it cost or without.
func (c *Call) WholeBody(usage bool) []byte { return c.Response.buildBody(c.Request, usage) }

// SendWholeBody sends the whole answer, in pieces where that was asked for.
func (c *Call) SendWholeBody(usage bool) {
	if !c.Request.Stream {
		WriteResponse(c.W, http.StatusOK, c.WholeBody(usage))
		return
	}
	c.W.Header().Set("Content-Type", "text/event-stream")
	for _, e := range c.Response.buildStreamEvents(c.Request, usage) {
		if _, err := c.W.Write(e); err != nil {
			return
		}
		_ = http.NewResponseController(c.W).Flush() // a recorder cannot
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d > 0 {
		waiting, stop := context.WithTimeout(ctx, d)
		defer stop()
		<-waiting.Done()
	}
	return ctx.Err() == nil
}

func (s *Server) serveModels(w http.ResponseWriter) {
	data := []object{}
	for _, m := range s.o.Models {
		data = append(data, object{"id": m, "object": "model", "created": created, "owned_by": "concord"})
	}
	WriteResponse(w, http.StatusOK, encodeJSON(object{"object": "list", "data": data}))
}

// WriteResponse writes an answer of JSON.
func WriteResponse(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // who asked may be gone
}

// WriteErrorResponse writes an error as OpenAI does.
func WriteErrorResponse(w http.ResponseWriter, status int, message, code string) {
	WriteResponse(w, status, encodeJSON(object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": code}}))
}
