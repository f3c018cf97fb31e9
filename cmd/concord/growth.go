package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// growth is the queues that grow while runs go on. What any run records goes
// through all of their growers; each takes what its rule draws.
//
//	run --Record--> grower --> grower --> store
//	                  |          +--Enrol--> its queue
//	                  +--Enrol--> its queue
type growth struct {
	st       *store.Store
	recorder eval.Recorder

	mu    sync.Mutex
	grown []*grown
}

// grown is one queue; it is settled once every run that feeds it is whole.
type grown struct {
	queue   annotate.Queue
	grower  *annotate.Grower
	settled bool
}

// newGrowth starts the growers of all growing queues, each caught up with what
// a crash may have left out. told hears of enrolments that did not succeed.
func newGrowth(ctx context.Context, st *store.Store, told func(error)) (*growth, error) {
	g := &growth{st: st, recorder: st.Runs()}
	queues, err := st.Queues().List()
	if err != nil {
		return nil, err
	}
	for _, q := range queues {
		if !q.Growing {
			continue
		}
		if err := g.add(ctx, q, told); err != nil {
			return nil, errors.Join(err, g.close())
		}
	}
	return g, nil
}

func (g *growth) add(ctx context.Context, q annotate.Queue, told func(error)) error {
	grower, err := annotate.NewGrower(q, g.recorder, g.st.Queues(), told)
	if err != nil {
		return err
	}
	g.grown = append(g.grown, &grown{queue: q, grower: grower})
	g.recorder = grower
	return grower.CatchUp(ctx, g.facts(ctx, q))
}

// facts are what the runs of a queue have recorded, as its rules read it.
func (g *growth) facts(ctx context.Context, q annotate.Queue) iter.Seq2[eval.Fact, error] {
	return func(yield func(eval.Fact, error) bool) {
		for _, id := range q.Rule.Runs {
			run, err := g.st.Runs().Run(id)
			var reader eval.Reader
			if err == nil {
				reader, err = readerOf(run)
			}
			if err != nil {
				yield(eval.Fact{}, err)
				return
			}
			for one, err := range g.st.Runs().Questions(ctx, run) {
				if err != nil {
					yield(eval.Fact{}, err)
					return
				}
				for _, p := range one.Predictions {
					f := eval.Fact{Prediction: p, Reading: eval.Read(reader, &one.Sample, &p), Reader: eval.ReaderID(reader)}
					if !yield(f, nil) {
						return
					}
				}
			}
		}
	}
}

// settle ends the growth of the queues whose runs are all whole.
func (g *growth) settle() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all error
	for _, one := range g.grown {
		if one.settled {
			continue
		}
		whole, err := g.whole(one.queue.Rule.Runs)
		if err != nil || !whole {
			all = errors.Join(all, err)
			continue
		}
		one.settled = true
		if err := one.grower.Close(); err != nil {
			all = errors.Join(all, fmt.Errorf("enrol in queue %s: %w", one.queue.Name, err))
			continue
		}
		all = errors.Join(all, g.st.Queues().Finish(context.Background(), one.queue.Name))
	}
	return all
}

func (g *growth) whole(ids []eval.RunID) (bool, error) {
	for _, id := range ids {
		run, err := g.st.Runs().Run(id)
		if err != nil {
			return false, err
		}
		if why, err := unfinished(g.st, run); err != nil || why != "" {
			return false, err
		}
	}
	return true, nil
}

// close enrols what waits, settles what has come to its end, and ends the
// growers. No run may record any more.
func (g *growth) close() error {
	err := g.settle()
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
