package label

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

const (
	wideFrom = 85 // cells from which the picture stands left of everything
	gutter   = 2  // cells of the bar before the answer
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
)

const (
	leastColumn = 44 // cells that the text keeps beside a picture that grows
	leastText   = 28 // cells of question and options beside a picture on a narrow screen
	leastRows   = 4  // rows under which a picture shows nothing
	shortAnswer = 3  // lines that any answer keeps, its title included
	gist        = 2  // lines of the question and of what is no option above an answer that has all the room
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
	g.answer = max(1, g.pane-gutter)
	return g
}

// least is how many lines a long answer keeps, its title included.
func (g *geometry) least() int {
	least := min(max(5, g.main/3), max(2, g.main/2-1))
	return max(least, g.main-g.room.Leaves(g.main-least))
}

// know takes up how long the answer is.
func (g *geometry) know(pg *page) {
	g.lines = pg.answerLines(max(1, g.pane-gutter), g.main)
	g.keep = max(2, min(max(g.lines+1, shortAnswer), g.least()))
}

// stand puts the picture left of everything. It takes two fifths of the
// width, and more as long as the text beside it is seen whole.
func (g *geometry) stand(width int, pg *page) {
	rows := g.main - 1 // the caption's
	base := g.room.Leaves(min(width*2/5, 100))
	cols, _ := pg.cells(max(base, g.room.Leaves(width-leastColumn-3)), rows)
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
		c, r := pg.cells(cols, most)
		if larger(c, r) && pg.context(width-c-3, room) <= room {
			take(corner, c, r)
		}
		c, r = pg.cells(min(cols, width/2), min(most, room-under))
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

// cells is the room that the largest of the item's pictures takes of cols by
// rows; one that cannot be shown has a few words in its place.
func (pg *page) cells(cols, rows int) (wide, high int) {
	for i := range pg.Pictures {
		c, r := min(cols, leastText), min(rows, leastRows)
		if img := pg.Pictures[i].Image; img != nil {
			c, r = img.Cells(cols, rows)
		}
		wide, high = max(wide, c), max(high, r)
	}
	return wide, high
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
	return n + between + pg.answerLines(max(1, column-gutter), most)
}

// answerLines is how many lines the answer takes, up to about most.
func (pg *page) answerLines(width, most int) int {
	t := widget.NewText(pg.Item.Prediction, width)
	t.Reach(most + 1)
	n, _ := t.Len()
	return max(1, n)
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

// questionLines is the question with its hint, and the right answer where it is
// shown, unstyled.
func questionLines(pg *page, width int) []string {
	out := widget.Wrap(bounded(pg.Item.Question), width)
	if pg.Item.Hint != "" {
		out = append(out, widget.Wrap("hint: "+bounded(pg.Item.Hint), width)...)
	}
	return append(out, referenceLines(pg, width)...)
}

func referenceLines(pg *page, width int) []string {
	if !labeloption.Scored(&pg.Item) {
		return nil
	}
	return widget.Wrap("right answer: "+bounded(pg.Item.Reference), width)
}

// margin is the width of the marks and keys before an option's text.
const margin = 9

// optionLines are the texts of the options, each wrapped behind its keys.
func optionLines(all []labeloption.Offer, width int) (lines []string) {
	for _, c := range all {
		lines = append(lines, widget.Wrap(bounded(c.Text), max(1, width-margin))...)
	}
	return lines
}

// page is an item as it was read, with its answer laid out.
type page struct {
	*annotation.Page
	choices []labeloption.Offer
	text    *widget.Text // the answer, for the width of its pane
	blank   string       // what to say of an answer that shows nothing

	placed   sizes // the size that geometry is for
	geometry geometry
}

// indexed is an answer that was laid out to its end.
type indexed struct {
	of    *Model
	index int
	text  *widget.Text
}

// lay lays an item out, beside the screen.
func lay(p *annotation.Page, width, height int) (pg *page, cols, rows int) {
	pg = &page{Page: p, choices: labeloption.Of(&p.Item), blank: blank(p.Item.Prediction)}
	g := sizes{width, height, widget.NormalPane}.geometry(pg)
	pg.text = widget.NewText(p.Item.Prediction, g.answer).Whole()
	return pg, g.picture.cols, g.picture.rows
}

// small is up to which size an answer is laid out on the spot: it takes under
// a millisecond.
const small = 32 << 10

// fit makes a page ready for the present size.
func (m *Model) fit(index int, pg *page) tea.Cmd {
	g := m.item.geometry(pg)
	if pg.text == nil || pg.text.Width() != g.answer {
		pg.text = widget.NewText(pg.Item.Prediction, g.answer)
	}
	if _, all := pg.text.Len(); all {
		return nil
	}
	pg.text.Reach(m.Height)
	if len(pg.Item.Prediction) <= small {
		pg.text = pg.text.Whole()
	} else if _, all := pg.text.Len(); !all {
		text := pg.text.Clone()
		return func() tea.Msg { return indexed{m, index, text.Whole()} }
	}
	return nil
}

// index puts a text that was laid out to its end in the place of the one that
// was not.
func (m *Model) index(msg indexed) {
	if pg := m.BodyAt(msg.index); pg != nil && pg.text != nil && pg.text.Width() == msg.text.Width() {
		pg.text = msg.text
	}
}

// room is what the picture has, in cells.
func (m *Model) room(pg *page) (cols, rows int) {
	g := m.item.geometry(pg)
	return g.picture.cols, g.picture.rows
}

// blank is what to say of an answer that shows nothing; "" of one that does.
func blank(answer string) string {
	switch {
	case answer == "":
		return "(the answer is empty)"
	case strings.TrimSpace(answer) == "":
		return fmt.Sprintf("(the answer is %s of white space)", widget.Plural(len(answer), "byte"))
	}
	return ""
}
