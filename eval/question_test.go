package eval

import (
	"slices"
	"strings"
	"testing"
)

func TestNext(t *testing.T) {
	const (
		u = PassUnset
		f = PassFailed
		o = PassOpen
		r = PassRight
		w = PassWrong
	)
	ask := func(s Strategy, all bool, passes []PassState, total int, want Pass) {
		t.Helper()
		if p, done := NextPass(s, all, passes, total); done || p != want {
			t.Errorf("Next(%v, %v, %v, %d) = %d, %v; want pass %d", s, all, passes, total, p, done, want)
		}
	}
	done := func(s Strategy, all bool, passes []PassState, total int) {
		t.Helper()
		if p, done := NextPass(s, all, passes, total); !done {
			t.Errorf("Next(%v, %v, %v, %d) = %d; want done", s, all, passes, total, p)
		}
	}
	type ps = []PassState

	ask(Circular, false, nil, 4, 0)
	ask(Circular, false, ps{r}, 4, 1)
	ask(Circular, false, ps{o}, 4, 1)
	ask(Circular, false, ps{o, o, o}, 4, 3)
	ask(Circular, false, ps{f}, 4, 1)
	done(Circular, false, ps{w}, 4)
	done(Circular, false, ps{r, w}, 4)
	done(Circular, false, ps{f, w}, 4)
	done(Circular, false, ps{r, r, r, r}, 4)
	done(Circular, false, ps{o, f, r, o}, 4)

	// A pass that was never asked goes before a wrong one behind it.
	ask(Circular, false, ps{u, w}, 4, 0)
	done(Circular, false, ps{w, u, r}, 4)
	// Read again, the wrong pass turned right: the question is open again.
	ask(Circular, false, ps{r, u, u, u}, 4, 1)

	ask(Circular, true, ps{w}, 4, 1)
	ask(Circular, true, ps{w, w, u}, 3, 2)
	done(Circular, true, ps{w, w, w}, 3)

	ask(Vanilla, false, nil, 4, 0)
	done(Vanilla, false, ps{o}, 4)
	done(Vanilla, true, ps{r}, 4)
	done(Circular, false, nil, 0)
}

// A level stands where a sample names it first, and its own levels behind it.
func TestLevelOrder(t *testing.T) {
	order := make(LevelOrder)
	paths := [][]string{{"seeing", "style"}, {"reading"}, {"seeing", "place"}, {"reading", "signs"}, {"seeing"}}
	for _, p := range paths {
		order.AddPath(p)
	}
	slices.SortFunc(paths, order.Compare)
	if got := strings.Join(Map(paths, JoinPath), ", "); got != "seeing, seeing / style, seeing / place, reading, reading / signs" {
		t.Error(got)
	}
}
