package label

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := New(t.Context(), Deps{Deps: annotation.Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true)}})
	for _, a := range append(keyActions{m}.queueEndActions(), m.table...) {
		at := []keymap.Place{keymap.Review, keymap.ReviewEnd}
		mode := a.Modes[0]
		if mode == annotation.Noting || mode == annotation.Explaining { // keys are text
			continue
		}
		if mode == annotation.Zooming {
			at = []keymap.Place{keymap.ReviewPicture}
		}
		if mode == picking {
			at = []keymap.Place{keymap.ReviewMarking}
		}
		for _, k := range keymaptest.FindMissingKeys([]key.Binding{a.Bind}, at...) {
			t.Errorf("%v has no key %s", at[0], k)
		}
	}
}
