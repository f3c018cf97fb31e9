package label

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

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
