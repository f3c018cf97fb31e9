package exchange

import (
	"context"
	"slices"

	"concord/annotate"
	"concord/store"
)

// Batch is how many acts or facts a transaction of an import holds.
const Batch = 5000

// InParts hands all to a function, as many at a time as a transaction holds.
func InParts[T any](ctx context.Context, all []T, put func(context.Context, []T) error) error {
	for part := range slices.Chunk(all, Batch) {
		if err := put(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// ledger is what everybody whom a file names did, stored and new. S is what acts
// come to.
type ledger[A, S any] struct {
	stored func(annotate.Annotator) ([]A, error)
	fold   func([]A) S
	put    func(context.Context, []A) error
	of     map[annotate.Annotator]*account[A, S]
	order  []annotate.Annotator
}

func newLedger[A, S any](stored func(annotate.Annotator) ([]A, error), fold func([]A) S, put func(context.Context, []A) error) *ledger[A, S] {
	return &ledger[A, S]{stored: stored, fold: fold, put: put, of: make(map[annotate.Annotator]*account[A, S])}
}

// account is one person's acts, stored and new.
type account[A, S any] struct {
	acts  []A
	state S
	fresh int // index of the first new act
}

// account gives the acts of somebody.
func (l *ledger[A, S]) account(who annotate.Annotator) (*account[A, S], error) {
	if one := l.of[who]; one != nil {
		return one, nil
	}
	acts, err := l.stored(who)
	if err != nil {
		return nil, err
	}
	one := &account[A, S]{acts: acts, state: l.fold(acts), fresh: len(acts)}
	l.of[who], l.order = one, append(l.order, who)
	return one, nil
}

// next is the number of the act that comes next.
func (a *account[A, S]) next() uint32 { return uint32(len(a.acts) + 1) }

// commit stores what is new.
func (l *ledger[A, S]) commit(ctx context.Context) error {
	for _, who := range l.order {
		one := l.of[who]
		if err := InParts(ctx, one.acts[one.fresh:], l.put); err != nil {
			return err
		}
	}
	return nil
}

// hands are the acts of people in a queue, and hand those of one of them.
type (
	hand  = account[annotate.Act, annotate.State]
	hands struct {
		*ledger[annotate.Act, annotate.State]
		queue annotate.QueueName
	}
)

func newHands(st *store.Store, name annotate.QueueName) *hands {
	stored := func(who annotate.Annotator) ([]annotate.Act, error) { return st.Acts().Acts(name, who) }
	return &hands{newLedger(stored, annotate.Fold, st.Acts().Append), name}
}

// add adds an act that a file tells.
func (h *hands) add(to *hand, who annotate.Annotator, act annotate.Act) {
	act.Queue, act.Annotator, act.Imported, act.N = h.queue, who, true, to.next()
	to.acts = append(to.acts, act)
}
