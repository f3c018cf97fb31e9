package criteria

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/keymap/keymaptest"
)

// What the screen says names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) {
	bubble(t, "walk", func(t *testing.T) {
		d := sit(t, newProject(4), theme(termenv.Ascii, true), "ada", 120, 40)
		keymaptest.SpellMovedKeys(t, d.m)
		for _, key := range strings.Fields("tab shift+tab . s y tab y tab tab < z + = z i esc esc d esc") {
			if d.press(key); !d.m.IsTyping() {
				keymaptest.CheckNoDefaultKeys(t, d.m.View())
			}
		}
		for _, said := range d.said {
			keymaptest.CheckNoDefaultKeys(t, said)
		}
	})
}
