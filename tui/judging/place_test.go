package judging

import (
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := New(t.Context(), Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true)})
	all := m.Bindings()
	m.shown.opened = &openedReply{}
	all = append(all, m.Bindings()...)
	for _, g := range m.HelpGroups() {
		if g.Title != "New judge run" { // keys are text there
			all = append(all, g.Keys...)
		}
	}
	for _, k := range keymaptest.FindMissingKeys(all, keymap.Judging, keymap.Everywhere) {
		t.Errorf("no key %s", k)
	}
}
