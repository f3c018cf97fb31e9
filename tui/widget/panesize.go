package widget

import "github.com/charmbracelet/bubbles/key"

// PaneSize tells how much of its surroundings a pane takes: > gives the pane half
// of them, then all, then gives them back, and < goes the other way around. The
// zero value takes nothing.
type PaneSize uint8

// The sizes.
const (
	NormalPane PaneSize = iota
	HalfPane            // what stands around the pane keeps half of its cells
	FullPane            // it keeps none
	paneSizes
)

// Press takes one of the keys of PaneKeys.
func (r *PaneSize) Press(key string) {
	by := PaneSize(1)
	if key == "<" {
		by = paneSizes - 1
	}
	*r = (*r + by) % paneSizes
}

// Leaves gives how many of n cells or lines are left to the surroundings of the
// pane.
func (r PaneSize) Leaves(n int) int {
	switch r {
	case HalfPane:
		return n / 2
	case FullPane:
		return 0
	case NormalPane, paneSizes:
	}
	return n
}

// PaneKeys are the keys that change the size of a pane.
func PaneKeys() key.Binding { return Bind("> <", "enlarge", ">", "<") }

// Pane gives the size of a screen's pane. It lasts as long as the theme, so from
// one opening of the screen to the next.
func (t *Theme) Pane(screen string) *PaneSize {
	if t.panes[screen] == nil {
		t.panes[screen] = new(PaneSize)
	}
	return t.panes[screen]
}
