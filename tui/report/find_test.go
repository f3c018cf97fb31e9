package report

import "testing"

// Whoever types the name of a page finds it.
func TestEveryPageCanBeFound(t *testing.T) {
	listed := make(map[string]bool)
	for _, s := range shelves() {
		for _, e := range s.entries {
			listed[e[0]] = true
		}
	}
	for _, p := range pages() {
		if !listed[p.name] {
			t.Errorf("%s is on no shelf of all figures", p.name)
		}
	}
}
