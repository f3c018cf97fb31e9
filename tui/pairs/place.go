package pairs

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.looking() {
		return keymap.PairsPicture
	}
	return keymap.Pairs
}
