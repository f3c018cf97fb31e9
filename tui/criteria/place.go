package criteria

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	switch m.here() {
	case onShelf:
		return keymap.CriteriaShelf
	case onList:
		return keymap.Criteria
	}
	return keymap.CriteriaPage
}
