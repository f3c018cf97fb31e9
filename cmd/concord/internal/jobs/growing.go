package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"concord/annotate"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// GrowingQueues is the queues that grow while runs go on. What any run records goes
// through all of their growers; each takes what its rule draws.
//
//	run --Record--> growth --> grower --> grower --> store
//	                             |          +--Enrol--> its queue
//	                             +--Enrol--> its queue
//
// A queue that is made while runs go on is adopted: they wait for as long as it takes up what was recorded before.
type GrowingQueues struct {
	st   *store.Store
	told func(error)

	chain    sync.RWMutex // held by whoever records; and to make the chain longer
	recorder eval.Recorder

	mu    sync.Mutex
	grown []*growingQueue
}

// growingQueue is one queue; it is settled once every run that feeds it is whole.
type growingQueue struct {
	queue   annotate.Queue
	grower  *sample.Grower
	caught  bool // it has what was recorded before
	settled bool
}

var _ eval.Recorder = (*GrowingQueues)(nil)

// Record records a fact, and has the queues take it that draw it.
func (g *GrowingQueues) Record(ctx context.Context, f eval.Fact) error {
	g.chain.RLock()
	defer g.chain.RUnlock()
	return g.recorder.Record(ctx, f)
}

// NewGrowingQueues starts the growers of all growing queues, each caught up with what
// a crash may have left out. told hears of enrolments that did not succeed.
func NewGrowingQueues(ctx context.Context, st *store.Store, told func(error)) (*GrowingQueues, error) {
	g := &GrowingQueues{st: st, told: told, recorder: st.Runs()}
	if err := g.startNewGrowers(ctx); err != nil {
		return nil, errors.Join(err, g.closeGrowers())
	}
	return g, nil
}

// startNewGrowers starts the growers of growing queues that have none yet.
func (g *GrowingQueues) startNewGrowers(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.startAllGrowers(ctx)
}

func (g *GrowingQueues) startAllGrowers(ctx context.Context) error {
	queues, err := g.st.Queues().List()
	if err != nil {
		return err
	}
	for _, q := range queues {
		i := slices.IndexFunc(g.grown, func(o *growingQueue) bool { return o.queue.Name == q.Name })
		if !q.Growing || i >= 0 && g.grown[i].caught {
			continue
		}
		err = errors.Join(err, g.growQueue(ctx, q, i))
	}
	return err
}

// growQueue has a queue take up what was recorded, and from then on what will be. The one at i could not do so before.
func (g *GrowingQueues) growQueue(ctx context.Context, q annotate.Queue, i int) error {
	g.chain.Lock()
	defer g.chain.Unlock()
	if i < 0 {
		grower, err := sample.NewGrower(q, g.recorder, g.st.Queues(), g.told)
		if err != nil {
			return err
		}
		i = len(g.grown)
		g.grown = append(g.grown, &growingQueue{queue: q, grower: grower})
		g.recorder = grower
	}
	err := g.grown[i].grower.RecountAndEnroll(ctx, g.recordedFacts(ctx, q))
	g.grown[i].caught = err == nil
	return err
}

// recordedFacts are what the runs of a queue have recorded, as its rules read it.
func (g *GrowingQueues) recordedFacts(ctx context.Context, q annotate.Queue) iter.Seq2[eval.Fact, error] {
	return func(yield func(eval.Fact, error) bool) {
		for _, id := range q.Rule.Runs {
			run, err := g.st.Runs().Run(id)
			var reader eval.Reader
			if err == nil {
				reader, err = facts.FindRulesOfRun(run)
			}
			if err != nil {
				yield(eval.Fact{}, err)
				return
			}
			for one, err := range g.st.Runs().Readings(ctx, run, reader) {
				if err != nil {
					yield(eval.Fact{}, err)
					return
				}
				for _, p := range one.Predictions {
					f := eval.Fact{Prediction: p, Reading: eval.ReadPrediction(reader, &one.Sample, &p), Reader: eval.ReaderID(reader)}
					if !yield(f, nil) {
						return
					}
				}
			}
		}
	}
}

// finishWholeQueues ends the growth of the queues whose runs are all whole, those made just now, too.
func (g *GrowingQueues) finishWholeQueues() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.startAllGrowers(context.Background())
	for _, one := range g.grown {
		if one.settled || !one.caught {
			continue
		}
		whole, err := g.areRunsFinished(one.queue.Rule.Runs)
		if err != nil || !whole {
			all = errors.Join(all, err)
			continue
		}
		one.settled = true
		if err := one.grower.Close(); err != nil {
			all = errors.Join(all, fmt.Errorf("add to queue %s: %w", one.queue.Name, err))
			continue
		}
		all = errors.Join(all, g.st.Queues().FinishGrowing(context.Background(), one.queue.Name))
	}
	return all
}

func (g *GrowingQueues) areRunsFinished(ids []eval.RunID) (bool, error) {
	for _, id := range ids {
		run, err := g.st.Runs().Run(id)
		if err != nil {
			return false, err
		}
		if why, err := facts.WhyUnfinished(g.st, run); err != nil || why != "" {
			return false, err
		}
	}
	return true, nil
}

// Close enrols what waits, settles what has come to its end, and ends the growers. No run may record any more.
func (g *GrowingQueues) Close() error { return errors.Join(g.finishWholeQueues(), g.closeGrowers()) }

// closeGrowers enrols what waits, and ends the growers.
func (g *GrowingQueues) closeGrowers() (err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, one := range slices.Backward(g.grown) {
		if !one.settled {
			one.settled = true
			err = errors.Join(err, one.grower.Close())
		}
	}
	return err
}
