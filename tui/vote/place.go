package vote

import (
	"concord/tui/keymap"
	"concord/tui/sitting"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.Mode == sitting.Zooming {
		return keymap.VotesPicture
	}
	return keymap.Votes
}
