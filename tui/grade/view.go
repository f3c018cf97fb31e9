package grade

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// wideFrom is the width from which the criteria stand at the right of the response;
// else they stand below it.
const wideFrom = 64

// geometry is where the parts of a response go: sizes in cells and lines.
type geometry struct {
	left, right      int // widths of response and criteria; all of it where they are stacked
	high, below      int // lines of the response with its question, and of criteria below it; 0: beside it
	question, answer int // lines of each, its title included; question 0: not shown
	picture          struct{ cols, rows int }
}

// geometry places the parts while the response has the room. It depends on the item
// and the size alone.
func (p *page) geometry(width, height int) geometry {
	main := max(1, height-annotation.HeaderLines-annotation.StatusLines)
	g := geometry{left: width, right: width, high: main}
	if width >= wideFrom {
		g.right = max(30, width*9/20)
		g.left = width - g.right - 3
	} else {
		g.below = max(min(3, main-1), main/2)
		g.high = max(1, main-g.below)
	}
	if rows := g.high * 2 / 5; len(p.Pictures) > 0 && rows >= annotation.LeastRows {
		g.picture.cols, g.picture.rows = p.Cells(g.left, rows)
	}
	rest := g.high - g.picture.rows
	if lines := textLines(p.question.Raw, g.left, rest); rest >= 5 && p.question.Raw != "" {
		g.question = min(lines+1, max(2, rest/3))
	}
	g.answer = rest - g.question
	return g
}

// textLines is how many lines a text takes behind its bar, up to about most.
func textLines(raw string, width, most int) int {
	t := widget.NewText(raw, max(1, width-annotation.Gutter))
	t.Reach(most + 1)
	n, _ := t.Len()
	return n
}

// geometry is the present one: the question has the room while it is read.
func (m *Model) geometry(p *page) geometry {
	g := p.geometry(m.Width, m.Height)
	if m.asked {
		rest := g.question + g.answer
		g.question = rest - min(3, rest/2)
		g.answer = rest - g.question
	}
	return g
}

// whole reports whether the frame shows the response, and the criterion under the
// cursor as far as its pane goes.
func (m *Model) whole(p *page) bool {
	return p.answer.Laid != nil && p.answer.Laid.Width() == m.geometry(p).left-annotation.Gutter && len(p.Item.Rubric) > 0
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are those of View.
func (m *Model) Lines() []string {
	return m.Frame(m.place, m.main, func() string {
		return m.Head.Status(func() string {
			l, _ := m.Own()
			return "your grades: " + l.Reading.Word()
		})
	})
}

func (m *Model) main(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.Lines(labeloption.GradeGuideline, m.guide, height)
	case m.Front() < 0:
		return m.finished(height)
	}
	p := m.Body()
	g := m.geometry(p)
	if g.below == 0 {
		return m.Theme.Beside(m.response(p, g), m.pane(p, g.right, g.high), g.left, m.Width, height)
	}
	return widget.Block(append(widget.Block(m.response(p, g), m.Width, g.high), m.pane(p, g.right, g.below)...), m.Width, height)
}

// place is the line about the response in front.
func (m *Model) place() string {
	left, p := m.Head.Place(), m.Body()
	if m.deps.Adjudicates && left != "" {
		left = m.Theme.Warn.Render(" ADJUDICATION") + left
	}
	if left == "" || p == nil {
		return widget.Fit(left, m.Width)
	}
	right := m.Theme.Faint.Render("no image ")
	if len(p.Pictures) > 0 {
		right = m.Gallery.Caption(p.Page) + " "
		if m.geometry(p).picture.rows == 0 && m.Gallery.NoPicture() == "" {
			right = m.Gallery.Caption(p.Page) + m.Theme.Key.Render("  "+m.Spelled("zoom")) + m.Theme.Faint.Render(" shows it ")
		}
	}
	return widget.Ends(left, right, m.Width)
}

// response is the question, the picture and the response.
func (m *Model) response(p *page, g geometry) []string {
	var out []string
	width := g.left - annotation.Gutter
	pane := func(r *annotation.Response, name string, focused bool, rows int) {
		from, hint := 0, m.Keyed("{other_pane} reads it")
		if focused {
			from, hint = m.top, m.Keyed("{page_up page_down} scroll")
		}
		ready := r.Laid != nil && r.Laid.Width() == width
		out = append(out, r.Pane(m.Theme, name, m.Spelled("open"), hint, from, rows, g.left, focused, ready)...)
	}
	if g.question > 0 {
		pane(&p.question, "Question", m.asked, g.question)
	}
	if g.picture.rows > 0 {
		out = append(out, m.Gallery.Drawing(p.Page, g.picture.cols, g.picture.rows)...)
	}
	pane(&p.answer, "Model response", !m.asked, g.answer)
	return out
}

// least is from how many lines on the pane of criteria has a title.
const least = 5

// criteriaRows is how many lines of the criteria their pane shows.
func (m *Model) criteriaRows(p *page) int {
	g := m.geometry(p)
	rows := g.high
	if g.below > 0 {
		rows = g.below
	}
	if rows >= least {
		rows--
	}
	return max(1, rows-len(m.choices(p, g.right)))
}

// pane is the criteria with their verdicts, scrolled so that the one under the cursor
// is seen, and below them what can be said of it.
func (m *Model) pane(p *page, width, rows int) []string {
	var out []string
	lines, from, to := m.criteria(p, width)
	show := m.criteriaRows(p)
	if from > m.first+show-1 || to <= m.first || to-from <= show {
		m.first = max(min(m.first, from), to-show)
		if to-from > show {
			m.first = from
		}
	}
	m.first = max(0, min(m.first, len(lines)-1))
	if rows >= least {
		graded := 0
		for _, v := range m.said() {
			if v != eval.VerdictUnset {
				graded++
			}
		}
		note := fmt.Sprintf("%d of %d graded", graded, len(p.Item.Rubric))
		if show < len(lines) {
			note += fmt.Sprintf(", lines %d-%d of %d", m.first+1, min(m.first+show, len(lines)), len(lines))
		}
		out = append(out, m.Theme.Section("Criteria", note, true, width))
	}
	out = append(out, widget.Block(lines[m.first:min(len(lines), m.first+show)], width, show)...)
	if more := len(lines) - m.first - show; more > 0 && rows < least {
		tail := m.Theme.Faint.Render(fmt.Sprintf(" ↓ %d", more))
		out[len(out)-1] = widget.Ends(widget.Cut(out[len(out)-1], max(1, width-widget.Width(tail))), tail, width)
	}
	return append(out, m.choices(p, width)...)
}

// criteria are all criteria in lines, and from which to which the one under the cursor
// goes.
func (m *Model) criteria(p *page, width int) (lines []string, from, to int) {
	t, said, focus := m.Theme, m.said(), m.focus()
	if len(p.Item.Rubric) == 0 {
		return []string{t.Warn.Render("The sample has no criteria any more.")}, 0, 1
	}
	const margin = 4
	for i, c := range p.Item.Rubric {
		mark, style := "·", t.Text
		if v := said[i]; v != eval.VerdictUnset {
			mark, style = labeloption.VerdictMark(v), t.Faint
		}
		head := "  " + mark + " "
		if i == focus {
			from, head, style = len(lines), t.Title.Render("▸ ")+mark+" ", t.Strong
		}
		for n, l := range widget.Wrap(annotation.Bounded(c.Text), max(1, width-margin)) {
			if n > 0 {
				head = strings.Repeat(" ", margin)
			}
			lines = append(lines, head+style.Render(l))
		}
		if i == focus {
			to = len(lines)
		}
	}
	return lines, from, to
}

// choices are the verdicts with their keys, in as many lines as they take.
func (m *Model) choices(p *page, width int) []string {
	var parts []string
	for _, o := range labeloption.Verdicts() {
		if o.Verdict == eval.Partial && !annotate.Partials(p.Item.Rubric) {
			continue
		}
		text := m.Theme.Text.Render(" " + o.Text)
		if o.Verdict == eval.Partial && m.noPartial() != "" {
			text = m.Theme.Faint.Render(" " + o.Text)
		}
		keys := o.Digit
		if m.Width >= wideFrom {
			keys += " " + o.Letter
		}
		parts = append(parts, m.Theme.Key.Render(keys)+text)
	}
	var out []string
	for _, part := range parts {
		if n := len(out); n > 0 && widget.Width(out[n-1])+1+widget.Width(part) <= width {
			out[n-1] += " " + part
			continue
		}
		out = append(out, part)
	}
	return out
}
