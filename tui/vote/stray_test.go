package vote

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/keymap/keymaptest"
	"concord/tui/session/sessiontest"
)

// What the screen says names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) {
	d := sit(t, newBench(3), sessiontest.Theme(termenv.Ascii, true), 80, 24)
	keymaptest.Spell(t, d.m)
	for _, key := range strings.Fields("z + z i i tab j l tab m d 1 1 1 left u") {
		if d.Press(key); !d.m.Typing() {
			keymaptest.Check(t, d.m.View())
		}
	}
}
