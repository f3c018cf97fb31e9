package tui

import (
	"slices"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// TestNoKeyThatWasMovedIsNamed goes through the screens with every key moved:
// what they say names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) { bubble(t, noKeyThatWasMovedIsNamed) }

func noKeyThatWasMovedIsNamed(t *testing.T) {
	for _, walk := range [][]string{
		{"tab", "tab", "tab", "d", "tab", "e", "J", "p"},
		{"enter", "enter", "tab", "z", "n", "p"},
		{"v", "enter", "esc", "w"},
		append([]string{"a"}, slices.Repeat([]string{"tab", "down", "d", "right", "enter", "esc"}, 10)...),
	} {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.spell(keymaptest.NewMovedKeymap(t))
		a.size(120, 40)
		for _, k := range walk {
			if at := a.nav.keyPlace(); at != "" {
				k = a.nav.keys.FirstKeyText(k, at)
			}
			a.send(keymap.NewKeyMsg(k))
			if a.nav.keyPlace() != "" {
				keymaptest.CheckNoDefaultKeys(t, a.View())
			}
		}
	}
}
