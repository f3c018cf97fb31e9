package adjudicate

import (
	"concord/tui/annotation"
	"concord/tui/widget"
)

// layout is the room that the answer and what was made of it have.
type layout struct {
	space *widget.PaneSize // of the answer and what was made of it
}

// roomFor is what the picture has on the item view: nothing where the answer needs
// the width, z shows it there.
func (l *layout) roomFor(pg *page, width, height int) (cols, rows int) {
	cols = l.column(width)
	if cols == 0 || len(pg.Pictures) == 0 {
		return 0, 0
	}
	return cols, max(0, (height-annotation.HeaderLines-annotation.StatusLines)/2)
}

// column is the width of the question beside the answer; 0: it stands above.
func (l *layout) column(width int) int {
	if width < wideFrom {
		return 0
	}
	return l.space.Leaves(width * 2 / 5)
}

// filled reports whether the answer and what was made of it have all the room.
func (l *layout) filled() bool { return *l.space == widget.FullPane }
