package pairs

import (
	"testing"

	"concord/tui/keymap/keymaptest"
)

// What the screen says names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) {
	m := screen(t, &bench{n: 5, picture: white(t)})
	keymaptest.SpellMovedKeys(t, m)
	for _, key := range []string{"tab", "enter", "n", "d", "z", "+", "z", "=", "p"} {
		press(m, key)
		keymaptest.CheckNoDefaultKeys(t, m.View())
	}
}
