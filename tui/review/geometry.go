package review

import "concord/tui/widget"

// The parts of the screen that are always there.
const (
	headerLines = 2
	statusLines = 1
	wideFrom    = 85 // cells from which the picture stands beside the text
	gutter      = 2  // cells of the bar before the answer
)

// sizes is the room of the whole screen, in cells.
type sizes struct{ width, height int }

// geometry is where the parts of an item go.
type geometry struct {
	wide    bool
	picture struct{ cols, rows int } // room for the picture; none: 0
	column  int                      // width of the question
	options int                      // width of the options
	answer  int                      // width of the answer's text
	main    int                      // lines between header and status
}

// geometry places the parts of an item. Wide, the picture has the left of the
// screen; else it stands beside the question, if the answer keeps a third of
// the lines.
func (s sizes) geometry(pg *page) geometry {
	g := geometry{main: max(1, s.height-headerLines-statusLines), column: s.width, options: s.width}
	pictures := pg != nil && len(pg.pictures) > 0
	switch {
	case pictures && s.width >= wideFrom:
		g.wide = true
		g.picture.cols, g.picture.rows = min(s.width*2/5, 100), g.main-1
		g.column = s.width - g.picture.cols - 3
		g.options = g.column
	case pictures && pg.err == nil:
		g.beside(s.width, pg)
	}
	g.answer = max(1, g.options-gutter)
	return g
}

// beside puts the picture beside the question, if there is room for both.
func (g *geometry) beside(width int, pg *page) {
	room := g.main - g.least() - len(optionLines(pg.choices, width)) - 2
	rows := min(room, 10, g.main/2)
	if rows < 4 {
		return
	}
	cols := min(width*2/5, rows*4)
	column := width - cols - 3
	if len(questionLines(pg, column)) > room {
		return
	}
	g.picture.cols, g.picture.rows, g.column = cols, rows, column
}

// least is how many lines the answer keeps, its title included.
func (g *geometry) least() int { return max(5, g.main/3) }

func (m *Model) geometry(pg *page) geometry {
	return sizes{m.width, m.height}.geometry(pg)
}

// maxQuestion bounds what is laid out of a question, in bytes. Questions are
// read from files, and nobody reads one of this length.
const maxQuestion = 32 << 10

func bounded(s string) string {
	if len(s) > maxQuestion {
		return s[:maxQuestion] + " …"
	}
	return s
}

// questionLines is the question with its hint, unstyled.
func questionLines(pg *page, width int) []string {
	out := widget.Wrap(bounded(pg.item.Question), width)
	if pg.item.Hint != "" {
		out = append(out, widget.Wrap("hint: "+bounded(pg.item.Hint), width)...)
	}
	return out
}

// margin is the width of the marks and keys before an option's text.
const margin = 9

// optionLines are the texts of the options, each wrapped behind its keys.
func optionLines(all []choice, width int) (lines []string) {
	for _, c := range all {
		lines = append(lines, widget.Wrap(bounded(c.text), max(1, width-margin))...)
	}
	return lines
}
