package adjudicate

import (
	"concord/tui/annotation"
	"concord/tui/keymap"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == annotation.Zooming {
		return keymap.SettlePicture
	}
	if m.desk != nil {
		return keymap.Settle
	}
	return keymap.Compare
}
