package curate

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate/curation"
	"concord/tui/keymap/keymaptest"
)

// What the screen says names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) {
	p := newPool()
	p.says("bob", curation.Wrong, curation.NeedsImage)
	k := sit(t, p, termenv.Ascii, nil)
	keymaptest.SpellMovedKeys(t, k.m)
	for _, key := range strings.Fields("t d i i w w z + z f = x m m right 1 1 1 1 1 1 tab R") {
		if k.press(key); !k.m.IsTyping() {
			keymaptest.CheckNoDefaultKeys(t, k.m.View())
		}
	}
	for _, said := range k.Notices {
		keymaptest.CheckNoDefaultKeys(t, said)
	}
}
