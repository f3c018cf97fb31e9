package view

import (
	"context"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/review"
	"concord/store"
)

// SecondLook reads what asks for a second look, and stores what is decided of it.
// It is for who keeps the project: what one person may see of it, Review says.
type SecondLook struct {
	Store *store.Store
	Pool  *assign.Pool // nil: nobody else is at work
	Sync  func(context.Context, annotate.QueueName, annotate.Annotator) error
	Now   func() time.Time
}

// Queue lists the entries of one queue.
func (s SecondLook) Queue(ctx context.Context, q *annotate.Queue) ([]review.Entry, error) {
	acts, err := s.acts(ctx, q.Name)
	if err != nil {
		return nil, err
	}
	known := make(map[annotate.ItemKey]annotate.Reading)
	if q.GoldItems > 0 {
		golds, err := s.Store.Queues().GoldItems(q.Name)
		if err != nil {
			return nil, err
		}
		for _, g := range golds {
			known[g.Key] = g.Reading
		}
	}
	return review.List(q, acts, known), nil
}

func (s SecondLook) acts(ctx context.Context, name annotate.QueueName) (map[annotate.Annotator][]annotate.Act, error) {
	acts := make(map[annotate.Annotator][]annotate.Act)
	for a, err := range s.Store.Acts().QueueActs(ctx, name) {
		if err != nil {
			return nil, fmt.Errorf("read acts on queue %s: %w", name, err)
		}
		acts[a.Annotator] = append(acts[a.Annotator], a)
	}
	return acts, nil
}

// Entries lists those of one queue or, without a name, of all queues, with the
// changes that were requested to the criteria of their datasets.
func (s SecondLook) Entries(ctx context.Context, name annotate.QueueName) (out []review.Entry, err error) {
	queues, err := s.Store.Queues().List()
	if name != "" {
		var one annotate.Queue
		one, err = s.Store.Queues().Queue(name)
		queues = []annotate.Queue{one}
	}
	if err != nil {
		return nil, err
	}
	for i := range queues {
		more, err := s.Queue(ctx, &queues[i])
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	datasets, err := s.Store.Datasets().List()
	for _, d := range datasets {
		if name != "" && d.Name != queues[0].Rule.Dataset {
			continue
		}
		for set, err := range s.Store.Criteria().All(ctx, d.Name) {
			if err != nil {
				return nil, fmt.Errorf("read criteria of %s: %w", d.Name, err)
			}
			out = append(out, review.Changes(&set)...)
		}
	}
	return out, err
}

// Do stores what a person decided: their next acts in each queue. A session of
// theirs in the queue ends: two would number their acts alike. An item that is
// excluded already is not excluded again.
func (s SecondLook) Do(ctx context.Context, who annotate.Annotator, acts []annotate.Act) (done []annotate.Act, err error) {
	byQueue := make(map[annotate.QueueName][]annotate.Act)
	var order []annotate.QueueName
	for _, a := range acts {
		if byQueue[a.Queue] == nil {
			order = append(order, a.Queue)
		}
		byQueue[a.Queue] = append(byQueue[a.Queue], a)
	}
	for _, name := range order {
		more, err := s.inQueue(ctx, name, who, byQueue[name])
		if err != nil {
			return done, fmt.Errorf("store what was decided in queue %s: %w", name, err)
		}
		done = append(done, more...)
	}
	return done, nil
}

func (s SecondLook) inQueue(ctx context.Context, name annotate.QueueName, who annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error) {
	q, err := s.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if s.Pool != nil {
		claim, err := s.Pool.Claim(&q, who, Queue{Store: s.Store}.Standing(&q))
		if err != nil {
			return nil, err
		}
		defer claim.Leave()
		if err := s.Sync(ctx, name, who); err != nil {
			return nil, fmt.Errorf("what was done before is not saved: %w", err)
		}
	}
	all, err := s.acts(ctx, name)
	if err != nil {
		return nil, err
	}
	excluded := make(map[annotate.ItemKey]bool)
	for _, x := range annotate.ExclusionsOf(annotate.FoldAll(all)) {
		excluded[x.Item] = true
	}
	n := uint32(len(all[who]))
	var out []annotate.Act
	for _, a := range acts {
		if a.Kind == annotate.Excluded && excluded[a.Item] {
			continue
		}
		excluded[a.Item] = excluded[a.Item] || a.Kind == annotate.Excluded
		n++
		a.Annotator, a.N, a.At = who, n, s.Now()
		out = append(out, a)
	}
	return out, s.Store.Acts().Append(ctx, slices.Clone(out))
}
