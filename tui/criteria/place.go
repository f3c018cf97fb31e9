package criteria

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.looking() {
		return keymap.CriteriaPicture
	}
	here := m.here()
	if here == onShelf {
		return keymap.CriteriaShelf
	}
	if here == onList {
		return keymap.Criteria
	}
	return keymap.CriteriaPage
}
