package adjudicate

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"concord/annotate/report/alignment"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := New(t.Context(), Deps{Deps: annotation.Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true), Queue: "q"}})
	for _, listing := range []bool{false, true} {
		m.listing = listing
		for _, g := range m.HelpGroups() {
			for _, k := range keymaptest.FindMissingKeys(append(g.Keys, m.Bindings()...), keymap.Compare) {
				t.Errorf("compare has no key %s", k)
			}
		}
	}
	m.diffs.all = &alignment.QueueComparison{Items: make([]alignment.ComparedItem, 1)}
	m.diffs.places = []int{0}
	for _, a := range newItemView(m).table {
		if a.Modes[0] == annotation.Noting {
			continue // keys are text
		}
		at := keymap.Adjudicate
		if a.Modes[0] == annotation.Zooming {
			at = keymap.AdjudicatePicture
		}
		for _, k := range keymaptest.FindMissingKeys([]key.Binding{a.Bind}, at) {
			t.Errorf("the desk has no key %s", k)
		}
	}
}
