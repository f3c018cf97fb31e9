package compare

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil {
		return keymap.Settle
	}
	return keymap.Compare
}
