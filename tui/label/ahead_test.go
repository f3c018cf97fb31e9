package label

import (
	"errors"
	"testing"

	"concord/tui/annotation/annotationtest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// Keys that wait for their item are taken when whatever brings an item to the
// front: here a failed commit brings back one that is at hand, and nothing
// will be loaded that could wake them.
func TestKeysThatWaitAreTakenWhenAnItemComesBack(t *testing.T) {
	d := sit(t, newBench(20), annotationtest.Theme(termenv.Ascii, true), 80, 24)
	for range 10 { // commands are not run: no further item is loaded
		d.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("A")})
	}
	if d.m.Waiting() == 0 || len(d.Journal.Acts) == 0 {
		t.Fatalf("%d keys wait, %d acts", d.m.Waiting(), len(d.Journal.Acts))
	}
	before := len(d.Journal.Acts)
	d.m.Hear(annotationtest.Parked(d.Journal.Acts[0], before, errors.New("disk full")), 0, nil)
	if len(d.Journal.Acts) == before {
		t.Errorf("item %d is in front and at hand, and %d keys still wait", d.m.Front(), d.m.Waiting())
	}
}
