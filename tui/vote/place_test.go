package vote

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/session"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	for _, a := range actions() {
		if a.Modes[0] == session.Noting || a.Modes[0] == session.Explaining {
			continue // keys are text
		}
		at := keymap.Votes
		if a.Modes[0] == session.Zooming {
			at = keymap.VotesPicture
		}
		for _, k := range keymap.Missing([]key.Binding{a.Bind}, at) {
			t.Errorf("no key %s", k)
		}
	}
}
