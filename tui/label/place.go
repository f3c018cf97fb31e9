package label

import (
	"concord/tui/annotation"
	"concord/tui/keymap"
)

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	switch {
	case m.Mode == picking:
		return keymap.ReviewMarking
	case m.Mode == annotation.Zooming:
		return keymap.ReviewPicture
	case m.Front() < 0 && m.noCompare() == "":
		return keymap.ReviewEnd
	}
	return keymap.Review
}
