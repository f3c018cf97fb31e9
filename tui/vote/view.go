package vote

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are those of View.
func (m *Model) Lines() []string { return m.Frame(m.place, m.main, m.status) }

func (m *Model) main(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.Lines(labeloption.VoteGuideline(m.Spelled), m.top[panelPane], height)
	case m.Front() < 0:
		return m.finished(height)
	}
	p := m.Body()
	g := m.geometry(p)
	out := widget.Block(m.arrange(p, g), m.Width, g.main)
	return append(out, widget.Fit(m.choices(), m.Width))
}

// place is the line about the pair in front.
func (m *Model) place() string {
	left, p := m.Head.Place(), m.Body()
	if left == "" {
		return ""
	}
	if p == nil {
		return widget.Fit(left, m.Width)
	}
	var right string
	switch g := m.geometry(p); {
	case len(p.Pictures) == 0:
		right = m.Theme.Faint.Render("no picture ")
	case g.picture.rows == 0 && p.seen(): // there is no room, or the answers fill it
		right = m.Gallery.Caption(p.Page) + m.Theme.Key.Render("  z") + m.Theme.Faint.Render(" shows it ")
	default:
		right = m.Gallery.Caption(p.Page) + " "
	}
	return widget.Ends(left, right, m.Width)
}

func (m *Model) status() string {
	return m.Head.Status(func() string {
		l, _ := m.Own()
		return "your vote: " + labeloption.VoteWord(l.Reading.Vote)
	})
}

// arrange draws the pair in front: what it is about, or what was revealed, and
// the answers.
func (m *Model) arrange(p *pair, g geometry) []string {
	context := m.context(p, g)
	if m.Mode == annotation.Revealed {
		context = m.panel(g)
	}
	if g.column {
		return m.Theme.Beside(context, m.answers(p, g, g.main), g.wide, m.Width, g.main)
	}
	out := widget.Block(context, m.Width, len(context))
	return append(out, m.answers(p, g, max(0, g.main-len(context)))...)
}

// high is how many lines the context has above the answers now.
func (m *Model) high(g geometry) int {
	switch {
	case g.column:
		return g.main
	case m.Mode == annotation.Revealed:
		return max(1, g.main/2)
	}
	return min(g.context, max(0, g.main-2)) + g.air
}

// context is the question with its picture, in exactly the lines that high
// says.
func (m *Model) context(p *pair, g geometry) []string {
	text := m.question(g)
	pic := m.Gallery.Drawing(p.Page, g.picture.cols, g.picture.rows)
	switch {
	case g.column && g.picture.rows > 0:
		return append(append(widget.Block(pic, g.wide, min(len(pic), g.picture.rows)), ""), text...)
	case g.column:
		return text
	case g.picture.rows > 0:
		text = m.Theme.Beside(pic, text, g.picture.cols, m.Width, max(g.context, 1))
	}
	return widget.Block(text, m.Width, m.high(g))
}

// asked is how many lines of the question are shown, and from which on. One
// that does not fit gives a line to say so.
func (m *Model) asked(g geometry) (from, rows int) {
	rows = g.context
	if g.column && g.picture.rows > 0 {
		rows = max(1, g.main-g.picture.rows-1)
	}
	if rows >= len(g.lines) {
		return 0, rows
	}
	rows = max(0, rows-1)
	return max(0, min(m.top[contextPane], len(g.lines)-rows)), rows
}

// question is the text of the context that is shown.
func (m *Model) question(g geometry) []string {
	t := m.Theme
	if g.full {
		return []string{t.Strong.Render(widget.Cut(widget.Line(bounded(m.Body().Item.Question)), g.wide))}
	}
	from, rows := m.asked(g)
	var out []string
	if rows < len(g.lines) {
		focused, hint := m.focus == contextPane, m.Keyed("{tab} scrolls it")
		if focused {
			hint = m.Keyed("{j k} scroll")
		}
		out = append(out, annotation.Section(t, "Question", from, rows, len(g.lines), hint, focused, g.wide))
	}
	for _, l := range g.lines[from:min(len(g.lines), from+rows)] {
		style := t.Text
		switch l.role {
		case question:
			style = t.Strong
		case about:
			style = t.Faint
		case heading:
			style = t.Title
		case criterion:
		}
		out = append(out, style.Render(l.text))
	}
	return out
}

// answers draws both answers in height lines.
func (m *Model) answers(p *pair, g geometry, height int) []string {
	first, second := m.rows(g, height)
	a := m.answer(p, g, 0, first)
	b := m.answer(p, g, 1, second)
	if g.form == beside {
		return m.Theme.Beside(a, b, g.pane[0], g.answers, height)
	}
	return append(a, b...)
}

// rows is how many lines each answer's pane has of height, its title included.
// Below each other, a short answer leaves its lines to the other.
func (m *Model) rows(g geometry, height int) (first, second int) {
	if g.form == beside {
		return height, height
	}
	first = (height + 1) / 2
	p := m.Body()
	a, _ := m.side(p, 0).len()
	b, _ := m.side(p, 1).len()
	switch {
	case a+1 < first:
		first = max(2, a+1)
	case b+1 < height-first:
		first = height - max(2, b+1)
	}
	first = min(max(first, 0), height)
	return first, height - first
}

// answer is the pane of one answer: its title, and its text behind a bar.
func (m *Model) answer(p *pair, g geometry, n, rows int) []string {
	t, a := m.Theme, m.side(p, n)
	lines, all := a.len()
	show := max(0, rows-1)
	from := max(0, min(m.top[pane(n)], lines-show))
	name := fmt.Sprintf("Answer %d", n+1)
	if a.cut {
		name += " (cut off by the endpoint)"
	}
	hint := m.Keyed("{j k} scroll")
	focused := m.focus == pane(n) || m.focus == firstPane && !m.apart
	if !focused {
		hint = m.Keyed("{tab} scrolls it")
	}
	head := annotation.Section(t, name, from, show, lines, hint, focused, g.pane[n])
	if !all {
		head = t.Section(name, fmt.Sprintf("from line %s, more than %s", widget.Count(from+1), widget.Count(lines)), focused, g.pane[n])
	}
	out := []string{head}
	bar := t.Title.Render("┃") + " "
	switch {
	case a.width != g.text:
		out = append(out, bar+t.Faint.Render("laying the answer out…"))
	case a.blank != "":
		out = append(out, bar+t.Faint.Render(a.blank))
	default:
		for _, l := range a.show(from, show) {
			out = append(out, bar+l)
		}
	}
	return widget.Block(out, g.pane[n], rows)
}

// choices is the line of what can be voted, with a mark at what was.
func (m *Model) choices() string {
	t := m.Theme
	own, _ := m.Own()
	words := []struct {
		key, wide, narrow string
		vote              eval.Vote
	}{
		{"1", "Answer 1", "Answer 1", eval.Answer1},
		{"2", "Answer 2", "Answer 2", eval.Answer2},
		{"t", "both right, or both wrong", "both right/wrong", eval.SituationOne},
		{"w", "both with grave errors", "both bad", eval.SituationTwo},
	}
	var parts []string
	for _, w := range words {
		mark, text := "  ", w.wide
		if own.Reading.Vote == w.vote {
			mark = "▸ "
		}
		if m.Width < 90 {
			text = w.narrow
		}
		parts = append(parts, t.Good.Render(mark)+t.Key.Render(m.Spelled(w.key))+" "+text)
	}
	between := "  "
	if m.Width < 70 {
		between = " "
	}
	line := strings.Join(parts, between)
	looks := m.Theme.Faint.Render(m.look.String() + " ")
	if widget.Width(line)+widget.Width(looks) >= m.Width {
		return widget.Fit(line, m.Width)
	}
	return widget.Ends(line, looks, m.Width)
}
