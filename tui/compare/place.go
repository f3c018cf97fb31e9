package compare

import (
	"concord/tui/keymap"
	"concord/tui/sitting"
)

// Spell has texts name keys as the person has them.
func (m *Model) Spell(with func(key string) string) { m.spell = with }

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.desk != nil && m.desk.Mode == sitting.Zooming {
		return keymap.SettlePicture
	}
	if m.desk != nil {
		return keymap.Settle
	}
	return keymap.Compare
}
