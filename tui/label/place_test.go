package label

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/annotation"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	for _, a := range append(ended(), actions()...) {
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
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, at...) {
			t.Errorf("%v has no key %s", at[0], k)
		}
	}
}
