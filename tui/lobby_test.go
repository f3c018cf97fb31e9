package tui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
)

// A queue of pairs is voted on, and one is found where nobody named it.
func TestPairsAreVotedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		p.queues[1].Rule.From = annotate.FromPairs
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		a.size(80, 24)
		a.press("v")
		if !strings.Contains(a.View(), "pairs") {
			t.Errorf("the list does not say what is voted on:\n%s", a.View())
		}
		a.press("down", "enter")
		if !strings.Contains(a.View(), "votes on hard ones") {
			t.Errorf("no votes:\n%s", a.View())
		}
		a.press("esc")
		a.do(a.lobby.enterPairs())
		if !strings.Contains(a.View(), "votes on hard ones") {
			t.Errorf("the only queue of pairs is not opened:\n%s", a.View())
		}
	})
}
