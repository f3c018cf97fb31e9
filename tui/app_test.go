package tui

import (
	"testing"

	"github.com/muesli/termenv"
)

func TestLook(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	for _, s := range [][2]int{{80, 24}, {200, 50}, {60,24}} {
		a.size(s[0], s[1])
		t.Log("\n" + a.View())
		a.fits()
	}
}
