package vote

import (
	"concord/tui/annotation"
	"concord/tui/keymap"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.Mode == annotation.Zooming {
		return keymap.VotesPicture
	}
	return keymap.Votes
}
