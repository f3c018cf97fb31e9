package vote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// pairView draws the pair in front: the question, the two responses, and what can be said of them.
type pairView struct {
	*annotation.QueueSession[votePair]
	form    answerForm // asked for; automatic goes by the width
	look    answerLook
	space   *widget.PaneSize // of the answers
	apart   bool             // the answers scroll each by itself
	swapped bool             // of the pair in front: the other run's answer is Answer 1
	focus   pane
	top     [panes]int // first line shown of each pane
	reveal  *annotation.RevealPane[blind.RevealedPair]
}

// shownAnswer is Answer 1 or Answer 2 (0 or 1), as they are shown.
func (pv *pairView) shownAnswer(p *votePair, n int) *answer {
	if pv.swapped {
		n = 1 - n
	}
	return &p.answers[n]
}

func (pv *pairView) newPairLayout(p *votePair) pairLayout {
	return screenSizes{pv.Width, pv.Height, pv.form, *pv.space}.newPairLayout(pv.Theme, p)
}

// drawRevealPanel shows what was revealed in the place of the question.
func (pv *pairView) drawRevealPanel(g pairLayout) []string {
	width := pv.panelWidth(g)
	lines := pv.drawRevealed(width)
	rows := pv.panelRows(g)
	from := max(0, min(pv.top[panelPane], len(lines)-rows))
	out := []string{annotation.DrawSection(pv.Theme, "Whose answers they are", from, rows, len(lines), pv.SpellText("{up down} scroll"), true, width)}
	out = append(out, lines[from:min(len(lines), from+rows)]...)
	return widget.FitBox(out, width, pv.contextHeight(g))
}

func (pv *pairView) panelWidth(g pairLayout) int { return eval.Either(g.column, g.wide, pv.Width) }

func (pv *pairView) panelRows(g pairLayout) int { return max(0, pv.contextHeight(g)-1) }

// lastPanelLine is the first line shown of the open panel when its end is.
func (pv *pairView) lastPanelLine() int {
	if pv.Mode == annotation.Guiding {
		return max(0, len(pv.Guide.GuidelineLines())-max(1, pv.MainHeight()-1))
	}
	p := pv.FrontBody()
	if p == nil {
		return 0
	}
	g := pv.newPairLayout(p)
	return max(0, len(pv.drawRevealed(pv.panelWidth(g)))-pv.panelRows(g))
}

// drawRevealed are the names of the models and, as the annotator would have
// said it, what each judge voted in either order.
func (pv *pairView) drawRevealed(width int) []string {
	t, r := pv.Theme, pv.reveal
	switch {
	case r.Err != nil:
		return []string{t.Bad.Render(widget.CleanLine(r.Err.Error()))}
	case !r.Done:
		return []string{t.Faint.Render("reading…")}
	case r.What.Withheld:
		return t.Faint.WrapStyled("", "Withheld: another item about this sample is open or may come, and one of these answers may stand in it.", width)
	}
	what := &r.What
	names := [2]string{what.Model, what.Against}
	if what.Own.Swapped {
		names[0], names[1] = names[1], names[0]
	}
	var out []string
	for i, n := range names {
		l := "Answer " + string(rune('1'+i)) + "  " + t.Strong.Render(widget.CutWidth(widget.CleanLine(n), max(1, width-24)))
		if v := what.Own.Vote; v == eval.Answer1 && i == 0 || v == eval.Answer2 && i == 1 {
			l += t.Good.Render("  ▸ your vote")
		}
		out = append(out, l)
	}
	if v := what.Own.Vote; !v.IsDecided() {
		out = append(out, t.Good.Render("▸ your vote  ")+labeloption.VoteWord(v))
	}
	if len(what.Judges) == 0 {
		return append(out, t.Faint.WrapStyled("", "no judge has voted on this pair", width)...)
	}
	return append(out, pv.drawJudged(width)...)
}

// drawJudged draws the judges' votes, each with its own words.
func (pv *pairView) drawJudged(width int) []string {
	t, what := pv.Theme, &pv.reveal.What
	votes := slices.Clone(what.Judges)
	slices.SortStableFunc(votes, func(a, b eval.Preference) int {
		_, first := what.VoteAsSeen(&a)
		_, second := what.VoteAsSeen(&b)
		return cmp.Or(cmp.Compare(a.Judge, b.Judge), strings.Compare(describeMethod(&a), describeMethod(&b)), cmp.Compare(orderIndex(second), orderIndex(first)))
	})
	last := ""
	var out []string
	for i := range votes {
		p := &votes[i]
		if name := widget.CleanLine(p.Judge) + describeMethod(p); name != last {
			out = append(out, "")
			out = append(out, widget.WrapText(name, width)...)
			last = name
		}
		v, same := what.VoteAsSeen(p)
		mark := t.Bad.Render("≠ differs")
		switch v {
		case eval.VoteUnset:
			mark = t.Faint.Render("no vote  ")
		case what.Own.Vote:
			mark = t.Good.Render("= agrees ")
		case eval.Answer1, eval.Answer2, eval.SituationOne, eval.SituationTwo:
		}
		shown := eval.Either(!same, "shown the other way round", "shown as to you")
		out = append(out, mark+"  "+t.Strong.Render(labeloption.VoteWord(v))+t.Faint.Render("  "+shown))
		out = append(out, annotation.DrawQuoted(t, t.Faint, t.Faint.Render("  │ "), p.Raw, annotation.VoteRange(p.Vote, p.Raw), width)...)
	}
	return out
}

// paneOrder is the panes that tab goes through.
func (pv *pairView) paneOrder() []pane {
	out := []pane{firstPane}
	if pv.apart {
		out = append(out, secondPane)
	}
	if p := pv.FrontBody(); p != nil {
		if g := pv.newPairLayout(p); !g.full && pv.contextRows(g) < len(g.lines) {
			out = append(out, contextPane)
		}
	}
	return out
}

func (pv *pairView) contextRows(g pairLayout) int {
	_, rows := pv.questionRange(g)
	return rows
}

// lastAnswerLine is the first line shown of an answer when its end is.
func (pv *pairView) lastAnswerLine(p *votePair, n pane) int {
	g := pv.newPairLayout(p)
	rows := [2]int{}
	rows[0], rows[1] = pv.paneRows(g, max(0, g.main-pv.countAbove(g)))
	lines, _ := pv.shownAnswer(p, int(n)).Len()
	return max(0, lines-max(0, rows[n]-1))
}

// countAbove counts how many lines stand above the answers.
func (pv *pairView) countAbove(g pairLayout) int {
	if g.column {
		return 0
	}
	return pv.contextHeight(g)
}

// drawPair draws the pair in front: what it is about, or what was revealed, and the answers.
func (pv *pairView) drawPair(p *votePair, g pairLayout) []string {
	context := pv.drawContext(p, g)
	if pv.Mode == annotation.Revealed {
		context = pv.drawRevealPanel(g)
	}
	if g.column {
		return pv.Theme.DrawBeside(context, pv.drawAnswers(p, g, g.main), g.wide, pv.Width, g.main)
	}
	out := widget.FitBox(context, pv.Width, len(context))
	return append(out, pv.drawAnswers(p, g, max(0, g.main-len(context)))...)
}

// contextHeight is how many lines the context has above the answers now.
func (pv *pairView) contextHeight(g pairLayout) int {
	switch {
	case g.column:
		return g.main
	case pv.Mode == annotation.Revealed:
		return max(1, g.main/2)
	}
	return min(g.context, max(0, g.main-2)) + g.air
}

// drawContext draws the question with its picture, in exactly the lines that high says.
func (pv *pairView) drawContext(p *votePair, g pairLayout) []string {
	text := pv.drawQuestion(g)
	pic := pv.Gallery.PictureLines(p.Page, g.picture.cols, g.picture.rows)
	switch {
	case g.column && g.picture.rows > 0:
		return append(append(widget.FitBox(pic, g.wide, min(len(pic), g.picture.rows)), ""), text...)
	case g.column:
		return text
	case g.picture.rows > 0:
		text = pv.Theme.DrawBeside(pic, text, g.picture.cols, pv.Width, max(g.context, 1))
	}
	return widget.FitBox(text, pv.Width, pv.contextHeight(g))
}

// questionRange is how many lines of the question are shown, and from which on. One
// that does not fit gives a line to say so.
func (pv *pairView) questionRange(g pairLayout) (from, rows int) {
	rows = eval.Either(g.column && g.picture.rows > 0, max(1, g.main-g.picture.rows-1), g.context)
	if rows >= len(g.lines) {
		return 0, rows
	}
	rows = max(0, rows-1)
	return max(0, min(pv.top[contextPane], len(g.lines)-rows)), rows
}

// drawQuestion draws the text of the context that is shown.
func (pv *pairView) drawQuestion(g pairLayout) []string {
	t := pv.Theme
	if g.full {
		return []string{t.Strong.Render(widget.CutWidth(widget.CleanLine(annotation.CutLongText(pv.FrontBody().Item.Question)), g.wide))}
	}
	from, rows := pv.questionRange(g)
	var out []string
	if rows < len(g.lines) {
		focused, hint := pv.focus == contextPane, pv.SpellText("{other_pane} scrolls it")
		if focused {
			hint = pv.SpellText("{up down} scroll")
		}
		out = append(out, annotation.DrawSection(t, "Question", from, rows, len(g.lines), hint, focused, g.wide))
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
		case criterion, option:
		}
		out = append(out, style.Render(l.text))
	}
	return out
}

// areBothVisible reports whether the frame shows something of both answers.
func (pv *pairView) areBothVisible(p *votePair) bool {
	if pv.Mode == annotation.Guiding || pv.Mode == annotation.Zooming {
		return true // no key there records anything
	}
	g := pv.newPairLayout(p)
	height := g.main
	if !g.column {
		height -= pv.contextHeight(g)
	}
	first, second := pv.paneRows(g, height)
	return first > 1 && second > 1 && pv.shownAnswer(p, 0).width == g.text && pv.shownAnswer(p, 1).width == g.text
}

func (pv *pairView) drawAnswers(p *votePair, g pairLayout, height int) []string {
	first, second := pv.paneRows(g, height)
	a := pv.drawAnswer(p, g, 0, first)
	b := pv.drawAnswer(p, g, 1, second)
	if g.form == beside {
		return pv.Theme.DrawBeside(a, b, g.pane[0], g.answers, height)
	}
	return append(a, b...)
}

// paneRows is how many lines each answer's pane has of height, its title included.
// Below each other, a short answer leaves its lines to the other.
func (pv *pairView) paneRows(g pairLayout, height int) (first, second int) {
	if g.form == beside {
		return height, height
	}
	first = (height + 1) / 2
	p := pv.FrontBody()
	a, _ := pv.shownAnswer(p, 0).Len()
	b, _ := pv.shownAnswer(p, 1).Len()
	switch {
	case a+1 < first:
		first = max(2, a+1)
	case b+1 < height-first:
		first = height - max(2, b+1)
	}
	first = min(max(first, 0), height)
	return first, height - first
}

func (pv *pairView) drawAnswer(p *votePair, g pairLayout, n, rows int) []string {
	a, hint := pv.shownAnswer(p, n), "{up down} scroll"
	focused := pv.focus == pane(n)
	if !focused && (pv.apart || pv.focus != firstPane) {
		hint = "{other_pane} scrolls it"
	}
	return a.DrawPane(pv.Theme, fmt.Sprintf("Answer %d", n+1), pv.SpellKey("open"), pv.SpellText(hint), pv.top[pane(n)], rows, g.pane[n], focused, a.width == g.text)
}

// drawChoices draws the line of what can be voted, with a mark at what was.
func (pv *pairView) drawChoices() string {
	t := pv.Theme
	own, _ := pv.OwnLabel()
	words := []struct {
		key, wide, narrow, least string
		vote                     eval.Vote
	}{
		{"1", "Answer 1", "Answer 1", "first", eval.Answer1},
		{"2", "Answer 2", "Answer 2", "second", eval.Answer2},
		{"tie", "both right, or both wrong", "both right or wrong", "tie", eval.SituationOne},
		{"both_bad", "both with grave errors", "both grave errors", "grave", eval.SituationTwo},
	}
	var parts []string
	for _, w := range words {
		mark, text := "  ", w.wide
		if own.Reading.Vote == w.vote {
			mark = "▸ "
		}
		switch {
		case pv.Width < 60:
			text = w.least
		case pv.Width < 90:
			text = w.narrow
		}
		parts = append(parts, t.Good.Render(mark)+t.Key.Render(pv.SpellKey(w.key))+" "+text)
	}
	between := eval.Either(pv.Width < 70, " ", "  ")
	line := strings.Join(parts, between)
	looks := pv.Theme.Faint.Render(pv.look.String() + " ")
	if widget.TextWidth(line)+widget.TextWidth(looks) >= pv.Width {
		return widget.FitWidth(line, pv.Width)
	}
	return widget.JoinEnds(line, looks, pv.Width)
}
