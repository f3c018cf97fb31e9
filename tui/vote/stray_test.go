package vote

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap/keymaptest"
)

// What the screen says names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	keymaptest.SpellMovedKeys(t, d.m)
	for _, key := range strings.Fields("z + z i i tab j l tab m d 1 1 1 left u") {
		if d.Press(key); !d.m.IsTyping() {
			keymaptest.CheckNoDefaultKeys(t, d.m.View())
		}
	}
}
