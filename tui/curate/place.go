package curate

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.board == nil {
		return keymap.CurateShelf
	}
	return keymap.Curate
}
