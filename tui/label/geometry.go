package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const (
	wideFrom   = 85 // cells from which the picture stands left of everything
	halvedFrom = 64 // cells from which an answer stands left of its criteria
)

// screenSizes is the room of the whole screen, in cells, and what of it the answer got beside its own.
type screenSizes struct {
	width, height int
	room          widget.PaneSize
}

// itemLayout is where the parts of an item go. It depends on the item and the
// size alone, so that nothing moves while an item is in front.
type itemLayout struct {
	form    pictureForm
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

// pictureForm is where the picture stands.
type pictureForm uint8

const (
	plain  pictureForm = iota // no picture
	aside                     // left of everything
	corner                    // left of the question and its options, the answer below
	banner                    // left of the question, options and answer below
	halved                    // over the answer at the left, and question, criteria and options at the right
)

const (
	leastColumn = 44                   // cells that the text keeps beside a picture that grows
	leastText   = annotation.LeastText // cells of question and options beside a picture on a narrow screen
	leastRows   = annotation.LeastRows // rows under which a picture shows nothing
	shortAnswer = 3                    // lines that any answer keeps, its title included
	gist        = 2                    // lines of the question and of what is no option above an answer that has all the room
)

// newItemLayout places the parts of an item: what the text does not need is the picture's.
func (s screenSizes) newItemLayout(pg *itemPage) itemLayout {
	if pg != nil && pg.placed == s {
		return pg.geometry
	}
	g := s.layOutParts(pg)
	if pg != nil {
		pg.placed, pg.geometry = s, g
	}
	return g
}

func (s screenSizes) layOutParts(pg *itemPage) itemLayout {
	g := itemLayout{main: max(1, s.height-annotation.HeaderLines-annotation.StatusLines), column: s.width, options: s.width, pane: s.width, room: s.room}
	switch {
	case pg == nil:
		g.keep = g.minAnswerLines()
	case labeloption.IsGraded(&pg.Item) && s.width >= halvedFrom && s.room != widget.FullPane:
		g.placeCriteriaRight(s.width, pg)
		return g
	case s.room == widget.FullPane:
		g.setAnswerHeight(pg)
		g.keep = max(2, g.main-gist-max(1, (len(pg.choices)*annotation.LeastOption+s.width-1)/s.width))
	case len(pg.Pictures) > 0 && s.width >= wideFrom:
		g.placePictureLeft(s.width, pg)
		g.setAnswerHeight(pg)
	default:
		g.setAnswerHeight(pg)
		if len(pg.Pictures) > 0 {
			g.placePictureInCorner(s.width, pg)
		}
	}
	g.keep = max(1, min(g.keep, g.main-gist-1)) // of an option there is a line at least
	g.answer = max(1, g.pane-annotation.Gutter)
	return g
}

// placeCriteriaRight puts the answer left of the criteria, and the picture over it: two
// fifths of the lines, and more where the answer needs less than the others.
func (g *itemLayout) placeCriteriaRight(width int, pg *itemPage) {
	g.form, g.column = halved, width*9/20
	g.options, g.pane = g.column, width-g.column-3
	g.answer = max(1, g.pane-annotation.Gutter)
	g.lines = pg.countAnswerLines(g.answer, g.main)
	if rows := max(g.main*2/5, g.main-g.lines-2); len(pg.Pictures) > 0 && rows >= leastRows {
		g.picture.cols, g.picture.rows = pg.LargestPictureCells(g.pane, rows)
	}
	g.keep = g.main - g.picture.rows
}

// minAnswerLines is how many lines a long answer keeps, its title included.
func (g *itemLayout) minAnswerLines() int {
	least := min(max(5, g.main/3), max(2, g.main/2-1))
	return max(least, g.main-g.room.CellsLeft(g.main-least))
}

// setAnswerHeight takes up how long the answer is.
func (g *itemLayout) setAnswerHeight(pg *itemPage) {
	g.lines = pg.countAnswerLines(max(1, g.pane-annotation.Gutter), g.main)
	g.keep = max(2, min(max(g.lines+1, shortAnswer), g.minAnswerLines()))
}

// placePictureLeft puts the picture left of everything. It takes two fifths of the
// width, and more as long as the text beside it is seen whole.
func (g *itemLayout) placePictureLeft(width int, pg *itemPage) {
	rows := g.main - 1 // the caption's
	base := g.room.CellsLeft(min(width*2/5, 100))
	cols, _ := pg.LargestPictureCells(max(base, g.room.CellsLeft(width-leastColumn-3)), rows)
	for cols > base && pg.countTextLines(width-cols-3, g.main) > g.main {
		cols = max(base, cols-2)
	}
	g.form = aside
	g.picture.cols, g.picture.rows = max(cols, leastText), rows
	g.column = width - g.picture.cols - 3
	g.options, g.pane = g.column, g.column
}

// placePictureInCorner puts the picture into a corner of a narrow screen, wherever it gets
// larger, if it gets any room at all.
func (g *itemLayout) placePictureInCorner(width int, pg *itemPage) {
	room := g.main - g.keep - 1
	most := min(room, g.room.CellsLeft(g.main-shortAnswer-1)) // of the picture
	area := 0
	larger := func(cols, rows int) bool { // a panorama is low by itself
		return (rows >= leastRows || cols >= width/2) && cols*rows > area
	}
	take := func(f pictureForm, cols, rows int) {
		area, g.form = cols*rows, f
		g.picture.cols, g.picture.rows = cols, rows
	}
	under := len(wrapOptions(pg.choices, width)) + len(pg.layOutNonOptions(width)) + 1
	for cols := width - leastText - 3; cols >= 8; cols -= 2 {
		c, r := pg.LargestPictureCells(cols, most)
		if larger(c, r) && pg.countContextLines(width-c-3, room) <= room {
			take(corner, c, r)
		}
		c, r = pg.LargestPictureCells(min(cols, width/2), min(most, room-under))
		if larger(c, r) && len(wrapQuestion(pg, width-c-3)) <= room-under {
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

// countContextLines counts how many lines question and options take in a column: more than
// most, when that is clear without laying them out.
func (pg *itemPage) countContextLines(column, most int) int {
	size := len(pg.Item.Question) + len(pg.Item.Hint) + len(pg.Item.Reference) + eval.Sum(pg.choices, func(c labeloption.Option) int { return len(c.Text) })
	if column < 1 || size > 4*column*most {
		return most + 1
	}
	return len(wrapQuestion(pg, column)) + 1 + len(wrapOptions(pg.choices, column)) + len(pg.layOutNonOptions(column))
}

// countTextLines counts how many lines the whole text takes in a column, up to about most.
func (pg *itemPage) countTextLines(column, most int) int {
	n := pg.countContextLines(column, most)
	if n > most {
		return n
	}
	const between = 2 // air, and the answer's title
	return n + between + pg.countAnswerLines(max(1, column-annotation.Gutter), most)
}

// countAnswerLines counts how many lines the answer takes, up to about most.
func (pg *itemPage) countAnswerLines(width, most int) int {
	t := widget.NewText(pg.Item.Prediction, width)
	t.LayOutTo(most + 1)
	n, _ := t.Len()
	return max(1, n)
}

// wrapQuestion gives the question with its hint, and the right answer where it is shown, unstyled.
func wrapQuestion(pg *itemPage, width int) []string {
	out := widget.WrapText(annotation.CutLongText(pg.Item.Question), width)
	if pg.Item.Hint != "" {
		out = append(out, widget.WrapText("hint: "+annotation.CutLongText(pg.Item.Hint), width)...)
	}
	return append(out, wrapReference(pg, width)...)
}

func wrapReference(pg *itemPage, width int) (out []string) {
	for i := range pg.Item.Rubric {
		out = append(out, wrapCriterion(pg, i, width)...)
	}
	if !labeloption.IsScored(&pg.Item) {
		return out
	}
	return widget.WrapText("right answer: "+annotation.CutLongText(pg.Item.Reference), width)
}

// margin is the width of the marks and keys before an option's text.
const margin = 9

// wrapOptions gives the texts of the options, each wrapped behind its keys.
func wrapOptions(all []labeloption.Option, width int) (lines []string) {
	return append(lines, eval.FlatMap(all, func(c labeloption.Option) []string {
		return widget.WrapText(annotation.CutLongText(c.Text), max(1, width-margin))
	})...)
}

// itemPage is an item as it was read, with its answer laid out.
type itemPage struct {
	*annotation.Page
	choices []labeloption.Option
	answer  annotation.Response

	placed   screenSizes // the size that geometry is for
	geometry itemLayout
}

// layOutPage lays an item out, beside the screen.
func layOutPage(p *annotation.Page, width, height int) (pg *itemPage, cols, rows int) {
	pg = &itemPage{Page: p, choices: labeloption.OptionsFor(&p.Item), answer: annotation.Response{Raw: p.Item.Prediction, Cut: p.Item.Truncated}}
	g := screenSizes{width, height, widget.NormalPane}.newItemLayout(pg)
	pg.answer.Laid = widget.NewText(p.Item.Prediction, g.answer).LayOutWhole()
	return pg, g.picture.cols, g.picture.rows
}

// fitPageToSize makes a page ready for the present size.
func (m *Model) fitPageToSize(_ int, pg *itemPage) tea.Cmd {
	if m.item.at < 0 {
		m.item.showNextUngraded() // the page came after its item was put in front
	}
	return pg.answer.LayOutForWidth(m.item.newItemLayout(pg).answer, m.Height)
}

func (m *Model) pictureRoom(pg *itemPage) (cols, rows int) {
	g := m.item.newItemLayout(pg)
	return g.picture.cols, g.picture.rows
}
