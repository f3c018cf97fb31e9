package eval

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Plan is what a Runner needs to bring one run further. Without a Model it
// asks no question and only has its judges read what is stored; without
// Judges nothing is judged. Judges are asked, in their order, about every
// prediction that the Reader cannot read, before the next pass. The first
// judge of the run's configuration (Config.Decider) decides, where the rules
// cannot, whether a pass ends its question, whether or not it is asked now.
type Plan struct {
	Run         Run
	Model       Model
	Judges      []Judge
	Judgments   JudgmentRecorder // needed with Judges
	Judged      []JudgeProgress  // what is stored already
	FailedOnly  bool             // ask again what failed, and nothing else
	Price       Price            // of Model
	JudgePrices map[string]Price // by the judge's name
	Budget      float64          // the run pauses when Progress.Cost reaches it; 0: never
	Reader      Reader
	Source      Source
	Recorder    Recorder
	Pictures    func(PictureHash) ([]byte, error) // handed to the model; may be nil
	Total       int                               // questions of the dataset
	Concurrency int                               // questions worked on at once; 0 is 1
	Counts      Counts                            // what is stored already, as Reader reads it
	Retry       Retry
	Hold        Hold
	Grace       time.Duration    // for calls in flight after a cancel; 0 is DefaultGrace
	Now         func() time.Time // nil is time.Now
}

// DefaultGrace is how long calls in flight may take to finish once a run is
// cancelled.
const DefaultGrace = 5 * time.Second

// Retry says how often and when a call that failed transiently is tried
// again. The zero value tries each call once.
type Retry struct {
	Max      int            // further calls after the first
	Base     time.Duration  // wait before the first retry; doubles with each
	Cap      time.Duration  // longest wait; 0 is no limit
	Patience time.Duration  // longest wait that an endpoint may ask for; 0 is DefaultPatience
	Rand     func() float64 // in [0, 1), for jitter; nil is math/rand
}

// DefaultPatience is for how long an endpoint may ask not to be called again.
// A call that it wants to hear of later still counts as failed.
const DefaultPatience = 10 * time.Minute

// Hold says when an endpoint counts as silent, and how often it is tried
// again. While it is silent no other call is made to it.
type Hold struct {
	After int           // transient failures in a row; 0: see below
	Base  time.Duration // wait before it is tried again, doubling with each try; 0 is DefaultHold
	Cap   time.Duration // longest wait; 0 is DefaultHoldCap

	first int // After, of an endpoint that has not answered yet
}

// What After is when it is not set. A burst of failures takes down all calls
// that are under way, and their first retries, without being an outage; before
// its first answer an endpoint gets one call at a time, and few are enough.
const (
	holdRounds = 2 // of as many calls as there are at once
	holdLeast  = 8
	holdFirst  = 4
)

// How long the tries of a silent endpoint are apart.
const (
	DefaultHold    = 30 * time.Second
	DefaultHoldCap = 10 * time.Minute
)

// Wait is how long to wait before retry n (from 0): between half and the
// whole of Base doubled n times, at most Cap. Half is jitter, so that calls
// that failed together do not come back together.
func (y Retry) Wait(n int) time.Duration {
	d := y.Base
	for ; n > 0 && d < 1<<40 && (y.Cap == 0 || d < y.Cap); n-- {
		d *= 2
	}
	if y.Cap > 0 {
		d = min(d, y.Cap)
	}
	random := y.Rand
	if random == nil {
		random = rand.Float64
	}
	return d/2 + time.Duration(random()*float64(d/2))
}

// next is how long to wait after attempt n failed so; false when it was the
// last one.
func (y Retry) next(n int, f *Failure) (time.Duration, bool) {
	patience := y.Patience
	if patience <= 0 {
		patience = DefaultPatience
	}
	if n >= y.Max || f.After > patience {
		return 0, false
	}
	return max(y.Wait(n), f.After), true
}

// check fills in what was left out and names what must not be.
func (p *Plan) check() error {
	switch {
	case p.Run.ID == 0:
		return errors.New("plan run: no run")
	case p.Run.Config.Strategy == StrategyUnset:
		return errors.New("plan run: no strategy")
	case p.Reader == nil || p.Source == nil:
		return errors.New("plan run: reader and source are both needed")
	case p.Model == nil && len(p.Judges) == 0:
		return errors.New("plan run: neither a model nor a judge")
	case p.Model != nil && p.Recorder == nil:
		return errors.New("plan run: a model needs a recorder")
	case len(p.Judges) > 0 && p.Judgments == nil:
		return errors.New("plan run: judges need a recorder of judgments")
	}
	names := make(map[string]bool)
	for _, j := range p.Judges {
		if name := j.Name(); name == "" || names[name] {
			return fmt.Errorf("plan run: two judges of the name %q, or none", name)
		}
		names[j.Name()] = true
	}
	p.Concurrency = max(p.Concurrency, 1)
	p.Hold.fill(p.Concurrency)
	if p.Grace <= 0 {
		p.Grace = DefaultGrace
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	return nil
}

func (h *Hold) fill(concurrency int) {
	h.first = h.After
	if h.After <= 0 {
		h.After, h.first = max(holdLeast, holdRounds*concurrency), holdFirst
	}
	if h.Base <= 0 {
		h.Base = DefaultHold
	}
	if h.Cap <= 0 {
		h.Cap = DefaultHoldCap
	}
	h.Cap = max(h.Cap, h.Base)
}
