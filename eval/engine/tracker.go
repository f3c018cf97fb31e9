package engine

import (
	"cmp"
	"math"
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
	holds    []silentEndpoint
	rate     eventRate
	mean     callEstimator
	purse    costTracker
}

type silentEndpoint struct {
	line  *endpointMonitor
	why   string
	until time.Time
}

func newTracker(y *Terms, p eval.Progress, u costTracker) *tracker {
	p.State, p.Budget = eval.Waiting, y.Budget
	return &tracker{dirty: make(chan struct{}, 1), now: y.Now, progress: p, purse: u}
}

func (t *tracker) findJudgeProgress(name string) *eval.JudgeProgress {
	return eval.FindOrAdd(&t.progress.Judges, func(j *eval.JudgeProgress) bool { return j.Judge == name }, func() eval.JudgeProgress {
		return eval.JudgeProgress{Judge: name}
	})
}

func (t *tracker) change(by func(*eval.Progress)) {
	t.mu.Lock()
	by(&t.progress)
	t.mu.Unlock()
	select {
	case t.dirty <- struct{}{}:
	default:
	}
}

func (t *tracker) takeSnapshot() eval.Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.progress
	p.Judges = slices.Clone(p.Judges)
	p.CallsLeft = t.left(t, &p)
	p.Cost, p.Priced = t.purse.costSoFar(&p)
	if p.State == eval.Running {
		p.Rate = t.rate.perSecond(t.now())
	}
	return p
}

func (t *tracker) markStarted() {
	t.change(func(p *eval.Progress) {
		p.Started = t.now()
		t.rate.since = p.Started
		t.updateState(p)
	})
}

func (t *tracker) markEnded(s eval.State, err error) {
	t.change(func(p *eval.Progress) {
		p.State, p.Err, p.Ended = s, err, t.now()
		p.Why, p.Until = "", time.Time{}
	})
}

// updateState finds the state of a run that has not ended: a pause comes before a
// silent endpoint, and of several of those the one that is tried last counts.
func (t *tracker) updateState(p *eval.Progress) {
	before := p.State
	if before.IsFinal() {
		return
	}
	p.Why, p.Until = "", time.Time{}
	switch {
	case t.paused:
		p.State, p.Why = eval.Paused, t.why
	case p.Started.IsZero():
		p.State = eval.Waiting
	case len(t.holds) > 0:
		last := slices.MaxFunc(t.holds, func(a, b silentEndpoint) int { return a.until.Compare(b.until) })
		p.State, p.Why, p.Until = eval.Holding, last.why, last.until
	default:
		p.State = eval.Running
		if before == eval.Paused || before == eval.Holding {
			t.rate = eventRate{since: t.now()}
		}
	}
}

// markPaused notes that the run is paused, by itself for a reason, or goes on.
func (t *tracker) markPaused(on bool, why string) {
	t.change(func(p *eval.Progress) {
		t.paused, t.why = on, why
		t.updateState(p)
	})
}

// markSilent notes that a line is silent, and until when nobody calls it.
func (t *tracker) markSilent(l *endpointMonitor, why string, until time.Time) {
	t.change(func(p *eval.Progress) {
		t.forgetEndpoint(l)
		t.holds = append(t.holds, silentEndpoint{l, why, until})
		t.updateState(p)
	})
}

func (t *tracker) forgetEndpoint(l *endpointMonitor) {
	t.holds = slices.DeleteFunc(t.holds, func(h silentEndpoint) bool { return h.line == l })
}

func (t *tracker) addInFlight(delta int) { t.change(func(p *eval.Progress) { p.InFlight += delta }) }

func (t *tracker) addRetrying(delta int) { t.change(func(p *eval.Progress) { p.Retrying += delta }) }

func (t *tracker) beginUnit(u unit) {
	stored, total, _ := u.countStored()
	t.change(func(*eval.Progress) {
		t.mean.open += stored
		t.mean.first = max(t.mean.first, total)
	})
}

func (t *tracker) settleUnit(u unit) {
	stored, _, closed := u.countStored()
	if closed {
		t.change(func(*eval.Progress) { t.mean.open -= stored })
	}
}

// window is how many seconds a rate looks back.
const window = 10

// eventRate counts events per second over the last seconds. since is when
// counting began: a rate over less than the window divides by less.
type eventRate struct {
	since  time.Time
	counts [window]int
	second int64 // the second that the newest count belongs to
}

// advanceTo makes now's second the newest and forgets what fell out of the window.
func (m *eventRate) advanceTo(now time.Time) {
	s := now.Unix()
	for range min(max(s-m.second, 0), window) {
		m.second++
		m.counts[m.second%window] = 0
	}
	m.second = max(m.second, s)
}

func (m *eventRate) addEvent(now time.Time) {
	m.second = cmp.Or(m.second, now.Unix())
	m.advanceTo(now)
	m.counts[m.second%window]++
}

func (m *eventRate) perSecond(now time.Time) float64 {
	m.advanceTo(now)
	sum := eval.Sum(m.counts[:], func(n int) int { return n })
	span := min(now.Sub(m.since).Seconds(), window-1+float64(now.Nanosecond())/1e9)
	return float64(sum) / max(span, 1)
}

// callEstimator estimates how many calls a question takes, from those that are closed.
type callEstimator struct {
	calls int // predictions stored
	open  int // of them, those of questions that are not closed
	first int // guess until a question is closed: passes of the longest one taken up
}

// estimateCallsLeft estimates the calls expected for open questions when closed ones are done.
func (m *callEstimator) estimateCallsLeft(open, closed int) int {
	if open <= 0 {
		return 0
	}
	per := float64(max(m.first, 1))
	if done := m.calls - m.open; closed > 0 && done > 0 {
		per = float64(done) / float64(closed)
	}
	return max(int(math.Round(per*float64(open)))-m.open, 0)
}

// costTracker knows what work has cost: by the usage of all that is stored, and of
// the calls of this session that left no fact.
type costTracker struct {
	model  eval.Price // of the model, or of whom single calls ask
	judges map[string]eval.Price
	asks   bool                  // a model is asked
	needed map[string]bool       // judges that are asked
	lost   map[string]eval.Usage // of attempts that left no fact, by judge; "" is the model
}

func newCostTracker(model eval.Price, asks bool) costTracker {
	return costTracker{model: model, asks: asks, needed: make(map[string]bool), lost: make(map[string]eval.Usage)}
}

// costSoFar computes what a run of this progress has cost, and whether all prices for that are known.
func (u *costTracker) costSoFar(p *eval.Progress) (sum float64, priced bool) {
	priced = true
	add := func(price eval.Price, stored eval.Usage, judge string, asked bool) {
		stored.Add(u.lost[judge])
		sum += price.Cost(stored)
		if !price.IsKnown() && (asked || stored != eval.Usage{}) {
			priced = false
		}
	}
	asked := p.Counts.Usage
	asked.Add(p.Tally.Usage)
	add(u.model, asked, "", u.asks)
	for i := range p.Judges {
		j := &p.Judges[i]
		add(u.judges[j.Judge], j.Counts.Usage, j.Judge, u.needed[j.Judge])
	}
	return sum, priced
}

// countLostUsage counts a call that left no fact, of a judge, or by "" of the model.
func (t *tracker) countLostUsage(judge string, u eval.Usage) {
	t.change(func(*eval.Progress) {
		sum := t.purse.lost[judge]
		sum.Add(u)
		t.purse.lost[judge] = sum
	})
}

// isOverBudget reports whether the run has cost its budget, and what that is.
func (t *tracker) isOverBudget() (budget float64, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	budget = t.progress.Budget
	if budget <= 0 {
		return budget, false
	}
	cost, _ := t.purse.costSoFar(&t.progress)
	return budget, cost >= budget
}

// addFactToProgress adds a committed fact; replaced tells that it took a failure's place.
func (t *tracker) addFactToProgress(f *eval.Fact, replaced bool) {
	t.change(func(p *eval.Progress) {
		p.Counts.CountFact(f, replaced)
		if !replaced {
			t.mean.calls++
			t.mean.open++
		}
		t.rate.addEvent(t.now())
	})
}

// addJudgmentToProgress adds a committed judgment, in the place of its judge's last one.
func (t *tracker) addJudgmentToProgress(j, last *eval.Judgment, closes bool) {
	t.change(func(p *eval.Progress) {
		judge := t.findJudgeProgress(j.Judge)
		judge.Counts.CountJudgment(j, last)
		if !j.IsFinal() {
			judge.Lost++
		}
		if closes {
			p.Counts.Questions++
		}
		t.rate.addEvent(t.now())
	})
}
