package criteria

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	switch here := m.here(); {
	case here == onShelf:
		return keymap.CriteriaShelf
	case here == onList:
		return keymap.Criteria
	}
	return keymap.CriteriaPage
}
