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
	return s.retrace(n, who, at, func(work *Set, n uint32) (uint32, bool) {
		before, ok := work.Undoable(who)
		return before, ok && s.oneStep(before, n)
	})
}

// Redo gives the acts that do again what the person's last undo took back.
func (s *Set) Redo(who annotate.Annotator, at time.Time) ([]Act, error) {
	n, _ := s.Redoable(who)
	if n == 0 {
		return nil, fmt.Errorf("redo: you undid nothing on this sample since: %w", ErrNothing)
	}
	return s.retrace(n, who, at, func(work *Set, n uint32) (uint32, bool) {
		before, ok := work.Redoable(who)
		return before, ok && before == n-1 && s.undoneAtOnce(before, n)
	})
}

// retrace takes act n back, and those before it that belong to the same step,
// as more finds them in the set so far.
func (s *Set) retrace(n uint32, who annotate.Annotator, at time.Time, more func(work *Set, n uint32) (uint32, bool)) ([]Act, error) {
	work := *s
	var out []Act
	for {
		a, next, err := work.takeBack(n, who, at)
		if err != nil {
			return out, ifNone(out, err)
		}
		work, out = next, append(out, a)
		before, ok := more(&work, n)
		if !ok {
			return out, nil
		}
		n = before
	}
}

// takeBack makes the act that takes act n back, and the set after it.
func (s *Set) takeBack(n uint32, who annotate.Annotator, at time.Time) (Act, Set, error) {
	a := s.New(TookBack, who, at)
	a.Target = n
	next, err := s.Do(a)
	return a, next, err
}

// ifNone drops the error of a step of which a part is done: the drafts before
// that part are another step then.
func ifNone(done []Act, err error) error {
	if len(done) > 0 {
		return nil
	}
	return err
}

// oneStep reports whether a draft and a later one were saved while the same
// person wrote on, and nothing stands between them.
func (s *Set) oneStep(before, after uint32) bool {
	a, b := &s.Acts[before-1], &s.Acts[after-1]
	if a.Kind != Drafted || b.Kind != Drafted || b.At.Sub(a.At) > rest {
		return false
	}
	for n := before + 1; n < after; n++ {
		if s.Stands(n) {
			return false
		}
	}
	return true
}

// undoneAtOnce reports whether two undos took back drafts in one step.
func (s *Set) undoneAtOnce(before, after uint32) bool {
	a, b := &s.Acts[before-1], &s.Acts[after-1]
	return a.At.Equal(b.At) && s.Acts[a.Target-1].Kind == Drafted && s.Acts[b.Target-1].Kind == Drafted
}
