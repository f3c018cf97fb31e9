package curate

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/annotation"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	for _, a := range actions() {
		if (&Model{mode: a.Modes[0]}).Typing() {
			continue
		}
		at := keymap.Curate
		if a.Modes[0] == annotation.Zooming {
			at = keymap.CuratePicture
		}
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, at) {
			t.Errorf("no key %s", k)
		}
	}
}
