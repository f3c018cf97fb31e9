package curate

import (
	"fmt"
	"strings"

	"concord/annotate/curation"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// The lines that are always there: what is curated and the sample in front;
// then balance, verdicts and status.
const (
	headLines = 2
	footLines = 3
)

// sideFrom is the width from which the balance has a column of its own.
const sideFrom = 150

func (m *Model) mainHeight() int { return max(1, m.height-headLines-footLines) }

func (m *Model) balanceColumns() int {
	if m.width < sideFrom {
		return 0
	}
	return m.space.Leaves(m.width / 4)
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.shelf.Set(m.shelf.At, len(m.datasets), m.shelfHeight())
	m.text.Width = m.textWidth()
}

// textWidth is the room for what is typed.
func (m *Model) textWidth() int {
	if m.mode == placing {
		return m.placeWidth() - 6
	}
	return max(10, m.width/2-10)
}

// View draws the screen.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(m.lines(), m.width, m.height), "\n")
}

func (m *Model) lines() []string {
	switch {
	case m.mode == naming:
		return m.nameLines()
	case m.board == nil:
		return m.shelfLines()
	case m.mode == placing && m.card() != nil:
		return m.placeLines()
	case m.mode == annotation.Zooming && m.card() != nil:
		return widget.Block(m.pictureLines(m.card(), m.width), m.width, m.height)
	}
	out := append([]string{m.headLine(), m.placeLine()}, m.mainLines()...)
	return append(out, m.balanceLine(), m.verdictLine(), m.statusLine())
}

func (m *Model) mainLines() []string {
	height := m.mainHeight()
	if m.mode == weighing {
		return widget.Block(m.balanceLines(m.width, height, m.top), m.width, height)
	}
	if m.mode == annotation.Guiding {
		lines := widget.Wrap(m.Keyed(guideline), max(1, min(m.width-2, 90)))
		return widget.Block(m.scrolled("Guideline", lines, m.width, height), m.width, height)
	}
	side := m.balanceColumns()
	width := m.width
	if side > 0 {
		width -= side + 3
	}
	main := m.cardLines(width, height)
	if side > 0 {
		main = m.theme.Beside(main, m.balanceLines(side, height, 0), width, m.width, height)
	}
	return widget.Block(main, m.width, height)
}

// scrolled is a text under its title, from the first line that is shown.
func (m *Model) scrolled(title string, lines []string, width, height int) []string {
	rows := height - 1
	m.top = max(0, min(m.top, len(lines)-rows))
	out := []string{annotation.Section(m.theme, title, m.top, rows, len(lines), m.Keyed("{j k} scroll"), true, width)}
	for _, l := range lines[m.top:min(m.top+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return out
}

// cardLines is the picture beside the text.
func (m *Model) cardLines(width, height int) []string {
	c := m.card()
	if c == nil {
		return m.finished(width)
	}
	cols := m.pictureColumns()
	room := width - cols - 4
	if cols == 0 {
		room = width - 1
	}
	text := m.textLines(c, room)
	top := max(0, min(m.top, len(text)-height))
	more := len(text) - top - height
	text = text[top:min(len(text), top+height)]
	if more > 0 {
		text[len(text)-1] = m.theme.Faint.Render(widget.Plural(more+1, "line") + " more ↓ " + m.Spelled("j"))
	}
	for i := range text {
		text[i] = " " + text[i]
	}
	if cols == 0 {
		return text
	}
	return m.theme.Beside(m.pictureLines(c, cols-1), text, cols, width, height)
}

// finished is what stands where no sample is in front.
func (m *Model) finished(width int) []string {
	t := m.theme
	say := m.Keyed("Nothing waits for you here. {tab} shows samples by how they stand, {w} the balance of all axes.")
	switch {
	case len(m.shown) == 0 && m.settle:
		say = m.Keyed("There is nothing to settle: where enough experts have spoken, they agree. {m} goes back to verdicts.")
	case len(m.shown) == 0 && m.filter.on(m.settle):
		say = "Nothing is left by the filter: esc shows everything again."
	case len(m.shown) == 0:
		say = "There are no candidates: the inspection kept no sample of the pool."
	}
	if n := m.board.Disputes().Open; n > 0 && !m.settle && !m.deps.Apart {
		say += fmt.Sprintf(" Experts differ on %s: %s settles them, %s lists them by dataset.", widget.Plural(n, "candidate"), m.Spelled("m"), m.Spelled("e"))
	}
	out := []string{""}
	for _, l := range widget.Wrap(say, max(1, width-2)) {
		out = append(out, " "+t.Text.Render(l))
	}
	return out
}

// headLine is what is curated, how far the person is, and what is saved.
func (m *Model) headLine() string {
	t := m.theme
	done, all := m.progress()
	left := " " + t.Strong.Render(widget.Cut(widget.Line(string(m.board.Dataset())), max(8, m.width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.Count(done), widget.Count(all))
	if all > 0 {
		left += t.Bar(min(20, m.width/6), float64(done)/float64(all))
	}
	if m.settle {
		left += t.Warn.Render("  settling")
	}
	left += m.filterText()
	return widget.Ends(left, m.savingText(), m.width)
}

// progress is how many of the candidates the person is through with, or how
// many of those that experts differed on are settled.
func (m *Model) progress() (done, all int) {
	if m.settle {
		d := m.board.Disputes()
		return d.Settled, d.Open + d.Settled
	}
	for i := range m.open.Cards {
		if s := m.board.Standing(m.open.Cards[i].Sample.Ordinal); s == curation.Mine || s == curation.NotNeeded {
			done++
		}
	}
	return done, len(m.open.Cards)
}

func (m *Model) filterText() string {
	t, f := m.theme, &m.filter
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
	if f.state != firstState(m.settle) {
		parts = append(parts, stateNames[f.state])
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + t.Accent.Render("["+strings.Join(parts, ", ")+"]")
}

// savingText is the state of the expert's acts: saved only once committed.
func (m *Model) savingText() string {
	t := m.theme
	switch s := &m.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.Cut(widget.Line(s.Err.Error()), max(12, m.width/2-13))) + " "
	case s.Pending > 0:
		return t.Warn.Render("saving… ")
	case !s.At.IsZero():
		return t.Good.Render("saved " + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// placeLine is which sample is in front, and how it stands.
func (m *Model) placeLine() string {
	t, c := m.theme, m.card()
	if c == nil {
		return t.Faint.Render(fmt.Sprintf(" %s", widget.Plural(len(m.shown), "sample")))
	}
	o := c.Sample.Ordinal
	left := t.Faint.Render(fmt.Sprintf(" sample %s of %s", widget.Count(m.at+1), widget.Count(len(m.shown))))
	left += t.Faint.Render("  id " + widget.Cut(widget.Line(string(c.Sample.ID)), 20))
	if c.Sample.Source != "" {
		left += t.Faint.Render("  from " + widget.Cut(widget.Line(c.Sample.Source), 20))
	}
	right := ""
	switch m.board.Standing(o) {
	case curation.PutOff:
		right = t.Faint.Render("put off before ")
	case curation.NotNeeded:
		right = t.Faint.Render("others have decided ")
	case curation.Mine:
		if d, err := m.board.Decision(o); err == nil {
			right = m.decisionText(&d) + " "
		}
	case curation.ToDo:
	}
	return widget.Ends(left, right, m.width)
}

// decisionText is what everybody's words come to.
func (m *Model) decisionText(d *curation.Decision) string {
	t := m.theme
	text, style := d.Outcome.String(), t.Faint
	switch d.Outcome {
	case curation.Accepted:
		text, style = "✓ accepted", t.Good
	case curation.Dropped:
		text, style = "✗ dropped: "+word(d.Verdict), t.Bad
	case curation.Contested:
		text, style = "≠ contested", t.Warn
	case curation.Open:
		text = "○ open"
	}
	switch of := m.board.Panel().Experts; {
	case d.Ruled:
		text += ", settled"
	case of > 1:
		text += fmt.Sprintf(", %d of %d experts", d.Of, of)
	}
	if d.Disputed() && d.Outcome != curation.Contested {
		text += ", they differ"
	}
	return style.Render(text)
}

// verdictLine is the verdicts with their keys; the person's own bears a mark.
func (m *Model) verdictLine() string {
	t, c := m.theme, m.card()
	if c == nil {
		return ""
	}
	own := m.board.State().Words[c.Sample.Ordinal].Verdict
	if m.settle {
		own = m.board.State().Rulings[c.Sample.Ordinal].Verdict
	}
	full := m.width >= 110
	parts := make([]string, 0, curation.Verdicts)
	for i, v := range curation.AllVerdicts() {
		name := word(v)
		if !full {
			name = shortWord(v)
		}
		text := t.Key.Render(fmt.Sprint(i+1)) + " " + name
		if v == own {
			text = t.Good.Render("▸") + t.Key.Render(fmt.Sprint(i+1)) + " " + t.Strong.Render(name)
		}
		parts = append(parts, text)
	}
	lead := " "
	if m.settle {
		lead = " " + t.Warn.Render("ruling ")
	}
	return widget.Fit(lead+strings.Join(parts, "  "), m.width)
}

// shortWord is a verdict where there is little room.
func shortWord(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "needs image"
	case curation.NeedsNone:
		return "answerable"
	case curation.InQuestion:
		return "in question"
	case curation.Wrong:
		return "wrong"
	case curation.Duplicate, curation.VerdictUnset:
	}
	return word(v)
}

// statusLine is why the last key did nothing, the note that is typed, a
// failure, or the note of the sample.
func (m *Model) statusLine() string {
	t, c := m.theme, m.card()
	switch {
	case m.mode == annotation.Noting:
		return widget.Fit(" "+t.Title.Render("NOTE")+" "+m.text.View(), m.width)
	case m.refusal != "":
		return widget.Fit(" "+t.Warn.Render("✗ "+m.refusal), m.width)
	case m.saving.Err != nil:
		return t.Bad.Render(widget.Fit(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.Plural(m.saving.Pending, "act"), m.Spelled("ctrl+s")), m.width))
	case c == nil:
		return ""
	}
	if n := m.board.State().Notes[c.Sample.Ordinal]; n != "" {
		return widget.Fit(" "+t.Faint.Render("note: ")+widget.Line(n), m.width)
	}
	return ""
}
