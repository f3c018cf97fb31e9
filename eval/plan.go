package eval

import (
	"errors"
	"math/rand/v2"
	"time"
)

// Plan is what a Runner needs to bring one run further. Without a Model it
// asks no question and only has its judges read what is stored; without
// Judges nothing is judged. Judges are asked, in their order, about every
// prediction that the Reader cannot read; the first one decides, where the
// rules cannot, whether a pass ends its question.
type Plan struct {
	Run         Run
	Model       Model
	Judges      []Judge
	Judgments   JudgmentRecorder // needed with Judges
	Judged      []JudgeProgress  // what is stored already
	FailedOnly  bool             // ask again what failed, and nothing else
	Price       Price            // of Model
	JudgePrices map[string]Price // by the judge's name
	Budget      float64          // pause when all that the run cost reaches it; 0: never
	Reader      Reader
	Source      Source
	Recorder    Recorder
	Pictures    func(PictureHash) ([]byte, error) // handed to the model; may be nil
	Total       int                               // questions of the dataset
	Concurrency int                               // questions worked on at once; 0 is 1
	Counts      Counts                            // what is stored already, as Reader reads it
	Retry       Retry
	Grace       time.Duration    // for calls in flight after a cancel; 0 is DefaultGrace
	Now         func() time.Time // nil is time.Now
}

// DefaultGrace is how long calls in flight may take to finish once a run is
// cancelled.
const DefaultGrace = 5 * time.Second

// Retry says how often and when a call that failed transiently is tried
// again. The zero value tries each call once.
type Retry struct {
	Max  int            // further calls after the first
	Base time.Duration  // wait before the first retry; doubles with each
	Cap  time.Duration  // longest wait; 0 is no limit
	Rand func() float64 // in [0, 1), for jitter; nil is math/rand
}

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

// check fills in what was left out and names what must not be.
func (p *Plan) check() error {
	switch {
	case p.Run.ID == 0:
		return errors.New("plan run: no run")
	case p.Run.Config.Strategy == StrategyUnset:
		return errors.New("plan run: no strategy")
	case p.Model == nil || p.Reader == nil || p.Source == nil || p.Recorder == nil:
		return errors.New("plan run: model, reader, source and recorder are all needed")
	}
	p.Concurrency = max(p.Concurrency, 1)
	if p.Grace <= 0 {
		p.Grace = DefaultGrace
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	return nil
}
