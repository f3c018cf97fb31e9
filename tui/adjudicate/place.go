package adjudicate

import (
	"concord/tui/annotation"
	"concord/tui/keymap"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == annotation.Zooming {
		return keymap.AdjudicatePicture
	}
	if m.desk != nil {
		return keymap.Adjudicate
	}
	return keymap.Compare
}
