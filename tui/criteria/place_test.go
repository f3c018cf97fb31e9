package criteria

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	check := func(places keyPlace, here keyPlace, a keyAction, at keymap.Place) {
		t.Helper()
		if places&here == 0 {
			return
		}
		for _, k := range keymap.FindMissing([]key.Binding{a.bind}, at) {
			t.Errorf("%s has no key %s", at, k)
		}
	}
	for _, a := range actionTable() {
		check(a.places, onShelf, a, keymap.CriteriaDatasets)
		check(a.places, onList, a, keymap.Criteria)
		check(a.places, onSample, a, keymap.CriteriaPage)
	}
	for _, k := range keymap.FindMissing(widget.LookKeys(true), keymap.CriteriaPicture) {
		t.Errorf("%s has no key %s", keymap.CriteriaPicture, k)
	}
	for _, at := range []keymap.Place{keymap.CriteriaDatasets, keymap.Criteria, keymap.CriteriaPage} {
		for _, k := range keymap.FindMissing(widget.NewMoves().Bindings(), at) {
			t.Errorf("%s has no key %s", at, k)
		}
	}
}
