package tui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// An answer that is looked into from a run's page opens at once, with the
// older ones behind it.
func TestAnswersOpenTheirSamples(t *testing.T) { bubble(t, answersOpen) }

func answersOpen(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.press("d", "tab")
	if v := a.View(); !strings.Contains(v, "[Answers]") || !strings.Contains(v, "esc back") || strings.Contains(v, "q quit") {
		t.Errorf("the page of a run:\n%s", v)
	}
	a.press("down", "enter")
	if v := a.View(); !strings.Contains(v, "Sample 101") || !strings.Contains(v, "1 of 7") {
		t.Errorf("the second answer:\n%s", v)
	}
	a.press("esc", "esc")
	if v := a.View(); !strings.Contains(v, "› 101.0") {
		t.Errorf("back on the page:\n%s", v)
	}
	a.press("q", "q")
	if !a.quits {
		t.Error("q at the top does not quit")
	}
}
