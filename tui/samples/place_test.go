package samples

import (
	"testing"

	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m, _ := screen(t, 3)
	for _, g := range m.HelpGroups() {
		for _, k := range keymaptest.FindMissingKeys(append(g.Keys, m.Bindings()...), keymap.Samples, keymap.SamplesPicture) {
			t.Errorf("no key %s", k)
		}
	}
}
