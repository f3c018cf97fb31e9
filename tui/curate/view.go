package curate

import (
	"fmt"
	"strings"

	"concord/tui/annotation"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.size.width, m.size.height = width, height
	m.list.resize()
	m.text.Width = m.size.textWidth(m.mode)
}

// View draws the screen.
func (m *Model) View() string {
	if m.size.width <= 0 || m.size.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(lines(m), m.size.width, m.size.height), "\n")
}

func lines(m *Model) []string {
	switch {
	case m.mode == naming:
		return nameLines(m)
	case m.cards.board == nil:
		return m.list.shelfLines()
	case m.mode == placing && m.cards.card() != nil:
		return m.axisForm.placeLines()
	case m.mode == annotation.Zooming && m.cards.card() != nil:
		return widget.Block(m.pictures.lines(m.cards.card(), m.size.width, m.size.pictureRoom(m.mode)), m.size.width, m.size.height)
	}
	out := append([]string{headLine(m), m.standing.placeLine()}, mainLines(m)...)
	out = append(append(out, m.balance.balanceLine()), m.standing.verdictLines()...)
	return append(out, statusLine(m))
}

func mainLines(m *Model) []string {
	height := m.size.mainHeight()
	if m.mode == weighing {
		return widget.Block(m.balance.balanceLines(m.size.width, height, m.top), m.size.width, height)
	}
	if m.mode == annotation.Guiding {
		lines := widget.Wrap(m.Keyed(guideline), max(1, min(m.size.width-2, 90)))
		return widget.Block(scrolled(m, "Guideline", lines, m.size.width, height), m.size.width, height)
	}
	side := m.size.balanceColumns()
	width := m.size.width
	if side > 0 {
		width -= side + 3
	}
	main := cardLines(m, width, height)
	if side > 0 {
		main = m.theme.Beside(main, m.balance.balanceLines(side, height, 0), width, m.size.width, height)
	}
	return widget.Block(main, m.size.width, height)
}

// scrolled is a text under its title, from the first line that is shown.
func scrolled(m *Model, title string, lines []string, width, height int) []string {
	rows := height - 1
	m.top = max(0, min(m.top, len(lines)-rows))
	out := []string{annotation.Section(m.theme, title, m.top, rows, len(lines), m.Keyed("{up down} scroll"), true, width)}
	for _, l := range lines[m.top:min(m.top+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return out
}

// cardLines is the picture beside the text.
func cardLines(m *Model, width, height int) []string {
	c := m.cards.card()
	if c == nil {
		return m.standing.finished(width)
	}
	cols := m.size.pictureColumns()
	room := width - cols - 4
	if cols == 0 {
		room = width - 1
	}
	text := m.sample.textLines(c, room)
	top := max(0, min(m.top, len(text)-height))
	more := len(text) - top - height
	text = text[top:min(len(text), top+height)]
	if more > 0 {
		text[len(text)-1] = m.theme.Faint.Render(widget.Plural(more+1, "line") + " more ↓ " + m.Spelled("down"))
	}
	for i := range text {
		text[i] = " " + text[i]
	}
	if cols == 0 {
		return text
	}
	return m.theme.Beside(m.pictures.lines(c, cols-1, m.size.pictureRoom(m.mode)), text, cols, width, height)
}

// headLine is what is curated, how far the person is, and what is saved.
func headLine(m *Model) string {
	t := m.theme
	done, all := m.cards.progress()
	left := " " + t.Strong.Render(widget.Cut(widget.Line(string(m.cards.board.Dataset())), max(8, m.size.width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.Count(done), widget.Count(all))
	if all > 0 {
		left += t.Bar(min(20, m.size.width/6), float64(done)/float64(all))
	}
	if m.cards.settle {
		left += t.Warn.Render("  adjudicating")
	}
	left += filterText(m)
	return widget.Ends(left, m.journal.savingText(), m.size.width)
}

func filterText(m *Model) string {
	t, f := m.theme, &m.cards.filter
	if m.mode == filtering {
		return "  / " + m.text.View()
	}
	var parts []string
	if f.words != "" {
		parts = append(parts, widget.Line(f.words))
	}
	if f.source != "" {
		parts = append(parts, widget.Line(f.source))
	}
	if f.axis != nil {
		parts = append(parts, widget.Line(f.axis[len(f.axis)-1]))
	}
	if f.state != firstState(m.cards.settle) {
		parts = append(parts, stateNames[f.state])
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + t.Accent.Render("["+strings.Join(parts, ", ")+"]")
}

// statusLine is why the last key did nothing, the note that is typed, a
// failure, or the note of the sample.
func statusLine(m *Model) string {
	t, c := m.theme, m.cards.card()
	switch {
	case m.mode == annotation.Noting:
		return widget.Fit(" "+t.Title.Render("NOTE")+" "+m.text.View(), m.size.width)
	case m.refusal != "":
		return widget.Fit(" "+t.Warn.Render("✗ "+m.refusal), m.size.width)
	case m.journal.saving.Err != nil:
		return t.Bad.Render(widget.Fit(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.Plural(m.journal.saving.Pending, "act"), m.Spelled("save_again")), m.size.width))
	case c == nil:
		return ""
	}
	if n := m.cards.board.State().Notes[c.Sample.Ordinal]; n != "" {
		return widget.Fit(" "+t.Faint.Render("note: ")+widget.Line(n), m.size.width)
	}
	return ""
}
