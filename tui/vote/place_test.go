package vote

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/annotation"
	"concord/tui/keymap"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	for _, a := range actions() {
		if a.Modes[0] == annotation.Noting || a.Modes[0] == annotation.Explaining {
			continue // keys are text
		}
		at := keymap.Votes
		if a.Modes[0] == annotation.Zooming {
			at = keymap.VotesPicture
		}
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, at) {
			t.Errorf("no key %s", k)
		}
	}
}
