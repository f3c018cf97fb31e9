package judging

import (
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := New(t.Context(), Deps{Theme: annotationtest.Theme(termenv.Ascii, true)})
	all := m.Keys()
	m.shown.opened = &opened{}
	all = append(all, m.Keys()...)
	for _, g := range m.Help() {
		if g.Title != "New judge run" { // keys are text there
			all = append(all, g.Keys...)
		}
	}
	for _, k := range keymap.Missing(all, keymap.Judging, keymap.Everywhere) {
		t.Errorf("no key %s", k)
	}
}
