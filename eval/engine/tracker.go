package engine

import (
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

// window is how many seconds a rate looks back.
const window = 10

// eventRate counts events per second over the last seconds. since is when
// counting began: a rate over less than the window divides by less.
type eventRate struct {
	since  time.Time
	counts [window]int
	second int64 // the second that the newest count belongs to
}

// turn makes now's second the newest and forgets what fell out of the window.
func (m *eventRate) turn(now time.Time) {
	s := now.Unix()
	for range min(max(s-m.second, 0), window) {
		m.second++
		m.counts[m.second%window] = 0
	}
	m.second = max(m.second, s)
}

func (m *eventRate) add(now time.Time) {
	if m.second == 0 {
		m.second = now.Unix()
	}
	m.turn(now)
	m.counts[m.second%window]++
}

// read gives the events per second up to now.
func (m *eventRate) read(now time.Time) float64 {
	m.turn(now)
	sum := 0
	for _, n := range m.counts {
		sum += n
	}
	span := min(now.Sub(m.since).Seconds(), window-1+float64(now.Nanosecond())/1e9)
	return float64(sum) / max(span, 1)
}

// mean estimates how many calls a question takes, from those that are closed.
type mean struct {
	calls int // predictions stored
	open  int // of them, those of questions that are not closed
	first int // guess until a question is closed: passes of the longest one taken up
}

func (m *mean) begin(stored, total int) {
	m.open += stored
	m.first = max(m.first, total)
}

func (m *mean) add() {
	m.calls++
	m.open++
}

func (m *mean) leave(stored int, closed bool) {
	if closed {
		m.open -= stored
	}
}

// left is the calls expected for open questions when closed ones are done.
func (m *mean) left(open, closed int) int {
	if open <= 0 {
		return 0
	}
	per := float64(max(m.first, 1))
	if done := m.calls - m.open; closed > 0 && done > 0 {
		per = float64(done) / float64(closed)
	}
	return max(int(math.Round(per*float64(open)))-m.open, 0)
}

// purse knows what work has cost: by the usage of all that is stored, and of
// the calls of this session that left no fact.
type purse struct {
	model  eval.Price // of the model, or of whom single calls ask
	judges map[string]eval.Price
	asks   bool                  // a model is asked
	needed map[string]bool       // judges that are asked
	lost   map[string]eval.Usage // of attempts that left no fact, by judge; "" is the model
}

func newPurse(model eval.Price, asks bool) purse {
	return purse{model: model, asks: asks, needed: make(map[string]bool), lost: make(map[string]eval.Usage)}
}

// cost is what a run with this progress has cost, and whether all the prices
// are known that it takes.
func (u *purse) cost(p *eval.Progress) (sum float64, priced bool) {
	priced = true
	add := func(price eval.Price, stored eval.Usage, judge string, asked bool) {
		stored.Add(u.lost[judge])
		sum += price.Cost(stored)
		if !price.Known() && (asked || stored != eval.Usage{}) {
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

// spend counts a call that left no fact, of a judge, or by "" of the model.
func (t *tracker) spend(judge string, u eval.Usage) {
	t.update(func(*eval.Progress) {
		sum := t.purse.lost[judge]
		sum.Add(u)
		t.purse.lost[judge] = sum
	})
}

// over reports whether the run has cost its budget, and what that is.
func (t *tracker) over() (budget float64, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	budget = t.progress.Budget
	if budget <= 0 {
		return budget, false
	}
	cost, _ := t.purse.cost(&t.progress)
	return budget, cost >= budget
}

func (t *tracker) budget(b float64) { t.update(func(p *eval.Progress) { p.Budget = b }) }

// count adds a committed fact; replaced tells that it took a failure's place.
func (t *tracker) count(f *eval.Fact, replaced bool) {
	t.update(func(p *eval.Progress) {
		p.Counts.Take(f, replaced)
		if !replaced {
			t.mean.add()
		}
		t.rate.add(t.now())
	})
}

// judged adds a committed judgment, in the place of its judge's last one.
func (t *tracker) judged(j, last *eval.Judgment, closes bool) {
	t.update(func(p *eval.Progress) {
		judge := t.judgeProgress(j.Judge)
		judge.Counts.Take(j, last)
		if !j.Final() {
			judge.Lost++
		}
		if closes {
			p.Counts.Questions++
		}
		t.rate.add(t.now())
	})
}
