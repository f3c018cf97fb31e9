package engine

import (
	"slices"
	"sync"
	"time"

	"concord/eval"
)

// tracker keeps the progress of a runner. Marking never blocks: the mark has
// one slot, and whoever reads late sees the newest state.
type tracker struct {
	dirty chan struct{}
	now   func() time.Time
	left  func(*tracker, *eval.Progress) int // calls expected

	mu       sync.Mutex
	progress eval.Progress
	paused   bool
	why      string // why it paused by itself
	holds    []hold
	rate     eventRate
	mean     mean
	purse    purse
}

// hold is a line that is silent.
type hold struct {
	line  *line
	why   string
	until time.Time
}

func newTracker(y *Terms, p eval.Progress, u purse) *tracker {
	p.State, p.Budget = eval.Waiting, y.Budget
	return &tracker{dirty: make(chan struct{}, 1), now: y.Now, progress: p, purse: u}
}

// judgeProgress is a judge's entry in the progress.
func (t *tracker) judgeProgress(name string) *eval.JudgeProgress {
	all := &t.progress.Judges
	i := slices.IndexFunc(*all, func(j eval.JudgeProgress) bool { return j.Judge == name })
	if i < 0 {
		i = len(*all)
		*all = append(*all, eval.JudgeProgress{Judge: name})
	}
	return &(*all)[i]
}

// update changes the progress and marks it.
func (t *tracker) update(change func(*eval.Progress)) {
	t.mu.Lock()
	change(&t.progress)
	t.mu.Unlock()
	select {
	case t.dirty <- struct{}{}:
	default:
	}
}

func (t *tracker) snapshot() eval.Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.progress
	p.Judges = slices.Clone(p.Judges)
	p.CallsLeft = t.left(t, &p)
	p.Cost, p.Priced = t.purse.cost(&p)
	if p.State == eval.Running {
		p.Rate = t.rate.read(t.now())
	}
	return p
}

func (t *tracker) start() {
	t.update(func(p *eval.Progress) {
		p.Started = t.now()
		t.rate.since = p.Started
		t.settle(p)
	})
}

func (t *tracker) end(s eval.State, err error) {
	t.update(func(p *eval.Progress) {
		p.State, p.Err, p.Ended = s, err, t.now()
		p.Why, p.Until = "", time.Time{}
	})
}

// settle finds the state of a run that has not ended: a pause comes before a
// silent endpoint, and of several of those the one that is tried last counts.
func (t *tracker) settle(p *eval.Progress) {
	before := p.State
	if before.Final() {
		return
	}
	p.Why, p.Until = "", time.Time{}
	switch {
	case t.paused:
		p.State, p.Why = eval.Paused, t.why
	case p.Started.IsZero():
		p.State = eval.Waiting
	case len(t.holds) > 0:
		last := slices.MaxFunc(t.holds, func(a, b hold) int { return a.until.Compare(b.until) })
		p.State, p.Why, p.Until = eval.Holding, last.why, last.until
	default:
		p.State = eval.Running
		if before == eval.Paused || before == eval.Holding {
			t.rate = eventRate{since: t.now()}
		}
	}
}

// pause notes that the run is paused, by itself for a reason, or goes on.
func (t *tracker) pause(on bool, why string) {
	t.update(func(p *eval.Progress) {
		t.paused, t.why = on, why
		t.settle(p)
	})
}

// hold notes that a line is silent, and until when nobody calls it.
func (t *tracker) hold(l *line, why string, until time.Time) {
	t.update(func(p *eval.Progress) {
		t.drop(l)
		t.holds = append(t.holds, hold{l, why, until})
		t.settle(p)
	})
}

// release notes that a silent line has answered.
func (t *tracker) release(l *line) {
	t.update(func(p *eval.Progress) { t.drop(l); t.settle(p) })
}

func (t *tracker) drop(l *line) {
	t.holds = slices.DeleteFunc(t.holds, func(h hold) bool { return h.line == l })
}

func (t *tracker) flying(delta int)   { t.update(func(p *eval.Progress) { p.InFlight += delta }) }
func (t *tracker) retrying(delta int) { t.update(func(p *eval.Progress) { p.Retrying += delta }) }

// failed notes the message of a failure, stored or not.
func (t *tracker) failed(f *eval.Failure) {
	t.update(func(p *eval.Progress) { p.LastFailure = f.Error() })
}

// begin takes up a unit.
func (t *tracker) begin(u unit) {
	stored, total, _ := u.size()
	t.update(func(*eval.Progress) { t.mean.begin(stored, total) })
}

// leave puts down a unit.
func (t *tracker) leave(u unit) {
	stored, _, closed := u.size()
	t.update(func(*eval.Progress) { t.mean.leave(stored, closed) })
}
