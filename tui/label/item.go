package label

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// extent is how many lines the scrolling panes show, and have, and which of
// them the keys scroll.
type extent struct {
	focus                   pane
	answer                  int
	question, questionLines int
	panel, panelLines       int
}

// measure is the extent of what is shown now.
func (m *Model) measure() extent {
	pg := m.Body()
	if m.Mode == annotation.Guiding {
		return extent{panel: max(1, m.Main()-1), panelLines: len(m.Guide.Text(m.standard()))}
	}
	if pg == nil {
		return extent{}
	}
	_, v := m.arrange(pg)
	return v
}

// arrange draws the item in front between header and status.
func (m *Model) arrange(pg *page) ([]string, extent) {
	g := m.geometry(pg)
	switch {
	case g.room == widget.FullRoom:
		return m.stack(pg, g, fitted(m.gist(pg, g.pane), g))
	case g.form == aside:
		right, v := m.stack(pg, g, fitted(m.context(pg, g), g))
		left := append(m.Gallery.Drawing(pg.Page, g.picture.cols, g.picture.rows), " "+m.Gallery.Caption(pg.Page))
		return m.Theme.Beside(left, right, g.picture.cols, m.Width, g.main), v
	case m.Mode == annotation.Revealed && g.form != plain: // the room is for the readings; the question was read
		return m.stack(pg, g, fitted(m.options(pg, g.pane), g))
	case g.form != plain:
		return m.tucked(pg, g)
	}
	return m.stack(pg, g, fitted(m.context(pg, g), g))
}

// fitted are lines as wide as the pane.
func fitted(lines []string, g geometry) []string { return widget.Block(lines, g.pane, len(lines)) }

// tucked is the narrow form with a picture: beside the question, and beside
// or above the options. The picture keeps its room while it is being drawn.
func (m *Model) tucked(pg *page, g geometry) ([]string, extent) {
	text := m.question(pg, g.column)
	if g.form == corner {
		text = m.context(pg, g)
	}
	pic := m.Gallery.Drawing(pg.Page, g.picture.cols, g.picture.rows)
	high := max(len(text), g.picture.rows)
	out := m.Theme.Beside(pic, text, g.picture.cols, m.Width, high)
	if g.form == banner {
		out = append(out, fitted(append([]string{""}, m.options(pg, g.options)...), g)...)
	}
	return m.stack(pg, g, out)
}

// context is question and options above each other.
func (m *Model) context(pg *page, g geometry) []string {
	return append(append(m.question(pg, g.column), ""), m.options(pg, g.options)...)
}

// stack puts the context, whose lines are fitted, above the answer, and the
// machine's readings below it while they are revealed. What does not fit scrolls.
func (m *Model) stack(pg *page, g geometry, context []string) ([]string, extent) {
	v := extent{questionLines: len(context), focus: m.focus}
	v.question = max(0, min(len(context), g.main-g.keep))
	rest := g.main - v.question
	var out []string
	if v.question < v.questionLines {
		if g.lines < g.keep { // the answer is seen whole: only this can scroll
			v.focus = questionPane
		}
		hint := m.Keyed("{tab} scrolls it")
		if v.focus == questionPane {
			hint = m.Keyed("{j k} scroll")
		}
		v.question = max(0, v.question-1) // for the line that says so
		from := max(0, min(m.top[questionPane], v.questionLines-v.question))
		out = append(out, annotation.Section(m.Theme, "Question", from, v.question, v.questionLines, hint, v.focus == questionPane, g.pane))
		context = context[from:]
	}
	above, out := widget.Block(out, g.pane, len(out)), nil
	if v.question == v.questionLines && (rest > g.lines+1 || rest > g.keep+4) {
		out = append(out, "") // air, where there is some
		rest--
	}
	var panel []string
	if m.Mode == annotation.Revealed {
		panel = m.revealLines(g.pane)
		v.panelLines = len(panel)
		v.panel = max(0, min(len(panel), max((rest-2)*2/3, rest-2-g.lines)))
		rest -= v.panel + 1
	}
	v.answer = max(0, rest-1)
	out = append(out, m.answer(pg, g, v)...)
	if m.Mode == annotation.Revealed {
		from := max(0, min(m.top[panelPane], v.panelLines-v.panel))
		out = append(out, annotation.Section(m.Theme, "What the machine read", from, v.panel, v.panelLines, m.Keyed("{j k} scroll"), true, g.pane))
		out = append(out, panel[from:min(from+v.panel, len(panel))]...)
	}
	rest = max(0, g.main-len(above)-v.question)
	return slices.Concat(above, context[:v.question], widget.Block(out, g.pane, rest)), v
}

func (m *Model) question(pg *page, width int) []string {
	lines := questionLines(pg, width)
	right := len(lines) - len(referenceLines(pg, width))
	hint := right
	if pg.Item.Hint != "" {
		hint -= len(widget.Wrap("hint: "+bounded(pg.Item.Hint), width))
	}
	for i, l := range lines {
		switch {
		case i < hint:
			lines[i] = m.Theme.Strong.Render(l)
		case i < right:
			lines[i] = m.Theme.Faint.Render(l)
		default:
			lines[i] = m.Theme.Good.Render(l)
		}
	}
	return lines
}

// options are the options behind their keys, and the other verdicts. A mark
// shows what the annotator has said.
func (m *Model) options(pg *page, width int) []string {
	t, own := m.Theme, m.answered()
	var out []string
	for _, c := range pg.choices {
		head := " " + t.Good.Render(m.mark(&c, own)) + t.Key.Render(widget.Fit(c.Digit, 2)+widget.Fit(c.Letter, 2)) + "  "
		for i, l := range widget.Wrap(bounded(c.Text), max(1, width-margin)) {
			if i > 0 {
				head = strings.Repeat(" ", margin)
			}
			out = append(out, head+l)
		}
	}
	return append(out, m.verdicts(pg, own, width)...)
}

// verdicts are the readings that are no option, with their keys.
func (m *Model) verdicts(pg *page, own annotate.Reading, width int) []string {
	t := m.Theme
	var out []string
	for _, words := range pg.verdictWords(width) {
		line := " "
		for i, w := range words {
			if i > 0 {
				line += "  "
			}
			mark := "  "
			if own.Verdict == w.verdict {
				mark = "▸ "
			}
			line += t.Good.Render(mark) + t.Key.Render(m.Spelled(w.key)) + " " + w.verdict.String()
		}
		out = append(out, widget.Cut(line, width))
	}
	return out
}

// answer is the pane of the raw prediction: what the annotator is here to
// read, behind a bar.
func (m *Model) answer(pg *page, g geometry, v extent) []string {
	t, rows := m.Theme, v.answer
	lines, all := 0, true
	if pg.text != nil {
		lines, all = pg.text.Len()
	}
	from := max(0, min(m.top[answerPane], lines-rows))
	name := "Answer to read"
	if labeloption.Scored(&pg.Item) {
		name = "Answer to score"
	}
	if pg.Item.Truncated {
		name += " (cut off by the endpoint)"
	}
	head := annotation.Section(m.Theme, name, from, rows, lines, m.Keyed("{j k} scroll"), v.focus == answerPane, g.pane)
	if !all {
		head = t.Section(name, fmt.Sprintf("from line %s, more than %s", widget.Count(from+1), widget.Count(lines)), true, g.pane)
	}
	out := []string{head}
	bar := t.Title.Render("┃") + " "
	switch {
	case pg.text == nil || pg.text.Width() != g.answer:
		out = append(out, bar+t.Faint.Render("laying the answer out…"))
	case pg.blank != "":
		out = append(out, bar+t.Faint.Render(pg.blank))
	default:
		for _, l := range pg.text.Lines(from, rows) {
			out = append(out, bar+l)
		}
	}
	return widget.Block(out, g.pane, rows+1)
}
