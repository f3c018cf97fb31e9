package home

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	b := &board{shelf: newShelf(), formKeys: form.NewKeys()}
	m := &Model{board: b, side: answerPane{board: b}, composer: composer{board: b}}
	var all []key.Binding
	for _, m.side.page.open = range []bool{false, true} {
		for _, m.focus = range []focus{atRuns, atDatasets, atJobs, atQueues} {
			all = append(all, m.Keys()...)
			for _, g := range m.Help() {
				if g.Title != "New run" { // keys are text there
					all = append(all, g.Keys...)
				}
			}
		}
	}
	for _, k := range keymap.Missing(all, keymap.Runs, keymap.Everywhere) {
		t.Errorf("no key %s", k)
	}
}
