package criteria

import (
	"fmt"
	"time"

	"concord/annotate"
)

// rest is how long a pause between two drafts is that makes them two steps:
// drafts are saved every few seconds, and nobody undoes them one by one.
const rest = 5 * time.Minute

// Undo gives the acts, in their order, that take a person's last step back: an
// act, or the drafts that were saved while they wrote. The error says why it
// cannot be: there is none, or later acts rest on it.
func (s *Set) Undo(who annotate.Annotator, at time.Time) ([]Act, error) {
	n, _ := s.Undoable(who)
	if n == 0 {
		return nil, fmt.Errorf("undo: you did nothing on this sample that can be undone: %w", ErrNothing)
	}
	r := retracing{set: *s, who: who, at: at}
	return r.step(n, func(n uint32) (uint32, bool) {
		before, ok := r.set.Undoable(who)
		return before, ok && s.History.oneStep(before, n)
	})
}

// Redo gives the acts that do again what the person's last undo took back.
func (s *Set) Redo(who annotate.Annotator, at time.Time) ([]Act, error) {
	n, _ := s.Redoable(who)
	if n == 0 {
		return nil, fmt.Errorf("redo: you undid nothing on this sample since: %w", ErrNothing)
	}
	r := retracing{set: *s, who: who, at: at}
	return r.step(n, func(n uint32) (uint32, bool) {
		before, ok := r.set.Redoable(who)
		return before, ok && before == n-1 && s.History.undoneAtOnce(before, n)
	})
}

// retracing takes acts of one person back, one after the other.
type retracing struct {
	set  Set // after the acts so far
	who  annotate.Annotator
	at   time.Time
	acts []Act // that take others back
}

// step takes act n back, and those before it that belong to the same step, as
// more finds them in the set so far.
func (r *retracing) step(n uint32, more func(n uint32) (uint32, bool)) ([]Act, error) {
	for {
		if err := r.takeBack(n); err != nil {
			return r.acts, ifNone(r.acts, err)
		}
		before, ok := more(n)
		if !ok {
			return r.acts, nil
		}
		n = before
	}
}

// takeBack takes act n back.
func (r *retracing) takeBack(n uint32) error {
	a := r.set.New(TookBack, r.who, r.at)
	a.Target = n
	next, err := r.set.Do(a)
	if err != nil {
		return err
	}
	r.set, r.acts = next, append(r.acts, a)
	return nil
}

// ifNone drops the error of a step of which a part is done: the drafts before
// that part are another step then.
func ifNone(done []Act, err error) error {
	if len(done) > 0 {
		return nil
	}
	return err
}
