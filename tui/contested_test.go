package tui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
)

// What people and machines read differently is one key away from the queues and
// from the report. Of a queue only one screen is open at a time: two sessions
// of one person would number their acts alike.
func TestOneScreenWorksOnAQueue(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		closed := false
		a.deps.Compare = func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &reviewing{name: "disagreements in " + q, who: w, closed: &closed}
		}
		a.size(80, 24)
		sees := func(want string) {
			t.Helper()
			if !strings.Contains(a.View(), want) {
				t.Errorf("no %q:\n%s", want, a.View())
			}
		}
		a.press("v", "w")
		sees("disagreements in")
		a.press("esc", "enter")
		sees("reviewing")
		a.press("a", "w")
		sees("disagreements in")
		if !a.closed {
			t.Error("the review stays open behind it")
		}
		closed = false
		a.press("a") // upon the report it leads back to it
		sees("[Alignment]")
		if !closed {
			t.Error("the comparison stays open upon the report")
		}
		closed = false
		a.press("w", "v", "enter")
		sees("reviewing")
		if !closed {
			t.Error("the comparison stays open behind the review")
		}
		a.press("a")
		sees("Alignment")
	})
}
