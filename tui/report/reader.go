package report

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// reader is where somebody is in a page: what it is about, and the cell.
type reader struct {
	page
	asked  request  // what is shown
	places []string // datasets or queues to choose from; allDatasets is all of them
	models []string // of the shown dataset's votes: one of them is the anchor
	drawn  bool     // a column is drawn as bars
	by     map[request]*pageFigures
	spot
}

// request is what a page is asked to show.
type request struct {
	place  string // a dataset or a queue; "": all, or not known yet
	layout int
	anchor string // "": the one that all share
}

func newReader(p page) *reader {
	return &reader{page: p, drawn: p.bars, by: make(map[request]*pageFigures)}
}

// figures are those that are shown; nil before they were computed.
func (r *reader) figures() *pageFigures { return r.by[r.asked] }

// move takes a key that moves through the cells, or draws them another way, and
// reports whether it was one.
func (r *reader) move(msg tea.KeyMsg, k *keys, height int) bool {
	f := r.figures()
	if f == nil || f.rows() == 0 {
		return false
	}
	if by, ok := k.moves.By(msg, height, f.rows()); ok {
		r.row = max(0, min(r.row+by, f.rows()-1))
		return true
	}
	if key.Matches(msg, k.bars) {
		r.drawn = !r.drawn
		return true
	}
	if !key.Matches(msg, k.columns) {
		return false
	}
	table, _ := f.find(r.row)
	by := 1
	if msg.String() == "left" {
		by = -1
	}
	last := len(f.sheets[table].stops) - 1
	r.column = max(0, min(min(r.column, last)+by, last))
	return true
}

// choose takes a key that chooses what the page is about, or its layout, and
// reports whether it was one.
func (r *reader) choose(msg tea.KeyMsg, k *keys) bool {
	at, n := slices.Index(r.places, r.asked.place), len(r.places)
	switch {
	case key.Matches(msg, k.placeNext) && n > 1:
		r.asked.place = r.places[(at+1)%n]
	case key.Matches(msg, k.placePrev) && n > 1:
		r.asked.place = r.places[(max(at, 0)+n-1)%n]
	case key.Matches(msg, k.layout) && len(r.layouts) > 1:
		r.asked.layout = (r.asked.layout + 1) % len(r.layouts)
	case key.Matches(msg, k.anchor) && len(r.models) > 1:
		r.asked.anchor = r.models[(slices.Index(r.models, r.asked.anchor)+1)%len(r.models)]
	default:
		return false
	}
	r.spot = spot{}
	return true
}

// cell is the table, row and column that the reader is at; column -1 where there
// is none to be gone to, no sheet without figures.
func (r *reader) cell() (s *sheet, row, column int) {
	f := r.figures()
	if f == nil || f.rows() == 0 {
		return nil, 0, -1
	}
	r.row = min(r.row, f.rows()-1)
	table, row := f.find(r.row)
	s = &f.sheets[table]
	return s, row, s.column(r.column)
}

// opened is what the reader's cell opens; nil: nothing.
func (r *reader) opened(s Source) tea.Msg {
	of, row, column := r.cell()
	if column < 0 {
		return nil
	}
	return of.opens(s, row, column, r.figures().hidden != "")
}

// opens is what the open key does at the reader's cell.
func (r *reader) opens(s Source, spelling *keymap.Spelling) tea.Msg {
	if msg := r.opened(s); msg != nil {
		return msg
	}
	switch of, row, column := r.cell(); {
	case column < 0 || !of.cells[row][column].Figure():
		return widget.Notify{Level: widget.Info, Text: spelling.Keyed("there is no figure here: {left right} goes to one")}
	case r.figures().hidden != "":
		return widget.Notify{Level: widget.Info, Text: r.figures().hidden}
	}
	return widget.Notify{Level: widget.Info, Text: "no sample is behind this figure"}
}

// printed is the command that prints the page as it is.
func (r *reader) printed() string {
	out := r.command
	if len(r.layouts) > 0 && r.layouts[r.asked.layout].flags != "" {
		out += " " + r.layouts[r.asked.layout].flags
	}
	if flag := r.scope.flag(); flag != "" && r.asked.place != allDatasets {
		out += " " + flag + " " + widget.Line(r.asked.place)
	}
	if r.asked.anchor != "" {
		out += " --anchor " + widget.Line(r.asked.anchor)
	}
	return "concord report " + strings.TrimSpace(out)
}
