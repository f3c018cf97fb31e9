package label

import (
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
