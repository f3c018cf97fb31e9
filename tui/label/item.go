package label

import (
	"concord/tui/annotation"
	"concord/tui/widget"
)

// extent is how many lines the scrolling panes show, and have, and which of
// them the keys scroll.
type extent struct {
	focus                   pane
	answer                  int
	question, questionLines int
	panel, panelLines       int
	options                 optionBlock
}

// fitted are lines as wide as the pane.
func fitted(lines []string, g geometry) []string { return widget.Block(lines, g.pane, len(lines)) }

// drawn is the extent of a frame, and what that depends on.
type drawn struct {
	of     drawing
	extent extent
}

type drawing struct {
	page     *page
	text     *widget.Text
	size     sizes
	mode     annotation.Mode
	revealed bool
	turned   int
}
