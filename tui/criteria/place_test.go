package criteria

import (
	"slices"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	check := func(here action.Mode, a action.Action, at keymap.Place) {
		t.Helper()
		if !slices.Contains(a.Modes, here) {
			return
		}
		for _, k := range keymaptest.FindMissingKeys([]key.Binding{a.Bind}, at) {
			t.Errorf("%s has no key %s", at, k)
		}
	}
	for _, a := range actionTable(&Model{sampleSet: new(sampleSet)}) {
		check(onShelf, a, keymap.CriteriaDatasets)
		check(onList, a, keymap.Criteria)
		check(onPage, a, keymap.CriteriaPage)
		check(onReview, a, keymap.CriteriaPage)
	}
	for _, k := range keymaptest.FindMissingKeys(widget.FullPictureKeys(true), keymap.CriteriaPicture) {
		t.Errorf("%s has no key %s", keymap.CriteriaPicture, k)
	}
	for _, at := range []keymap.Place{keymap.CriteriaDatasets, keymap.Criteria, keymap.CriteriaPage} {
		for _, k := range keymaptest.FindMissingKeys(widget.NewMoves().Bindings(), at) {
			t.Errorf("%s has no key %s", at, k)
		}
	}
}
