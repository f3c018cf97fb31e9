package importer

import (
	"concord/tui/widget"
)

// layout is the room of the screen, in cells.
type layout struct {
	width, height int
}

// wrapped are the lines of a text, each in a style.
func (z *layout) wrapped(indent string, style func(...string) string, text string) []string {
	lines := widget.Wrap(text, max(1, min(z.width-len(indent)-1, 90)))
	for i, l := range lines {
		lines[i] = indent + style(l)
	}
	return lines
}

// rows is how many entries of a folder are seen.
func (z *layout) rows() int { return max(1, z.height-5) }
