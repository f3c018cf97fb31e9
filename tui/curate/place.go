package curate

import (
	"concord/tui/annotation"
	"concord/tui/keymap"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.cards.board == nil {
		return keymap.CurateDatasets
	}
	if m.mode == annotation.Zooming {
		return keymap.CuratePicture
	}
	return keymap.Curate
}
