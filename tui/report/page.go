package report

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// sections is how many there are, pages among them.
func (m *Model) sections() section { return sections + section(len(m.pages)) } //nolint:gosec // a dozen

// nameOf is how a section is called.
func (m *Model) nameOf(s section) string {
	if s < sections {
		return sectionNames[s]
	}
	return m.pages[s-sections].name
}

// page is the shown one; nil in a section that is none.
func (m *Model) page() *page {
	if m.section < sections {
		return nil
	}
	return &m.pages[m.section-sections]
}

// state is where the reader is in the shown page.
func (m *Model) state() *pageState { return &m.states[m.section-sections] }

// paged are the figures of the shown page; nil before they were computed, and
// in a section that is no page.
func (m *Model) paged() *pageFigures {
	if m.page() == nil {
		return nil
	}
	st := m.state()
	return st.by[pagePlace{st.place, st.layout}]
}

// pressPage takes a key that moves through the cells, and reports whether it was
// one.
func (m *Model) pressPage(msg tea.KeyMsg) bool {
	f := m.paged()
	if f == nil || f.rows() == 0 {
		return false
	}
	at, n := &m.state().spot, f.rows()
	if by, ok := m.keys.moves.By(msg, m.listHeight(), n); ok {
		at.row = max(0, min(at.row+by, n-1))
		return true
	}
	if key.Matches(msg, m.keys.drawn) {
		m.pressBars()
		return true
	}
	if !key.Matches(msg, m.keys.columns) {
		return false
	}
	table, _ := f.find(at.row)
	by := 1
	if msg.String() == "left" {
		by = -1
	}
	last := len(f.sheets[table].stops) - 1
	at.column = max(0, min(min(at.column, last)+by, last))
	return true
}

// pressPlace takes a key that chooses what a page is about, or its layout.
func (m *Model) pressPlace(msg tea.KeyMsg) tea.Cmd {
	st, p := m.state(), m.page()
	next := func(by, n int) int { return (by%n + n) % n }
	at := slices.Index(st.places, st.place)
	switch n := len(st.places); {
	case key.Matches(msg, m.keys.queueNext) && n > 1:
		st.place = st.places[next(at+1, n)]
	case key.Matches(msg, m.keys.queuePrev) && n > 1:
		st.place = st.places[next(at-1, n)]
	case key.Matches(msg, m.keys.layout) && len(p.layouts) > 1:
		st.layout = next(st.layout+1, len(p.layouts))
	default:
		return nil
	}
	st.spot = spot{}
	return m.Enter()
}

// cell is what the cell of the reader opens.
func (m *Model) cell() (open OpenSamples, figure, ok bool) {
	f := m.paged()
	if f == nil || f.rows() == 0 {
		return open, false, false
	}
	at := &m.state().spot
	at.row = min(at.row, f.rows()-1)
	table, row := f.find(at.row)
	s := &f.sheets[table]
	column := s.column(at.column)
	open, ok = m.cellBehind(s, row, column)
	return open, column >= 0 && s.cells[row][column].Figure(), ok
}

func (m *Model) enterCell() tea.Cmd {
	open, figure, ok := m.cell()
	switch {
	case ok:
		return send(open)
	case figure:
		return send(widget.Notify{Level: widget.Info, Text: "no sample is behind this figure"})
	}
	return send(widget.Notify{Level: widget.Info, Text: m.Keyed("there is no figure here: {left right} goes to one")})
}

// pageLine says what the page is about.
func (m *Model) pageLine() string {
	st, p, t := m.state(), m.page(), m.theme
	out := "  " + t.Faint.Render("dataset ") + t.Strong.Render(widget.Line(st.place))
	if st.place == allDatasets {
		out = "  " + t.Faint.Render("all datasets")
	}
	if n := len(st.places); n > 1 {
		out += t.Faint.Render(fmt.Sprintf(" (%d of %d, %s next)", slices.Index(st.places, st.place)+1, n, m.Spelled("n")))
	}
	if len(p.layouts) > 1 {
		name := p.layouts[st.layout].name
		if name == "" {
			name = "its defaults"
		}
		out += t.Faint.Render("  " + name + fmt.Sprintf(" (%d of %d, %s next)", st.layout+1, len(p.layouts), m.Spelled("d")))
	}
	return out
}

func (m *Model) emptyPage() string {
	p := m.page()
	st := m.state()
	if f := m.paged(); f != nil && f.missing != "" && (st.layout > 0 || len(st.places) > 1) { // others may have some
		return "Missing: " + widget.Line(f.missing) + ".\n\n" + m.Keyed(p.empty)
	}
	return m.Keyed(p.empty)
}
