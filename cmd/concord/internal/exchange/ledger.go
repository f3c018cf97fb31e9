package exchange

import (
	"context"
	"slices"

	"concord/annotate"
	"concord/store"
)

// Batch is how many acts or facts a transaction of an import holds.
const Batch = 5000

// StoreInParts hands all to a function, as many at a time as a transaction holds.
func StoreInParts[T any](ctx context.Context, all []T, put func(context.Context, []T) error) error {
	for part := range slices.Chunk(all, Batch) {
		if err := put(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// actLedger is what everybody whom a file names did, stored and new. S is what acts
// come to.
type actLedger[A, S any] struct {
	stored func(annotate.Annotator) ([]A, error)
	fold   func([]A) S
	put    func(context.Context, []A) error
	of     map[annotate.Annotator]*personActs[A, S]
	order  []annotate.Annotator
}

func newLedger[A, S any](stored func(annotate.Annotator) ([]A, error), fold func([]A) S, put func(context.Context, []A) error) *actLedger[A, S] {
	return &actLedger[A, S]{stored: stored, fold: fold, put: put, of: make(map[annotate.Annotator]*personActs[A, S])}
}

// personActs is one person's acts, stored and new.
type personActs[A, S any] struct {
	acts  []A
	state S
	fresh int // index of the first new act
}

// streamOf gives the acts of somebody.
func (l *actLedger[A, S]) streamOf(who annotate.Annotator) (*personActs[A, S], error) {
	if one := l.of[who]; one != nil {
		return one, nil
	}
	acts, err := l.stored(who)
	if err != nil {
		return nil, err
	}
	one := &personActs[A, S]{acts: acts, state: l.fold(acts), fresh: len(acts)}
	l.of[who], l.order = one, append(l.order, who)
	return one, nil
}

// nextNumber gives the number of the act that comes next.
func (a *personActs[A, S]) nextNumber() uint32 { return uint32(len(a.acts) + 1) }

// commitNew stores what is new.
func (l *actLedger[A, S]) commitNew(ctx context.Context) error {
	for _, who := range l.order {
		one := l.of[who]
		if err := StoreInParts(ctx, one.acts[one.fresh:], l.put); err != nil {
			return err
		}
	}
	return nil
}

// actStreams are the acts of people in a queue, and hand those of one of them.
type (
	actStream  = personActs[annotate.Act, annotate.State]
	actStreams struct {
		*actLedger[annotate.Act, annotate.State]
		queue annotate.QueueName
	}
)

func newActStreams(st *store.Store, name annotate.QueueName) *actStreams {
	stored := func(who annotate.Annotator) ([]annotate.Act, error) { return st.Acts().Acts(name, who) }
	return &actStreams{newLedger(stored, annotate.FoldActs, st.Acts().Append), name}
}

// addAct adds an act that a file tells.
func (h *actStreams) addAct(to *actStream, who annotate.Annotator, act annotate.Act) {
	act.Queue, act.Annotator, act.Imported, act.N = h.queue, who, true, to.nextNumber()
	to.acts = append(to.acts, act)
}
