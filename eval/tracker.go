package eval

import (
	"sync"
	"time"
)

// tracker keeps the progress of a runner. Marking never blocks: the mark has
// one slot, and whoever reads late sees the newest state.
type tracker struct {
	dirty chan struct{}
	now   func() time.Time

	mu       sync.Mutex
	progress Progress
	rate     meter
	mean     mean
}

func newTracker(p *Plan) *tracker {
	t := &tracker{dirty: make(chan struct{}, 1), now: p.Now}
	t.progress = Progress{Run: p.Run.ID, State: Waiting, Total: p.Total, Counts: p.Counts}
	t.progress.Counts.Reader = ReaderID(p.Reader)
	t.mean = mean{calls: p.Counts.Predictions}
	return t
}

// update changes the progress and marks it.
func (t *tracker) update(change func(*Progress)) {
	t.mu.Lock()
	change(&t.progress)
	t.mu.Unlock()
	select {
	case t.dirty <- struct{}{}:
	default:
	}
}

func (t *tracker) snapshot() Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.progress
	p.CallsLeft = t.mean.left(p.Total-p.Counts.Questions, p.Counts.Questions)
	if p.State == Running {
		p.Rate = t.rate.read(t.now())
	}
	return p
}

func (t *tracker) start() {
	t.update(func(p *Progress) {
		p.Started = t.now()
		if p.State == Waiting {
			p.State = Running
		}
		t.rate.since = p.Started
	})
}

func (t *tracker) end(s State, err error) {
	t.update(func(p *Progress) { p.State, p.Err, p.Ended = s, err, t.now() })
}

// pause moves between paused and what a run is otherwise; an ended run stays
// as it is.
func (t *tracker) pause(on bool) {
	t.update(func(p *Progress) {
		switch {
		case p.State.Final():
		case on:
			p.State = Paused
		case p.Started.IsZero():
			p.State = Waiting
		case p.State == Paused:
			p.State = Running
			t.rate = meter{since: t.now()}
		}
	})
}

func (t *tracker) flying(delta int)   { t.update(func(p *Progress) { p.InFlight += delta }) }
func (t *tracker) retrying(delta int) { t.update(func(p *Progress) { p.Retrying += delta }) }

// failed notes the message of a failure, stored or not.
func (t *tracker) failed(f *Failure) {
	t.update(func(p *Progress) { p.LastFailure = f.Error() })
}

// begin takes up a question that has some passes stored, of at most total.
func (t *tracker) begin(stored, total int) {
	t.update(func(*Progress) { t.mean.begin(stored, total) })
}

// leave puts down a question with some passes stored.
func (t *tracker) leave(stored int, closed bool) {
	t.update(func(*Progress) { t.mean.leave(stored, closed) })
}

// count adds a committed fact; replaced tells that it took a failure's place.
func (t *tracker) count(f *Fact, replaced bool) {
	t.update(func(p *Progress) {
		c := &p.Counts
		if replaced {
			c.Failures--
		} else {
			c.Predictions++
			t.mean.add()
		}
		if f.Prediction.Failure != nil {
			c.Failures++
		} else {
			c.Statuses[f.Reading.Status]++
		}
		if f.Closes {
			c.Questions++
		}
		t.rate.add(t.now())
	})
}
