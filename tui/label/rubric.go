package label

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// grades reports whether the queue is of responses that are graded by criteria.
func (m *Model) grades() bool { return m.Session.Own.Queue().Rule.From == annotate.FromCriteria }

// graded is the person's verdict on a criterion as it is worded; false without one.
func graded(iv *itemView, pg *page, i int) ([]annotate.Grade, bool) {
	if i < 0 || i >= len(pg.Item.Rubric) {
		return nil, false
	}
	of := iv.Session.Own.State().Grades
	if iv.rules {
		of = iv.Session.Own.State().Ruled
	}
	return annotate.GradesOf(pg.Item.Rubric[i:i+1], of[pg.Item.Key])
}

// advance goes to the next criterion without a verdict, and stays where there is none.
func (iv *itemView) advance() {
	pg := iv.Body()
	if pg == nil || !labeloption.Graded(&pg.Item) {
		return
	}
	n := len(pg.Item.Rubric)
	for i := range n {
		if at := (max(iv.at, -1) + 1 + i) % n; lacks(iv, pg, at) {
			iv.turnToCriterion(pg, at)
			return
		}
	}
	iv.turnToCriterion(pg, max(0, min(iv.at, n-1)))
}

func lacks(iv *itemView, pg *page, i int) bool {
	_, has := graded(iv, pg, i)
	return !has
}

// turnToCriterion puts a criterion in front: its lines are the first that are shown of
// those that do not fit.
func (iv *itemView) turnToCriterion(pg *page, i int) {
	iv.at = i
	iv.Turns++
	lines := questionLines(pg, iv.geometry(pg).column)
	iv.top[questionPane] = len(lines)
	for k := i; k < len(pg.Item.Rubric); k++ {
		iv.top[questionPane] -= len(criterionLines(pg, k, iv.geometry(pg).column))
	}
}

// step goes to the criterion before or behind.
func (m keyed) step(key string) tea.Cmd {
	by := 1
	if key == "up" {
		by = -1
	}
	pg := m.Body()
	m.item.turnToCriterion(pg, max(0, min(m.item.at+by, len(pg.Item.Rubric)-1)))
	return nil
}

// grade says whether the criterion in front is met.
func (m keyed) grade(v eval.Verdict) tea.Cmd {
	pg, before := m.Body(), m.Front()
	c := pg.Item.Rubric[max(0, m.item.at)]
	if v == eval.Partial && !c.Partial {
		m.Refusal = "this criterion is met or not: it does not say what it counts in part"
		return nil
	}
	cmd := m.Work.Grade(annotate.Grade{Criterion: c.Name, Hash: c.Hash, Verdict: v}, pg.Item.Rubric)
	if m.Front() == before {
		m.item.advance()
	}
	return cmd
}

// criterionMargin is the width of the marks before a criterion.
const criterionMargin = 4

// criterionLines is a criterion behind its marks, unstyled.
func criterionLines(pg *page, i, width int) []string {
	return widget.Wrap(annotation.Bounded(pg.Item.Rubric[i].Text), max(1, width-criterionMargin))
}

// criteria are the criteria with the person's verdicts, and a mark at the one in front.
func criteria(iv *itemView, pg *page, width int) (out []string) {
	t := iv.Theme
	for i := range pg.Item.Rubric {
		mark, style := "·", t.Text
		if g, ok := graded(iv, pg, i); ok {
			mark, style = map[eval.Verdict]string{eval.Met: "✓", eval.Partial: "◐", eval.Unmet: "✗", eval.Unable: "?"}[g[0].Verdict], t.Faint
		}
		lead := "  " + mark + " "
		if i == iv.at {
			lead, style = t.Title.Render("▸ ")+mark+" ", t.Strong
		}
		for _, l := range criterionLines(pg, i, width) {
			out = append(out, lead+style.Render(l))
			lead = strings.Repeat(" ", criterionMargin)
		}
	}
	return out
}

// halves are the answer at the left, with the picture over it, and question, criteria
// and verdicts at the right.
func halves(iv *itemView, pg *page, g geometry) ([]string, extent) {
	v := extent{focus: iv.focus, answer: g.keep - 1}
	v.options = iv.fold(pg, g.options, max(1, g.main/3))
	right := g
	right.pane, right.lines = g.column, g.keep // the answer scrolls by itself
	asked := iv.asked(right, iv.question(pg, g.column), g.main-len(v.options.lines)-1, &v)
	text := append(widget.Block(asked, g.column, g.main-len(v.options.lines)), v.options.lines...)
	left := iv.answer(pg, g, v)
	if g.picture.rows > 0 {
		left = append(iv.Gallery.Drawing(pg.Page, g.picture.cols, g.picture.rows), left...)
	}
	return iv.Theme.Beside(left, text, g.pane, iv.Width, g.main), v
}

// gradedNote is how many criteria of the item have a verdict.
func gradedNote(iv *itemView, pg *page) string {
	n := 0
	for i := range pg.Item.Rubric {
		if !lacks(iv, pg, i) {
			n++
		}
	}
	return fmt.Sprintf("  %d of %d criteria", n, len(pg.Item.Rubric))
}

// answered is the reading that stands for the item in front, or for the criterion
// that is graded.
func (iv *itemView) answered() annotate.Reading {
	if pg := iv.Body(); pg != nil && labeloption.Graded(&pg.Item) {
		if g, ok := graded(iv, pg, iv.at); ok {
			return annotate.Reading{Verdict: annotate.Graded, Grades: g}
		}
		return annotate.Reading{}
	}
	l, _ := iv.Own()
	return l.Reading
}
