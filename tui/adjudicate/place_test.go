package adjudicate

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := New(t.Context(), Deps{Theme: annotationtest.Theme(termenv.Ascii, true), Queue: "q"})
	for _, listing := range []bool{false, true} {
		m.listing = listing
		for _, g := range m.Help() {
			for _, k := range keymap.Missing(append(g.Keys, m.Keys()...), keymap.Compare) {
				t.Errorf("compare has no key %s", k)
			}
		}
	}
	for _, a := range actions() {
		if a.Modes[0] == annotation.Noting {
			continue // keys are text
		}
		at := keymap.Adjudicate
		if a.Modes[0] == annotation.Zooming {
			at = keymap.AdjudicatePicture
		}
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, at) {
			t.Errorf("the desk has no key %s", k)
		}
	}
}
