package adjudicate

import (
	"concord/tui/keymap"
	"concord/tui/session"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == session.Zooming {
		return keymap.SettlePicture
	}
	if m.desk != nil {
		return keymap.Settle
	}
	return keymap.Compare
}
