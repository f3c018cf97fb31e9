package curate

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	for _, a := range actions() {
		if (&Model{mode: a.Modes[0]}).Typing() {
			continue
		}
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, keymap.Curate) {
			t.Errorf("no key %s", k)
		}
	}
}
