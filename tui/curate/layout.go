package curate

import (
	"concord/tui/annotation"
	"concord/tui/widget"
)

// The modes of this screen, behind those that screens share.
const (
	naming    = annotation.More + iota // saying who one is: keys are text
	choosing                           // a dataset is to be chosen
	filtering                          // words are typed: keys are text
	placing                            // an axis is chosen: keys are text
	weighing                           // all axes fill the screen
)

// The lines that are always there: what is curated and the sample in front;
// then balance, verdicts and status.
const (
	headLines = 2
	footLines = 2 // beside those of the verdicts
)

// sideFrom is the width from which the balance has a column of its own.
const sideFrom = 150

// layout is the room that the parts of the screen have.
type layout struct {
	width, height int
	space         *widget.PaneSize // of the text
}

// placeWidth is the width of the list of axes.
func (l *layout) placeWidth() int { return max(20, min(72, l.width-8)) }

// pictureColumns is the width of the column with the picture; 0: the text has
// all the room.
func (l *layout) pictureColumns() int {
	return l.space.Leaves(min(90, (l.width-l.balanceColumns())*2/5))
}

func (l *layout) shelfHeight() int { return max(1, l.height-3) }

func (l *layout) mainHeight() int { return max(1, l.height-headLines-footLines-verdictRows(l.width)) }

func (l *layout) balanceColumns() int {
	if l.width < sideFrom {
		return 0
	}
	return l.space.Leaves(l.width / 4)
}

// pictureRoom is how many cells the picture in front has, across and down.
func (l *layout) pictureRoom(mode annotation.Mode) [2]int {
	if mode == annotation.Zooming {
		return [2]int{l.width, l.height - 1}
	}
	return [2]int{max(0, l.pictureColumns()-1), l.mainHeight() - 1}
}

// textWidth is the room for what is typed.
func (l *layout) textWidth(mode annotation.Mode) int {
	if mode == placing {
		return l.placeWidth() - 6
	}
	return max(10, l.width/2-10)
}
