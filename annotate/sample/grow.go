package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"time"

	"concord/annotate"
	"concord/eval"
)

// ItemAppender puts items into queues.
type ItemAppender interface {
	// AppendItems appends those of the items that the queue does not hold yet, in
	// their order, giving each its index, and sets the queue's population if
	// it is larger than the stored one. It returns how many it appended.
	AppendItems(ctx context.Context, q annotate.QueueName, items []annotate.QueueItem, population int) (int, error)
}

// Grower enrols the unparsable predictions of a run under way in a queue, by
// the queue's frozen rule. It stands before the run's recorder:
//
//	worker --Record--> recorder (committed) --> waiting --> one goroutine --> Enroller
//
// One grower serves all runs that feed its queue, since it counts their
// population together; for several queues, growers stand before each other.
//
// A fact is recorded before it is considered, and nobody waits for the enrolment. One that fails is
// tried again every few seconds, and whoever made the grower is told. What a crash leaves out, RecountAndEnroll
// finds: whether a prediction is drawn follows from its key alone.
type Grower struct {
	queue    annotate.Queue
	recorder eval.Recorder
	enroller ItemAppender
	told     func(error)

	mu         sync.Mutex
	population int
	waiting    []annotate.QueueItem
	dirty      bool
	err        error

	wake, stop, gone chan struct{}
}

// again is how long a grower waits before it tries an enrolment again that
// failed: a full disk is not emptied within a second.
const again = 5 * time.Second

// NewGrower starts a grower; Close ends it. told is called, from the grower's goroutine, with why an
// enrolment failed and with nil when one succeeds after that; it may be nil. NewGrower refuses a queue
// whose rule does not decide each prediction by itself: only a rate over unparsable predictions does.
func NewGrower(q annotate.Queue, r eval.Recorder, e ItemAppender, told func(error)) (*Grower, error) {
	rule := q.Rule
	switch {
	case !q.Growing || rule.From != annotate.FromUnparsable:
		return nil, fmt.Errorf("grow queue %s: not a growing queue of unparsed predictions", q.Name)
	case rule.Rate <= 0 || rule.Number > 0 || rule.PerLevel > 0 || len(rule.IDs)+rule.Listed > 0:
		return nil, fmt.Errorf("grow queue %s: a queue that grows is drawn by a rate alone", q.Name)
	}
	g := &Grower{
		queue: q, recorder: r, enroller: e, told: eval.Either(told != nil, told, func(error) {}), population: q.Population,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{}),
	}
	go g.runLoop()
	return g, nil
}

var _ eval.Recorder = (*Grower)(nil)

// Record records the fact, and then has it enrolled if the rule draws it.
func (g *Grower) Record(ctx context.Context, f eval.Fact) error {
	if err := g.recorder.Record(ctx, f); err != nil {
		return err
	}
	if g.isInPopulation(&f) {
		g.mu.Lock()
		g.population++
		g.enrollIfDrawn(f.Prediction.Key)
		g.mu.Unlock()
		select {
		case g.wake <- struct{}{}:
		default: // one mark is enough for all that waits
		}
	}
	return nil
}

// isInPopulation reports whether a fact belongs to the queue's population: a prediction of its runs
// from which its rules read no choice. A failed call has nothing to read.
func (g *Grower) isInPopulation(f *eval.Fact) bool {
	return f.Reader == g.queue.Rule.Rules &&
		g.queue.Rule.IncludesPrediction(&f.Prediction, func() eval.Extraction { return f.Reading }, nil)
}

// enrollIfDrawn has a prediction enrolled if the rule draws it.
func (g *Grower) enrollIfDrawn(k eval.Key) {
	g.dirty = true
	if g.queue.Rule.DrawsByRate(annotate.NewItemKey(k)) {
		g.waiting = append(g.waiting, annotate.QueueItem{Key: annotate.NewItemKey(k), Inclusion: min(g.queue.Rule.Rate, 1)})
	}
}

// caught is how many items RecountAndEnroll has enrolled at once.
const caught = 256

// RecountAndEnroll counts the population anew from all recorded facts of the queue's
// dataset, and enrols what is missing. It comes before the first Record.
func (g *Grower) RecountAndEnroll(ctx context.Context, facts iter.Seq2[eval.Fact, error]) error {
	population := 0
	var drawn []annotate.QueueItem
	for f, err := range facts {
		if err != nil {
			return fmt.Errorf("catch up with queue %s: %w", g.queue.Name, err)
		}
		if !g.isInPopulation(&f) {
			continue
		}
		population++
		if k := annotate.NewItemKey(f.Prediction.Key); g.queue.Rule.DrawsByRate(k) {
			drawn = append(drawn, annotate.QueueItem{Key: k, Inclusion: min(g.queue.Rule.Rate, 1)})
		}
	}
	g.mu.Lock()
	g.population = max(g.population, population)
	g.mu.Unlock()
	for len(drawn) > 0 {
		n := min(len(drawn), caught)
		if _, err := g.enroller.AppendItems(ctx, g.queue.Name, drawn[:n], population); err != nil {
			return fmt.Errorf("catch up with queue %s: %w", g.queue.Name, err)
		}
		drawn = drawn[n:]
	}
	return nil
}

// Err is why the last enrolment did not succeed; nil when it did. What it was to enrol is kept.
func (g *Grower) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Close enrols what waits and ends the grower.
func (g *Grower) Close() error {
	select {
	case <-g.stop:
		return errors.New("grower is closed")
	default:
	}
	close(g.stop)
	<-g.gone
	return g.Err()
}

func (g *Grower) runLoop() {
	defer close(g.gone)
	retry := time.NewTimer(again)
	defer retry.Stop()
	for {
		select {
		case <-g.wake:
			g.enrollWaiting()
		case <-retry.C:
			if g.Err() != nil {
				g.enrollWaiting()
			}
		case <-g.stop:
			g.enrollWaiting()
			return
		}
		retry.Reset(again)
	}
}

// enrollWaiting hands over everything that waits, in one call.
func (g *Grower) enrollWaiting() {
	g.mu.Lock()
	items, population, dirty := g.waiting, g.population, g.dirty
	g.waiting, g.dirty = nil, false
	g.mu.Unlock()
	if !dirty {
		return
	}
	_, err := g.enroller.AppendItems(context.Background(), g.queue.Name, items, population)
	if err != nil {
		err = fmt.Errorf("grow queue %s: %w", g.queue.Name, err)
	}
	g.mu.Lock()
	before := g.err
	if g.err = err; err != nil {
		g.waiting, g.dirty = append(items, g.waiting...), true
	}
	g.mu.Unlock()
	if err != nil || before != nil {
		g.told(err)
	}
}

// DrawUncertain draws ByUncertainty, and writes into the rule with which probabilities: those of its
// Drawing, of which Uniform is set. Number and Rate say how many items, or by a rule that is Whole
// samples, of which one is uncertain where any prediction on it is. Items come in the order of their
// ranks, so that any beginning of the queue is a sample by the same probabilities.
func DrawUncertain(rule *annotate.Rule, population iter.Seq2[Candidate, error]) ([]annotate.QueueItem, int, error) {
	if err := checkDrawRule(rule); err != nil {
		return nil, 0, err
	}
	var all []*uncertainUnit
	units, size := make(map[annotate.ItemKey]*uncertainUnit), 0
	for c, err := range selectWantedSamples(rule, population) {
		if err != nil {
			return nil, 0, fmt.Errorf("draw items: %w", err)
		}
		size++
		key := annotate.NewItemKey(c.Key)
		of := rule.DrawnUnit(key)
		u := units[of]
		if u == nil {
			u = &uncertainUnit{key: of}
			units[of], all = u, append(all, u)
		}
		u.items, u.uncertain = append(u.items, key), u.uncertain || c.Uncertain
	}
	setLiftAndRanks(rule, all)
	slices.SortFunc(all, func(a, b *uncertainUnit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), a.key.Compare(b.key))
	})
	d := &rule.Drawing
	n := len(all)
	if rule.Number > 0 || rule.Rate > 0 {
		n = min(n, max(1, rule.Number, int(math.Round(rule.Rate*float64(n)))))
	}
	if d.Limit = annotate.All; n < len(all) {
		d.Limit = all[n].rank
	}
	var out []annotate.QueueItem
	for _, u := range all[:n] {
		slices.SortFunc(u.items, annotate.ItemKey.Compare)
		for _, k := range u.items {
			out = append(out, annotate.QueueItem{Index: len(out), Key: k, Inclusion: d.InclusionProbability(d.Limit, u.uncertain), Uncertain: u.uncertain})
		}
	}
	return out, size, nil
}

// uncertainUnit is what is drawn at once: a prediction, or a sample with all of them.
type uncertainUnit struct {
	key       annotate.ItemKey
	items     []annotate.ItemKey
	uncertain bool
	rank      uint64
}

// setLiftAndRanks finds the lift and the ranks, and counts what each run has.
func setLiftAndRanks(rule *annotate.Rule, all []*uncertainUnit) {
	d, uncertain := &rule.Drawing, 0
	d.Sizes, d.Unsure = make([]int, len(rule.Runs)), make([]int, len(rule.Runs))
	for _, u := range all {
		for _, k := range u.items {
			if at := slices.Index(rule.Runs, k.Run); at >= 0 {
				d.Sizes[at]++
				if u.uncertain {
					d.Unsure[at]++
				}
			}
		}
		if u.uncertain {
			uncertain++
		}
	}
	d.Lift = annotate.LiftOf(d.Uniform, float64(uncertain)/float64(max(1, len(all))))
	for _, u := range all {
		u.rank = rule.DrawRank(u.key, u.uncertain)
	}
}
