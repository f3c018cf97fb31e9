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

// form is how the answers stand to each other.
type form uint8

const (
	automatic form = iota
	beside
	stacked
)

// sizes is the room of the whole screen, in cells, and what was asked for.
type sizes struct {
	width, height int
	form          form
	room          widget.PaneSize // of the answers; full: all of it but a line for the question
}

// geometry is where the parts of a pair go. It depends on the pair and the
// size alone, so that nothing moves while a pair is in front.
type geometry struct {
	form    form
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

// geometry places the parts of a pair: the rows that the text does not need
// are the picture's.
func (s sizes) geometry(t *widget.Theme, p *pair) geometry {
	if p != nil && p.placed == s {
		return p.geometry
	}
	g := geometry{form: s.form, full: s.room == widget.FullPane, main: max(1, s.height-annotation.HeaderLines-annotation.StatusLines-legend), wide: s.width, answers: s.width}
	if g.form == automatic {
		g.form = stacked
		if s.width >= besideFrom {
			g.form = beside
		}
	}
	g.column = s.width >= columnFrom && !g.full
	if g.column {
		g.wide = max(leastPane, s.room.Leaves(min(72, s.width*3/10)))
		g.answers = s.width - g.wide - 3
		g.context = g.main
	}
	g.divide()
	if p == nil {
		g.context = g.main / 3
		return g
	}
	switch {
	case g.full:
		g.context = min(1, g.main)
	case g.column:
		g.stand(p)
	default:
		g.top(t, p, s.room)
	}
	g.lines = p.context(g.wide)
	p.placed, p.geometry = s, g
	return g
}

// divide gives each answer its cells.
func (g *geometry) divide() {
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

// stand gives the picture what the text of the column leaves of it, but a
// third at least.
func (g *geometry) stand(p *pair) {
	if len(p.Pictures) == 0 {
		return
	}
	rows := max(g.main/3, g.main-len(p.context(g.wide))-2)
	g.picture.cols, g.picture.rows = p.Cells(g.wide, rows)
	g.picture.cols = g.wide
}

// top puts question and picture above the answers: as many lines as they
// need, unless the answers need them more or were given more room.
func (g *geometry) top(t *widget.Theme, p *pair, r widget.PaneSize) {
	need := [2]int{p.answers[0].height(t, g.text, g.main), p.answers[1].height(t, g.text, g.main)}
	wants, least := need[0]+need[1]+2, max(6, g.main*3/5)
	if g.form == beside {
		wants, least = max(need[0], need[1])+1, max(5, g.main/2)
	}
	most, idle := max(1, r.Leaves(g.main-min(wants, least))), r.Leaves(g.main-wants-1)
	if p.seen() {
		room := max(most, min(r.Leaves(g.main*3/5), idle))
		cols, rows := p.Cells(max(8, min(g.wide*2/5, g.wide-leastText-3)), room)
		if rows >= leastRows && g.wide-cols-3 >= leastText {
			g.picture.cols, g.picture.rows = cols, rows
			g.wide -= cols + 3
		}
	}
	g.context = min(len(p.context(g.wide)), most)
	if g.picture.rows > 0 {
		g.context = max(g.context, min(g.picture.rows, max(most, idle)))
		g.shrink(p)
	}
	if g.main > g.context+wants {
		g.air = 1
	}
}

// shrink fits the picture to the lines that there are for it.
func (g *geometry) shrink(p *pair) {
	if g.picture.rows <= g.context {
		return
	}
	cols, rows := p.Cells(g.picture.cols, g.context)
	if rows < leastRows {
		cols, rows = -3, 0
	}
	g.wide += g.picture.cols - cols
	g.picture.cols, g.picture.rows = max(0, cols), rows
}

// seen reports whether any of the pair's pictures can be shown.
func (p *pair) seen() bool {
	return slices.ContainsFunc(p.Pictures, func(pic annotation.Picture) bool { return pic.Image != nil })
}

// role is what a line of the context is.
type role uint8

const (
	question role = iota
	about         // its type, the hint
	heading
	criterion
)

type line struct {
	role role
	text string
}

// context is the question with its type, hint and criteria, unstyled.
func (p *pair) context(width int) []line {
	var out []line
	add := func(r role, text string) {
		for _, l := range widget.Wrap(text, max(1, width)) {
			out = append(out, line{r, l})
		}
	}
	it := &p.Item
	add(question, annotation.Bounded(it.Question))
	for _, o := range it.Options {
		add(question, string(o.Letter)+"  "+annotation.Bounded(o.Text))
	}
	if it.Type != eval.TypeUnset {
		add(about, it.Type.String()+" question")
	}
	if it.Hint != "" {
		add(about, "hint: "+annotation.Bounded(it.Hint))
	}
	if strings.TrimSpace(it.Criteria) != "" {
		add(heading, "Criteria")
		add(criterion, annotation.Bounded(strings.TrimSpace(it.Criteria)))
	}
	return out
}

// room is what the picture has, in cells.
func (m *Model) room(p *pair) (cols, rows int) {
	g := m.pair.geometry(p)
	return g.picture.cols, g.picture.rows
}
