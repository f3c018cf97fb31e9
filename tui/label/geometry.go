package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const (
	wideFrom   = 85 // cells from which the picture stands left of everything
	halvedFrom = 64 // cells from which an answer stands left of its criteria
)

// sizes is the room of the whole screen, in cells, and what of it the answer
// was given beside its own.
type sizes struct {
	width, height int
	room          widget.PaneSize
}

// geometry is where the parts of an item go. It depends on the item and the
// size alone, so that nothing moves while an item is in front.
type geometry struct {
	form    form
	picture struct{ cols, rows int } // room for the picture; none: 0
	column  int                      // width of the question
	options int                      // width of the options
	pane    int                      // width of the answer's pane and of those under it
	answer  int                      // width of the answer's text
	main    int                      // lines between header and status
	lines   int                      // lines of the answer, as far as they matter here
	keep    int                      // lines that the answer keeps, its title included
	room    widget.PaneSize
}

// form is where the picture stands.
type form uint8

const (
	plain  form = iota // no picture
	aside              // left of everything
	corner             // left of the question and its options, the answer below
	banner             // left of the question, options and answer below
	halved             // over the answer at the left, and question, criteria and options at the right
)

const (
	leastColumn = 44                   // cells that the text keeps beside a picture that grows
	leastText   = annotation.LeastText // cells of question and options beside a picture on a narrow screen
	leastRows   = annotation.LeastRows // rows under which a picture shows nothing
	shortAnswer = 3                    // lines that any answer keeps, its title included
	gist        = 2                    // lines of the question and of what is no option above an answer that has all the room
)

// geometry places the parts of an item: the rows and columns that the text
// does not need are the picture's.
func (s sizes) geometry(pg *page) geometry {
	if pg != nil && pg.placed == s {
		return pg.geometry
	}
	g := s.place(pg)
	if pg != nil {
		pg.placed, pg.geometry = s, g
	}
	return g
}

func (s sizes) place(pg *page) geometry {
	g := geometry{main: max(1, s.height-annotation.HeaderLines-annotation.StatusLines), column: s.width, options: s.width, pane: s.width, room: s.room}
	switch {
	case pg == nil:
		g.keep = g.least()
	case labeloption.Graded(&pg.Item) && s.width >= halvedFrom && s.room != widget.FullPane:
		g.halve(s.width, pg)
		return g
	case s.room == widget.FullPane:
		g.know(pg)
		g.keep = max(2, g.main-gist-max(1, (len(pg.choices)*annotation.LeastOption+s.width-1)/s.width))
	case len(pg.Pictures) > 0 && s.width >= wideFrom:
		g.stand(s.width, pg)
		g.know(pg)
	default:
		g.know(pg)
		if len(pg.Pictures) > 0 {
			g.tuck(s.width, pg)
		}
	}
	g.keep = max(1, min(g.keep, g.main-gist-1)) // of an option there is a line at least
	g.answer = max(1, g.pane-annotation.Gutter)
	return g
}

// halve puts the answer left of the criteria, and the picture over it.
func (g *geometry) halve(width int, pg *page) {
	g.form, g.column = halved, width*9/20
	g.options, g.pane = g.column, width-g.column-3
	if rows := g.main * 2 / 5; len(pg.Pictures) > 0 && rows >= leastRows {
		g.picture.cols, g.picture.rows = pg.Cells(g.pane, rows)
	}
	g.keep, g.answer = g.main-g.picture.rows, max(1, g.pane-annotation.Gutter)
	g.lines = pg.answerLines(g.answer, g.main)
}

// least is how many lines a long answer keeps, its title included.
func (g *geometry) least() int {
	least := min(max(5, g.main/3), max(2, g.main/2-1))
	return max(least, g.main-g.room.Leaves(g.main-least))
}

// know takes up how long the answer is.
func (g *geometry) know(pg *page) {
	g.lines = pg.answerLines(max(1, g.pane-annotation.Gutter), g.main)
	g.keep = max(2, min(max(g.lines+1, shortAnswer), g.least()))
}

// stand puts the picture left of everything. It takes two fifths of the
// width, and more as long as the text beside it is seen whole.
func (g *geometry) stand(width int, pg *page) {
	rows := g.main - 1 // the caption's
	base := g.room.Leaves(min(width*2/5, 100))
	cols, _ := pg.Cells(max(base, g.room.Leaves(width-leastColumn-3)), rows)
	for cols > base && pg.lines(width-cols-3, g.main) > g.main {
		cols = max(base, cols-2)
	}
	g.form = aside
	g.picture.cols, g.picture.rows = max(cols, leastText), rows
	g.column = width - g.picture.cols - 3
	g.options, g.pane = g.column, g.column
}

// tuck puts the picture into a corner of a narrow screen, wherever it gets
// larger, if it gets any room at all.
func (g *geometry) tuck(width int, pg *page) {
	room := g.main - g.keep - 1
	most := min(room, g.room.Leaves(g.main-shortAnswer-1)) // of the picture
	area := 0
	larger := func(cols, rows int) bool { // a panorama is low by itself
		return (rows >= leastRows || cols >= width/2) && cols*rows > area
	}
	take := func(f form, cols, rows int) {
		area, g.form = cols*rows, f
		g.picture.cols, g.picture.rows = cols, rows
	}
	under := len(optionLines(pg.choices, width)) + len(pg.verdictWords(width)) + 1
	for cols := width - leastText - 3; cols >= 8; cols -= 2 {
		c, r := pg.Cells(cols, most)
		if larger(c, r) && pg.context(width-c-3, room) <= room {
			take(corner, c, r)
		}
		c, r = pg.Cells(min(cols, width/2), min(most, room-under))
		if larger(c, r) && len(questionLines(pg, width-c-3)) <= room-under {
			take(banner, c, r)
		}
	}
	if area == 0 {
		return
	}
	g.column = width - g.picture.cols - 3
	if g.form == corner {
		g.options = g.column
	}
}

// context is how many lines question and options take in a column: more than
// most, when that is clear without laying them out.
func (pg *page) context(column, most int) int {
	size := len(pg.Item.Question) + len(pg.Item.Hint) + len(pg.Item.Reference)
	for i := range pg.choices {
		size += len(pg.choices[i].Text)
	}
	if column < 1 || size > 4*column*most {
		return most + 1
	}
	return len(questionLines(pg, column)) + 1 + len(optionLines(pg.choices, column)) + len(pg.verdictWords(column))
}

// lines is how many lines the whole text takes in a column, up to about most.
func (pg *page) lines(column, most int) int {
	n := pg.context(column, most)
	if n > most {
		return n
	}
	const between = 2 // air, and the answer's title
	return n + between + pg.answerLines(max(1, column-annotation.Gutter), most)
}

// answerLines is how many lines the answer takes, up to about most.
func (pg *page) answerLines(width, most int) int {
	t := widget.NewText(pg.Item.Prediction, width)
	t.Reach(most + 1)
	n, _ := t.Len()
	return max(1, n)
}

// questionLines is the question with its hint, and the right answer where it is
// shown, unstyled.
func questionLines(pg *page, width int) []string {
	out := widget.Wrap(annotation.Bounded(pg.Item.Question), width)
	if pg.Item.Hint != "" {
		out = append(out, widget.Wrap("hint: "+annotation.Bounded(pg.Item.Hint), width)...)
	}
	return append(out, referenceLines(pg, width)...)
}

func referenceLines(pg *page, width int) (out []string) {
	for i := range pg.Item.Rubric {
		out = append(out, criterionLines(pg, i, width)...)
	}
	if !labeloption.Scored(&pg.Item) {
		return out
	}
	return widget.Wrap("right answer: "+annotation.Bounded(pg.Item.Reference), width)
}

// margin is the width of the marks and keys before an option's text.
const margin = 9

// optionLines are the texts of the options, each wrapped behind its keys.
func optionLines(all []labeloption.Offer, width int) (lines []string) {
	for _, c := range all {
		lines = append(lines, widget.Wrap(annotation.Bounded(c.Text), max(1, width-margin))...)
	}
	return lines
}

// page is an item as it was read, with its answer laid out.
type page struct {
	*annotation.Page
	choices []labeloption.Offer
	answer  annotation.Response

	placed   sizes // the size that geometry is for
	geometry geometry
}

// lay lays an item out, beside the screen.
func lay(p *annotation.Page, width, height int) (pg *page, cols, rows int) {
	pg = &page{Page: p, choices: labeloption.Of(&p.Item), answer: annotation.Response{Raw: p.Item.Prediction, Cut: p.Item.Truncated}}
	g := sizes{width, height, widget.NormalPane}.geometry(pg)
	pg.answer.Laid = widget.NewText(p.Item.Prediction, g.answer).Whole()
	return pg, g.picture.cols, g.picture.rows
}

// fit makes a page ready for the present size.
func (m *Model) fit(_ int, pg *page) tea.Cmd {
	if m.item.at < 0 {
		m.item.advance() // the page came after its item was put in front
	}
	return pg.answer.Fit(m.item.geometry(pg).answer, m.Height)
}

// room is what the picture has, in cells.
func (m *Model) room(pg *page) (cols, rows int) {
	g := m.item.geometry(pg)
	return g.picture.cols, g.picture.rows
}
