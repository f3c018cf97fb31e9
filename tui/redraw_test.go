package tui

import (
	"errors"
	"reflect"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

// What the terminal may have lost is sent before the screen is drawn on it.
func TestRedrawSendsPicturesAgain(t *testing.T) {
	a := newApp(t, &project{}, annotationtest.NewTheme(termenv.Ascii, true), "ann")
	if got := redrawAll(a.deps.Resend)(); got != tea.ClearScreen() {
		t.Errorf("without images redrawn by %v", got)
	}
	sent, fails := 0, error(nil)
	a.deps.Resend = func() error { sent++; return fails }
	first := func() tea.Msg {
		steps := reflect.ValueOf(redrawAll(a.deps.Resend)())
		if steps.Kind() != reflect.Slice || steps.Len() != 2 {
			t.Fatalf("redrawn by %v", steps)
		}
		return steps.Index(0).Interface().(tea.Cmd)()
	}
	if msg := first(); msg != nil || sent != 1 {
		t.Errorf("sent %d times, told %v", sent, msg)
	}
	fails = errors.New("gone")
	if msg, ok := first().(widget.Notify); !ok || msg.Level != widget.Problem {
		t.Errorf("told %v", msg)
	}
}
