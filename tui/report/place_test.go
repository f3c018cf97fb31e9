package report

import (
	"testing"

	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := screen(t, nil)
	for m.section = range m.sections() {
		all := m.Keys()
		for _, g := range m.Help() {
			all = append(all, g.Keys...)
		}
		for _, k := range keymap.Missing(all, keymap.Report) {
			t.Errorf("no key %s", k)
		}
	}
}
