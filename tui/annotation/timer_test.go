package annotation

import (
	"testing"
	"time"
)

func TestOnlyWorkIsTimed(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	check := func(want time.Duration, pauses ...time.Duration) {
		t.Helper()
		var w Timer
		w.StartItem(start)
		now, got := start, time.Duration(0)
		for _, p := range pauses {
			now = now.Add(p)
			got = w.AddTimeSinceKey(now)
		}
		if got != want {
			t.Errorf("pauses %v: %v, want %v", pauses, got, want)
		}
	}
	check(3*time.Second, time.Second, 2*time.Second)
	check(idle+time.Second, time.Hour, time.Second) // away for an hour
	check(time.Second, time.Second, -time.Minute)   // a clock that was set back
}

func TestAnotherSizeLeavesAMark(t *testing.T) {
	s := New(t.Context(), Deps{Theme: plain()}, ScreenHooks[int]{})
	s.Resize(80, 24)
	s.Resize(81, 24) // the slot is full: one mark tells of both
	if _, ok := s.awaitResize()().(refit[int]); !ok {
		t.Error("no mark of the new size")
	}
	s.Close()
	if msg := s.awaitResize()(); msg != nil {
		t.Errorf("a sitting that has ended says %v", msg)
	}
}
