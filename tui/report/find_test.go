package report

import (
	"strings"
	"testing"
)

// Whoever types the name of a report, its heading or a word of what it tells
// finds it; headings are five, each with its reports in one run.
func TestEveryPageCanBeFound(t *testing.T) {
	m := screen(t, nil)
	f := newFinder(m.readers, 0)
	groups := 0
	for i, r := range m.readers {
		f.filter = strings.ToLower(r.name)
		f.at = f.nearest()
		if at := f.left()[f.at]; at.page != i || at.says == "" || at.group == "" {
			t.Errorf("%s leads to %+v", r.name, at)
		}
		if i == 0 || m.readers[i-1].group != r.group {
			groups++
		}
	}
	if groups != 5 {
		t.Errorf("%d headings", groups)
	}
}
