package tui

import (
	"math/rand/v2"
	"testing"

	"github.com/muesli/termenv"
)

// TestAnyKeys presses what it likes in terminals of any size.
func TestAnyKeys(t *testing.T) { bubble(t, anyKeys) }

func anyKeys(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "enter", "enter", "esc", "tab", "pgup", "pgdown", "h", "v", "a", "[", "]", "?",
		"p", "n", "y", "c", "r", "d", "t", "g", "G", "e", " ", "z", "R", "S", "x", "1", "backspace", "ctrl+d", "ctrl+l", "é", "你",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		p := demo()
		if i%2 == 1 {
			p = polled()
		}
		a := newApp(t, p, theme(termenv.Ascii, true), "")
		a.size(80, 24)
		for range 120 {
			switch rng.IntN(8) {
			case 0:
				a.size(1+rng.IntN(200), 1+rng.IntN(60))
			case 1:
				p.rows[0].Progress.Counts.Predictions++
				a.send(changed{})
			default:
				a.press(keys[rng.IntN(len(keys))])
			}
			a.fits()
		}
	}
}

func TestEverySizeFits(t *testing.T) { bubble(t, everySizeFits) }

func everySizeFits(t *testing.T) {
	for _, keys := range [][]string{
		nil,
		{"enter"},
		{"enter", "enter"},
		{"a", "d"},
		{"v"},
		{"?"},
		{"c"},
		toReport("votes", "d"), toReport("votes", "enter", "enter"), toReport("bias", "B", "right"), toReport("agreement", "G"),
	} {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.size(80, 24)
		a.press(keys...)
		for w := 1; w <= 200; w += 19 {
			for h := 1; h <= 60; h += 8 {
				a.size(w, h)
				a.fits()
			}
		}
	}
}
