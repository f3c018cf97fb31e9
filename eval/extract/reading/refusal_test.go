package reading

import (
	"strings"
	"testing"
)

// TestPhrasebook finds every phrase at the start of words, wherever it stands
// to a block of 64 bytes.
func TestPhrasebook(t *testing.T) {
	for _, list := range [][]string{nones, inabilities, undetermined, ignorances} {
		for _, w := range list {
			for before := range 66 {
				for lead, want := range map[string]bool{" ": true, "é": true, "x": false, "1": false} {
					s, found := strings.Repeat("-", before)+lead+strings.ToUpper(w), false
					for i, p := range declinePhrases.FindPhrases(s) {
						found = found || p.Text == w && i == before+len(lead)
					}
					if found != want {
						t.Fatalf("%q in %q: found is %t", w, s, found)
					}
				}
			}
		}
	}
}
