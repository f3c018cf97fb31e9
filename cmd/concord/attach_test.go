package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"concord/annotate"
)

// A second terminal on a project that is open opens beside the first, as another
// session of its process, and goes on by itself when that one ends.
func TestSecondTerminalOpensBeside(t *testing.T) {
	t.Parallel()
	bin := program(t)
	k := newKillable(t, 20, 0)
	dir := filepath.Dir(k.path)
	first := startIn(t, bin, dir, 80, 24, "review", "-p", k.path, "--queue", "q1", "--as", "ann")
	first.waitFor("sample s000000", 20*time.Second)
	second := startIn(t, bin, dir, 80, 24, "review", "-p", k.path, "--queue", "q1", "--as", "bob")
	second.waitFor("2 here", 20*time.Second)
	second.waitFor("sample s0000", time.Second)
	second.press("2")
	second.waitFor("saved ", 10*time.Second)
	first.press("1")
	first.waitFor("saved ", 10*time.Second)
	first.keys("\x03")
	if err := first.exit(20 * time.Second); err != nil {
		t.Errorf("the first ended with %v", err)
	}
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if _, here, _ := strings.Cut(second.output(), "it is opened here"); strings.Contains(here, "sample s0000") {
			break
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("the second terminal does not continue: %.600q", second.output())
		}
	}
	second.press("2")
	second.waitFor("saved ", 10*time.Second)
	second.keys("\x03")
	if err := second.exit(20 * time.Second); err != nil {
		t.Errorf("the second ended with %v", err)
	}
	k.within(func() {
		if n := len(k.labels("q1")); n != 3 {
			t.Errorf("%d items are labelled, want 3", n)
		}
		who, err := k.st.Acts().Annotators("q1")
		if err != nil || len(who) != 2 || who[0] != annotate.Annotator("ann") {
			t.Errorf("by %v, %v", who, err)
		}
	})
}
