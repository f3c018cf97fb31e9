package home

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	b := &projectBoard{projectLists: newProjectLists(), formKeys: form.NewKeys()}
	m := &Model{projectBoard: b, side: answerPane{projectBoard: b}, composer: runComposer{projectBoard: b}}
	var all []key.Binding
	for _, m.side.page.open = range []bool{false, true} {
		for _, m.focus = range []listFocus{atRuns, atDatasets, atJobs, atQueues} {
			all = append(all, m.Bindings()...)
			for _, g := range m.HelpGroups() {
				if g.Title != "New run" { // keys are text there
					all = append(all, g.Keys...)
				}
			}
		}
	}
	for _, k := range keymaptest.FindMissingKeys(all, keymap.Runs, keymap.Everywhere) {
		t.Errorf("no key %s", k)
	}
}
