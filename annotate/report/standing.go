package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// StatesOf derives what stands of each annotator's acts in a queue.
func StatesOf(ctx context.Context, facts Facts, name annotate.QueueName) (map[annotate.Annotator]annotate.State, error) {
	acts := make(map[annotate.Annotator][]annotate.Act)
	for a, err := range facts.QueueActs(ctx, name) {
		if err != nil {
			return nil, fmt.Errorf("read acts on queue %s: %w", name, err)
		}
		acts[a.Annotator] = append(acts[a.Annotator], a)
	}
	return annotate.FoldAll(acts), nil
}

// Standing is what stands of people's acts in a queue.
type Standing struct {
	States  map[annotate.Annotator]annotate.State
	ByItem  map[annotate.ItemKey][]annotate.Label  // in the order of annotators
	Rulings map[annotate.ItemKey][]annotate.Ruling // in the order of adjudicators

	Excluded map[annotate.ItemKey]bool
}

// StandingOf derives the labels and rulings that stand from the acts of each
// annotator.
func StandingOf(ctx context.Context, facts Facts, name annotate.QueueName) (*Standing, error) {
	states, err := StatesOf(ctx, facts, name)
	if err != nil {
		return nil, err
	}
	out := &Standing{
		States: states,
		ByItem: make(map[annotate.ItemKey][]annotate.Label), Rulings: make(map[annotate.ItemKey][]annotate.Ruling),
		Excluded: make(map[annotate.ItemKey]bool),
	}
	for _, x := range annotate.ExclusionsOf(states) {
		out.Excluded[x.Item] = true
	}
	for _, who := range slices.Sorted(maps.Keys(states)) {
		st := states[who]
		for k, l := range st.Labels {
			out.ByItem[k] = append(out.ByItem[k], l)
		}
		for k, r := range st.Rulings {
			out.Rulings[k] = append(out.Rulings[k], r)
		}
	}
	return out, nil
}

// Ruling is the one that settles an item; nil when nobody has, or adjudicators
// differ.
func (s *Standing) Ruling(k annotate.ItemKey) *annotate.Ruling {
	if r, ok := annotate.RulingOf(s.Rulings[k]); ok {
		return &r
	}
	return nil
}

// OngoingOf is Ongoing of queues by their names, each looked at once; false where
// there is none.
func OngoingOf(ctx context.Context, facts Facts) func(annotate.QueueName) (bool, error) {
	known := make(map[annotate.QueueName]bool)
	return func(name annotate.QueueName) (bool, error) {
		if is, ok := known[name]; ok {
			return is, nil
		}
		q, err := facts.Queue(name)
		if err != nil && !errors.Is(err, eval.ErrNotFound) {
			return false, fmt.Errorf("find queue %s: %w", name, err)
		}
		is := false
		if err == nil {
			if is, err = Ongoing(ctx, facts, &q); err != nil {
				return false, err
			}
		}
		known[name] = is
		return is, nil
	}
}

// Ongoing reports whether labels of a queue are still to come: it grows, or an
// item that was drawn may still get one.
func Ongoing(ctx context.Context, facts Facts, q *annotate.Queue) (bool, error) {
	if q.Growing {
		return true, nil
	}
	states, err := StatesOf(ctx, facts, q.Name)
	if err != nil {
		return false, err
	}
	turnout := annotate.NewTurnout(q, states)
	for it, err := range facts.QueueItems(ctx, q.Name) {
		if err != nil {
			return false, fmt.Errorf("read items of queue %s: %w", q.Name, err)
		}
		if it.Inclusion > 0 && turnout.Open(it.Key) {
			return true, nil
		}
	}
	return false, nil
}

// Labellers is how many people have a label that stands.
func (s *Standing) Labellers() int {
	n := 0
	for _, st := range s.States {
		n += OneIf(len(st.Labels) > 0)
	}
	return n
}
