package openaitest

import (
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"concord/eval/openai/chatserver"
)

type (
	// Request is a call as the answer function sees it.
	Request = chatserver.Request
	// Response is what a model answers.
	Response = chatserver.Response
	// Turn is a message that is not the system's.
	Turn = chatserver.Turn
	// Picture is a picture's data URL.
	Picture = chatserver.Picture
	// Juror votes on pairs of answers.
	Juror = chatserver.Juror
	// Fault is a way to misbehave. The zero value is none.
	Fault = chatserver.Fault
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

// Server answers calls, counts them, and does faults to them.
type Server struct {
	*chatserver.Server

	o       Options
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
	if o.RetryAfter <= 0 {
		o.RetryAfter = time.Second
	}
	if o.Drip <= 0 {
		o.Drip = time.Second / 10
	}
	s := &Server{o: o, calls: make(map[Ask]int), rand: rand.New(rand.NewPCG(o.Seed, 1))}
	s.Server = chatserver.New(chatserver.Options{Answer: o.Answer, Models: o.Models, Key: o.Key, Wait: s.beginCall, Ended: s.endCall, Refuse: s.countRefused, Serve: s.sendAnswerOrFault})
	return s
}

func (s *Server) countRefused() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused++
}

// sendAnswerOrFault sends the answer, or what a fault makes of it.
func (s *Server) sendAnswerOrFault(c *chatserver.Call) bool {
	f := c.Response.Fault
	if f == None && s.o.Faults != nil {
		f = s.o.Faults(c.Request)
	}
	(&call{c, s}).sendAnswerOrFault(f)
	return true
}

// Ask names what is counted: the same question of the same model.
type Ask struct {
	Model, Prompt string
	Pictures      uint64 // a hash of them; 0 without any
}

var seed = maphash.MakeSeed()

func askKey(r *Request) Ask {
	a := Ask{Model: r.Model, Prompt: r.Prompt()}
	for _, p := range r.Pictures {
		a.Pictures = a.Pictures*31 + maphash.String(seed, string(p))
	}
	return a
}

// beginCall counts a call and says how long it takes.
func (s *Server) beginCall(r *Request) time.Duration {
	a := askKey(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	r.Asked = s.calls[a]
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
