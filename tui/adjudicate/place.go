package adjudicate

import (
	"concord/tui/keymap"
	"concord/tui/sitting"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == sitting.Zooming {
		return keymap.SettlePicture
	}
	if m.desk != nil {
		return keymap.Settle
	}
	return keymap.Compare
}
