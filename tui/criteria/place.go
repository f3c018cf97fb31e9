package criteria

import "concord/tui/keymap"

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.reader.looking() {
		return keymap.CriteriaPicture
	}
	here := m.reader.here()
	if here == onShelf {
		return keymap.CriteriaDatasets
	}
	if here == onList {
		return keymap.Criteria
	}
	return keymap.CriteriaPage
}
