package openaitest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say what a server answers and how it misbehaves.
type Options struct {
	Answer     func(*Request) Response // nil: "A" to everything
	Models     []string                // for GET /models; when set, others are not found
	Key        string                  // calls without it get 401; "" takes any
	Latency    time.Duration           // before every answer
	Jitter     time.Duration           // added, up to this
	Seed       uint64                  // of the jitter
	Faults     func(*Request) Fault    // nil: none
	RetryAfter time.Duration           // that BusyAfter names; whole seconds are rounded up; 0 is a second
	Drip       time.Duration           // between bytes of Drip; 0 is a tenth of a second
}

// Server answers POST .../chat/completions and GET .../models.
type Server struct {
	o    Options
	http *http.Server
	addr net.Addr

	mu      sync.Mutex
	rand    *rand.Rand
	calls   map[Ask]int
	total   int
	refused int
	now     int
	peak    int
}

// New makes a server; Start or its ServeHTTP put it to work.
func New(o Options) *Server {
	if o.Answer == nil {
		o.Answer = func(*Request) Response { return Response{Text: "A"} }
	}
	if o.RetryAfter <= 0 {
		o.RetryAfter = time.Second
	}
	if o.Drip <= 0 {
		o.Drip = time.Second / 10
	}
	return &Server{o: o, calls: make(map[Ask]int), rand: rand.New(rand.NewPCG(o.Seed, 1))}
}

// Start serves on l until Close.
func (s *Server) Start(l net.Listener) {
	s.addr = l.Addr()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }() // ends with Close
}

// Listen starts on a free port of this machine alone.
func (s *Server) Listen(ctx context.Context) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.Start(l)
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
		s.mu.Lock()
		s.refused++
		s.mu.Unlock()
		writeError(w, http.StatusUnauthorized, "Incorrect API key provided: "+key, "invalid_api_key")
	case q.Method == http.MethodGet && strings.HasSuffix(q.URL.Path, "/models"):
		s.serveModels(w)
	case q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/chat/completions"):
		s.serveChat(w, q, key)
	default:
		writeError(w, http.StatusNotFound, "no such path: "+q.URL.Path, "not_found")
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
		writeError(w, http.StatusBadRequest, err.Error(), "invalid_request_error")
		return
	case len(s.o.Models) > 0 && !slices.Contains(s.o.Models, r.Model):
		writeError(w, http.StatusNotFound, "the model "+r.Model+" does not exist", "model_not_found")
		return
	}
	r.Key = key
	wait := s.beginCall(r)
	defer s.endCall()
	if !sleep(q.Context(), wait) {
		return
	}
	p := s.o.Answer(r)
	fault := p.Fault
	if fault == None && s.o.Faults != nil {
		fault = s.o.Faults(r)
	}
	p.setDefaults(r)
	c := call{s: s, w: w, r: r, p: &p, done: q.Context().Done()}
	c.serve(fault)
}

// beginCall counts a call and says how long it takes.
func (s *Server) beginCall(r *Request) time.Duration {
	a := r.askKey()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	r.Number, r.Asked = s.total, s.calls[a]
	s.calls[a]++
	s.now++
	s.peak = max(s.peak, s.now)
	wait := s.o.Latency
	if s.o.Jitter > 0 {
		wait += time.Duration(s.rand.Int64N(int64(s.o.Jitter)))
	}
	return wait
}

func (s *Server) endCall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
}

func sleep(ctx context.Context, d time.Duration) bool {
	waiting, stop := context.WithTimeout(ctx, d)
	defer stop()
	<-waiting.Done()
	return ctx.Err() == nil
}

func (s *Server) serveModels(w http.ResponseWriter) {
	data := []object{}
	for _, m := range s.o.Models {
		data = append(data, object{"id": m, "object": "model", "created": 1700000000, "owned_by": "openaitest"})
	}
	writeResponse(w, http.StatusOK, encodeJSON(object{"object": "list", "data": data}))
}

func writeResponse(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // who asked may be gone
}

func writeError(w http.ResponseWriter, status int, message, code string) {
	writeResponse(w, status, encodeJSON(object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": code}}))
}

// CallCounts is how often each question was asked.
func (s *Server) CallCounts() map[Ask]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// CountCalls counts how often a model was asked a prompt, with whatever pictures.
func (s *Server) CountCalls(model, prompt string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for a, k := range s.calls {
		if a.Model == model && a.Prompt == prompt {
			n += k
		}
	}
	return n
}

// TotalCalls is how many calls came with a valid key, and how many without.
func (s *Server) TotalCalls() (total, refused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total, s.refused
}

// Concurrency is how many calls are under way, and were at most.
func (s *Server) Concurrency() (now, peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.peak
}
