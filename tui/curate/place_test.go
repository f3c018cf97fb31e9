package curate

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
	m := New(t.Context(), Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true)})
	for _, a := range m.table {
		if m.Mode = a.Modes[0]; m.IsTyping() {
			continue
		}
		at := keymap.Curate
		if a.Modes[0] == annotation.Zooming {
			at = keymap.CuratePicture
		}
		for _, k := range keymaptest.FindMissingKeys([]key.Binding{a.Bind}, at) {
			t.Errorf("no key %s", k)
		}
	}
}
