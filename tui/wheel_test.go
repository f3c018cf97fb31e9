package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

func TestWheel(t *testing.T) { bubble(t, wheelMoves) }

func wheelMoves(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	roll := func(b tea.MouseButton) string {
		a.send(tea.MouseMsg{Button: b, Action: tea.MouseActionPress})
		for _, l := range strings.Split(a.View(), "\n") {
			if strings.HasPrefix(l, "›") {
				return l
			}
		}
		return ""
	}
	first := roll(tea.MouseButtonLeft)
	if next := roll(tea.MouseButtonWheelDown); next == first || roll(tea.MouseButtonWheelUp) != first {
		t.Errorf("from %q to %q and not back", first, next)
	}
	a.press("c")
	before := a.View()
	if roll(tea.MouseButtonWheelDown); a.View() != before {
		t.Error("the wheel answers a question")
	}
}
