package vote

import (
	"concord/tui/keymap"
	"concord/tui/session"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.Mode == session.Zooming {
		return keymap.VotesPicture
	}
	return keymap.Votes
}
