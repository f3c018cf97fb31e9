package vote

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

const (
	besideFrom = 100                  // cells from which answers stand side by side by themselves
	columnFrom = 150                  // cells from which question and picture have a column of their own
	leastText  = annotation.LeastText // cells of the question beside a picture
	leastRows  = annotation.LeastRows // rows under which a picture shows nothing
	leastPane  = 20                   // cells under which answers are not set side by side
	legend     = 1                    // the line of what can be voted
)

// answerForm is how the answers stand to each other.
type answerForm uint8

const (
	automatic answerForm = iota
	beside
	stacked
)

// screenSizes is the room of the whole screen, in cells, and what was asked for.
type screenSizes struct {
	width, height int
	form          answerForm
	room          widget.PaneSize // of the answers; full: all of it but a line for the question
}

// pairLayout is where the parts of a pair go. It depends on the pair and the
// size alone, so that nothing moves while a pair is in front.
type pairLayout struct {
	form    answerForm
	full    bool                     // of the question there is one line, and no picture
	column  bool                     // question and picture stand left of the answers, else above
	picture struct{ cols, rows int } // none: 0
	main    int                      // lines between header and legend
	context int                      // lines of question, criteria and picture; in a column, main
	air     int                      // empty lines below them
	wide    int                      // cells of the question's text
	answers int                      // cells of both answers with what is between them
	pane    [2]int                   // cells of each answer's pane
	text    int                      // cells of an answer's text
	lines   []line                   // the question as it is set
}

// newPairLayout places the parts of a pair: the rows that the text does not need are the picture's.
func (s screenSizes) newPairLayout(t *widget.Theme, p *votePair) pairLayout {
	if p != nil && p.placed == s {
		return p.geometry
	}
	g := pairLayout{form: s.form, full: s.room == widget.FullPane, main: max(1, s.height-annotation.HeaderLines-annotation.StatusLines-legend), wide: s.width, answers: s.width}
	if g.form == automatic {
		g.form = eval.Either(s.width >= besideFrom, beside, stacked)
	}
	g.column = s.width >= columnFrom && !g.full
	if g.column {
		g.setColumn(max(leastPane, s.room.CellsLeft(min(72, s.width*3/10))), s.width)
		g.context = g.main
	}
	g.divideAnswers()
	if g.column && p != nil && p.hasPicture() && s.room.CellsLeft(s.width) == s.width {
		g.growColumn(t, p, s.width)
	}
	if p == nil {
		g.context = g.main / 3
		return g
	}
	switch {
	case g.full:
		g.context = min(1, g.main)
	case g.column:
		g.placePictureLeft(p)
	default:
		g.placePictureTop(t, p, s.room)
	}
	g.lines = p.contextLines(g.wide)
	p.placed, p.geometry = s, g
	return g
}

// setColumn gives the column of question and picture its cells, and the answers the rest.
func (g *pairLayout) setColumn(wide, width int) { g.wide, g.answers = wide, width-wide-3 }

// growColumn gives the column more cells for its picture, as long as both answers are seen whole beside it.
func (g *pairLayout) growColumn(t *widget.Theme, p *votePair, width int) {
	wide := width * 3 / 5
	most, _ := p.LargestPictureCells(wide, g.main-len(p.contextLines(wide))-2)
	for ; most > g.wide; most -= 4 {
		wider := *g
		wider.setColumn(most, width)
		wider.divideAnswers()
		high := [2]int{p.answers[0].answerHeight(t, wider.text, g.main), p.answers[1].answerHeight(t, wider.text, g.main)}
		if wider.form == beside && max(high[0], high[1]) < g.main || wider.form != beside && high[0]+high[1]+1 < g.main {
			*g = wider
			return
		}
	}
}

func (g *pairLayout) divideAnswers() {
	if g.form == beside && g.answers < 2*leastPane+3 {
		g.form = stacked
	}
	g.pane = [2]int{g.answers, g.answers}
	if g.form == beside {
		g.pane[0] = (g.answers - 3) / 2
		g.pane[1] = g.answers - 3 - g.pane[0]
	}
	g.text = max(1, min(g.pane[0], g.pane[1])-annotation.Gutter)
}

// placePictureLeft gives the picture what the text of the column leaves of it, but a third at least.
func (g *pairLayout) placePictureLeft(p *votePair) {
	if len(p.Pictures) == 0 {
		return
	}
	rows := max(g.main/3, g.main-len(p.contextLines(g.wide))-2)
	g.picture.cols, g.picture.rows = p.LargestPictureCells(g.wide, rows)
	g.picture.cols = g.wide
}

// placePictureTop puts question and picture above the answers: as many lines as they
// need, unless the answers need them more or were given more room.
func (g *pairLayout) placePictureTop(t *widget.Theme, p *votePair, r widget.PaneSize) {
	need := [2]int{p.answers[0].answerHeight(t, g.text, g.main), p.answers[1].answerHeight(t, g.text, g.main)}
	wants, least := need[0]+need[1]+2, max(6, g.main*3/5)
	if g.form == beside {
		wants, least = max(need[0], need[1])+1, max(5, g.main/2)
	}
	most, idle := max(1, r.CellsLeft(g.main-min(wants, least))), r.CellsLeft(g.main-wants-1)
	if p.hasPicture() {
		room := max(most, min(r.CellsLeft(g.main*3/5), idle))
		cols, rows := p.LargestPictureCells(max(8, min(g.wide*2/5, g.wide-leastText-3)), room)
		if rows >= leastRows && g.wide-cols-3 >= leastText {
			g.picture.cols, g.picture.rows = cols, rows
			g.wide -= cols + 3
		}
	}
	g.context = min(len(p.contextLines(g.wide)), most)
	if g.picture.rows > 0 {
		g.context = max(g.context, min(g.picture.rows, max(most, idle)))
		g.shrinkPicture(p)
	}
	if g.main > g.context+wants {
		g.air = 1
	}
}

// shrinkPicture fits the picture to the lines that there are for it.
func (g *pairLayout) shrinkPicture(p *votePair) {
	if g.picture.rows <= g.context {
		return
	}
	cols, rows := p.LargestPictureCells(g.picture.cols, g.context)
	if rows < leastRows {
		cols, rows = -3, 0
	}
	g.wide += g.picture.cols - cols
	g.picture.cols, g.picture.rows = max(0, cols), rows
}

func (p *votePair) hasPicture() bool {
	return slices.ContainsFunc(p.Pictures, func(pic annotation.Picture) bool { return pic.Image != nil })
}

// lineRole is what a line of the context is.
type lineRole uint8

const (
	question lineRole = iota
	about             // its type, the hint
	heading
	criterion
	option
)

type line struct {
	role lineRole
	text string
}

// contextLines is the question with its type, hint and criteria, unstyled.
func (p *votePair) contextLines(width int) []line {
	var out []line
	add := func(r lineRole, text string) {
		for _, l := range widget.WrapText(text, max(1, width)) {
			out = append(out, line{r, l})
		}
	}
	it := &p.Item
	add(question, annotation.CutLongText(it.Question))
	for _, o := range it.Options {
		add(option, string(o.Letter)+"  "+annotation.CutLongText(o.Text))
	}
	if it.Type != eval.TypeUnset {
		add(about, it.Type.String()+" question")
	}
	if it.Hint != "" {
		add(about, "hint: "+annotation.CutLongText(it.Hint))
	}
	if strings.TrimSpace(it.Criteria) != "" {
		add(heading, "Criteria")
		add(criterion, annotation.CutLongText(strings.TrimSpace(it.Criteria)))
	}
	return out
}

func (m *Model) pictureRoom(p *votePair) (cols, rows int) {
	g := m.pair.newPairLayout(p)
	return g.picture.cols, g.picture.rows
}
