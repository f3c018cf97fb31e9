package label

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// itemView draws the item in front: its question, its answer, and what can be said of it.
type itemView struct {
	*annotation.QueueSession[itemPage]
	space  *widget.PaneSize // of the answer
	focus  pane
	top    [panes]int // first line shown of each pane
	picked map[eval.Choice]bool
	at     int  // the criterion that is graded
	rules  bool // as an adjudicator
	turned int  // which page of the options is shown, where they have pages
	last   drawnExtent
	reveal *annotation.RevealPane[blind.Revealed]
}

func (iv *itemView) newItemLayout(pg *itemPage) itemLayout {
	return screenSizes{iv.Width, iv.Height, *iv.space}.newItemLayout(pg)
}

// optionMark shows whether the annotator has said something, or marked it among several.
func (iv *itemView) optionMark(c *labeloption.Option, own annotate.Reading) string {
	switch {
	case iv.Mode == picking && iv.picked[c.Choice]:
		return "☒ "
	case iv.Mode == picking:
		return "☐ "
	case c.IsSaidBy(own):
		return "▸ "
	}
	return "  "
}

// measureExtent measures the extent of what is shown now.
func (iv *itemView) measureExtent() paneExtent {
	pg := iv.FrontBody()
	if iv.Mode == annotation.Guiding {
		return paneExtent{panel: max(1, iv.MainHeight()-1), panelLines: len(iv.Guide.GuidelineLines())}
	}
	if pg == nil {
		return paneExtent{}
	}
	_, v := iv.drawItem(pg)
	return v
}

func (iv *itemView) drawItem(pg *itemPage) ([]string, paneExtent) {
	g := iv.newItemLayout(pg)
	switch {
	case g.form == halved:
		return drawHalves(iv, pg, g)
	case g.room == widget.FullPane:
		return iv.drawStacked(pg, g, iv.drawQuestion(pg, g.column), true)
	case g.form == aside:
		right, v := iv.drawStacked(pg, g, iv.drawQuestion(pg, g.column), true)
		left := append(iv.Gallery.PictureLines(pg.Page, g.picture.cols, g.picture.rows), " "+iv.Gallery.FormatCaption(pg.Page))
		return iv.Theme.DrawBeside(left, right, g.picture.cols, iv.Width, g.main), v
	case iv.Mode == annotation.Revealed && g.form != plain: // the room is for the readings; the question was read
		return iv.drawStacked(pg, g, nil, true)
	case g.form != plain:
		return iv.drawNarrowWithPicture(pg, g)
	}
	return iv.drawStacked(pg, g, iv.drawQuestion(pg, g.column), true)
}

// drawNarrowWithPicture draws the narrow form with a picture: beside the question, and beside
// or above the options. The picture keeps its room while it is being drawn.
func (iv *itemView) drawNarrowWithPicture(pg *itemPage, g itemLayout) ([]string, paneExtent) {
	text := iv.drawQuestion(pg, g.column)
	if g.form == corner {
		text = append(append(text, ""), iv.drawOptions(pg, g.options)...)
	}
	pic := iv.Gallery.PictureLines(pg.Page, g.picture.cols, g.picture.rows)
	high := max(len(text), g.picture.rows)
	out := iv.Theme.DrawBeside(pic, text, g.picture.cols, iv.Width, high)
	if g.form == banner {
		out = append(out, fitLines(append([]string{""}, iv.drawOptions(pg, g.options)...), g)...)
	}
	lines, v := iv.drawStacked(pg, g, out, false)
	v.options.to = len(pg.choices)
	return lines, v
}

// isWholeVisible reports whether the frame shows what the answer is and what can be said of it.
func (iv *itemView) isWholeVisible(pg *itemPage) bool {
	if iv.Mode == annotation.Guiding || iv.Mode == annotation.Zooming {
		return true // no key there records anything
	}
	v := iv.last.extent
	if iv.last.of != iv.extentCacheKey(pg) {
		_, v = iv.drawItem(pg)
	}
	return v.answer > 0 && pg.answer.Laid != nil && pg.answer.Laid.Width() == iv.newItemLayout(pg).answer
}

// extentCacheKey is what the extent of a frame of a page depends on now.
func (iv *itemView) extentCacheKey(pg *itemPage) drawing {
	return drawing{pg, pg.answer.Laid, screenSizes{iv.Width, iv.Height, *iv.space}, iv.Mode, iv.reveal.Done, iv.turned, iv.at}
}

// drawLines draws the item in front, and keeps the extent: whoever asks next whether
// all of it is seen need not draw it again.
func (iv *itemView) drawLines(pg *itemPage) []string {
	lines, v := iv.drawItem(pg)
	iv.last = drawnExtent{iv.extentCacheKey(pg), v}
	return lines
}

// drawStacked puts question and options above the answer, and the machine's readings below it while
// they are revealed. What of the question does not fit scrolls; options never do. Without offered the
// options are among the lines of the question, which fits.
func (iv *itemView) drawStacked(pg *itemPage, g itemLayout, question []string, offered bool) ([]string, paneExtent) {
	v := paneExtent{focus: iv.focus}
	room := max(2, g.main-g.keep)
	if offered {
		least := min(len(question), max(1, room/3)) // of the question, whatever the options take
		v.options = iv.layOutOptions(pg, g.options, max(1, room-least))
	}
	above := iv.drawQuestionPart(g, question, room-len(v.options.lines), &v)
	if n := len(above); offered && n > 0 && n+len(v.options.lines) < room && v.question == v.questionLines {
		above = append(above, "")
	}
	above = fitLines(append(above, v.options.lines...), g)
	rest := g.main - len(above)
	var out []string
	if v.question == v.questionLines && (rest > g.lines+1 || rest > g.keep+4) {
		out = append(out, "") // air, where there is some
		rest--
	}
	var panel []string
	if iv.Mode == annotation.Revealed {
		panel = iv.drawRevealed(g.pane)
		v.panelLines = len(panel)
		v.panel = max(0, min(len(panel), max((rest-2)*2/3, rest-2-g.lines)))
		rest -= v.panel + 1
	}
	v.answer = max(0, rest-1)
	out = append(out, iv.drawAnswer(pg, g, v)...)
	if iv.Mode == annotation.Revealed {
		from := max(0, min(iv.top[panelPane], v.panelLines-v.panel))
		out = append(out, annotation.DrawSection(iv.Theme, "Extracted answer", from, v.panel, v.panelLines, iv.SpellText("{up down} scroll"), true, g.pane))
		out = append(out, panel[from:min(from+v.panel, len(panel))]...)
	}
	return append(above, widget.FitBox(out, g.pane, max(0, g.main-len(above)))...), v
}

func (iv *itemView) drawQuestionPart(g itemLayout, question []string, rows int, v *paneExtent) []string {
	rows = max(0, rows)
	v.questionLines, v.question = len(question), min(len(question), rows)
	if len(question) <= rows {
		return question
	}
	if g.lines < g.keep { // the answer is seen whole: only this can scroll
		v.focus = questionPane
	}
	if rows < 3 { // no line to say so, but for the end of the last one
		from := max(0, min(iv.top[questionPane], len(question)-rows))
		shown := slices.Clone(question[from : from+rows])
		if rows > 0 {
			more := iv.Theme.Faint.Render(fmt.Sprintf(" ↓ %d", len(question)-from-rows))
			shown[rows-1] = widget.JoinEnds(widget.CutWidth(shown[rows-1], max(1, g.pane-widget.TextWidth(more))), more, g.pane)
		}
		return shown
	}
	hint := eval.Either(v.focus == questionPane, iv.SpellText("{up down} scroll"), iv.SpellText("{other_pane} scrolls it"))
	v.question--
	from := max(0, min(iv.top[questionPane], v.questionLines-v.question))
	head := annotation.DrawSection(iv.Theme, "Question", from, v.question, v.questionLines, hint, v.focus == questionPane, g.pane)
	return append([]string{head}, question[from:from+v.question]...)
}

func (iv *itemView) drawQuestion(pg *itemPage, width int) []string {
	lines := wrapQuestion(pg, width)
	right := len(lines) - len(wrapReference(pg, width))
	hint := right
	if pg.Item.Hint != "" {
		hint -= len(widget.WrapText("hint: "+annotation.CutLongText(pg.Item.Hint), width))
	}
	for i, l := range lines {
		switch {
		case i < hint:
			lines[i] = iv.Theme.Strong.Render(l)
		case i < right:
			lines[i] = iv.Theme.Faint.Render(l)
		case labeloption.IsGraded(&pg.Item):
			return append(lines[:right], drawCriteria(iv, pg, width)...)
		default:
			lines[i] = iv.Theme.Good.Render(l)
		}
	}
	return lines
}

// drawOptions draws the options behind their keys, and the other verdicts. A mark shows what was said.
func (iv *itemView) drawOptions(pg *itemPage, width int) []string {
	t, own := iv.Theme, iv.standingReading()
	var out []string
	for _, c := range pg.choices {
		head := " " + t.Good.Render(iv.optionMark(&c, own)) + t.Key.Render(widget.FitWidth(c.Digit, 2)+widget.FitWidth(c.Letter, 2)) + "  "
		for i, l := range widget.WrapText(annotation.CutLongText(c.Text), max(1, width-margin)) {
			if i > 0 {
				head = strings.Repeat(" ", margin)
			}
			out = append(out, head+l)
		}
	}
	return append(out, eval.Map(pg.layOutNonOptions(width), func(words []verdictWord) string {
		return widget.CutWidth(" "+iv.drawVerdictRow(words, own, "  "), width)
	})...)
}

// titleNote is the room behind a title for which lines are shown, and how they scroll.
const titleNote = 30

// drawAnswer draws the pane of the raw prediction: what the annotator is here to read.
func (iv *itemView) drawAnswer(pg *itemPage, g itemLayout, v paneExtent) []string {
	name, task := "Model response", describeTask(&pg.Item)
	if labeloption.IsScored(&pg.Item) {
		name = "Answer to score"
	}
	if whole := name + ": " + task; g.pane >= widget.TextWidth(whole)+titleNote {
		name = whole
	} else if g.pane >= widget.TextWidth(task)+titleNote/2 {
		name = strings.ToUpper(task[:1]) + task[1:]
	}
	ready := pg.answer.Laid != nil && pg.answer.Laid.Width() == g.answer
	pg.answer.Marks = iv.matchedRanges()
	return pg.answer.DrawPane(iv.Theme, name, iv.SpellKey("open"), iv.SpellText("{up down} scroll"), iv.top[answerPane], v.answer+1, g.pane, v.focus == answerPane, ready)
}

// matchedRanges are the parts of the response out of which extractors read an option, once revealed.
func (iv *itemView) matchedRanges() []widget.Range {
	if iv.Mode != annotation.Revealed || !iv.reveal.Done {
		return nil
	}
	return eval.FilterMap(iv.reveal.What.Readings, func(r blind.MachineReading) (widget.Range, bool) {
		return widget.Range{From: r.From, To: r.From + len(r.Matched)}, r.Matched != ""
	})
}

// scrollToMatch brings the first of them in sight.
func (iv *itemView) scrollToMatch() {
	pg, spans := iv.FrontBody(), iv.matchedRanges()
	if pg == nil || pg.answer.Laid == nil || len(spans) == 0 {
		return
	}
	pg.answer.Whole = true
	iv.top[answerPane] = iv.clampScroll(answerPane, max(0, pg.answer.Laid.LineOfByte(spans[0].From)-1))
}

// describeTask describes what is asked of a response.
func describeTask(it *annotate.Item) string {
	if labeloption.IsScored(it) {
		return "how right is this response?"
	}
	if labeloption.IsGraded(it) {
		return "does this response meet the criterion?"
	}
	return eval.Either(it.Labels != "", "which label fits this response?", "which option does this response choose?")
}

// clampScroll brings a scroll position to where a pane's last page is full. An
// answer that is not laid out that far is laid out to there.
func (iv *itemView) clampScroll(p pane, to int) int {
	rows, lines := 0, 0
	switch v := iv.measureExtent(); p {
	case answerPane:
		pg := iv.FrontBody()
		if pg == nil {
			return 0
		}
		rows = v.answer
		pg.answer.LayOutLines(to + rows)
		lines, _ = pg.answer.Len()
	case questionPane:
		rows, lines = v.question, v.questionLines
	case panelPane:
		rows, lines = v.panel, v.panelLines
	case panes:
	}
	return max(0, min(to, lines-rows))
}

// standardGuideline is the guideline for the item in front where the queue has none.
func (iv *itemView) standardGuideline() string {
	switch pg := iv.FrontBody(); {
	case pg != nil && labeloption.IsScored(&pg.Item):
		return labeloption.ScoreGuideline
	case pg != nil && labeloption.IsGraded(&pg.Item):
		return labeloption.GradeGuideline
	}
	return labeloption.LabelGuideline
}

// isDrawnFrom reports whether the queue is made of what an extractor cannot read.
func (iv *itemView) isDrawnFrom(extractor string) bool {
	rule := iv.Session.Own.Queue().Rule
	own, _, _ := strings.Cut(rule.Rules, "@")
	name, _, _ := strings.Cut(extractor, "@")
	return rule.From == annotate.FromUnparsable && own != "" && name == "rules:"+own
}

// drawRevealed are the readings of each extractor with whether they agree, and the judges' own words.
func (iv *itemView) drawRevealed(width int) []string {
	t, r := iv.Theme, iv.reveal
	switch {
	case r.Err != nil:
		return []string{t.Bad.Render(widget.CleanLine(r.Err.Error()))}
	case !r.Done:
		return []string{t.Faint.Render("reading…")}
	}
	out := iv.drawItemRemarks(width)
	if len(r.What.Readings) == 0 {
		out = append(out, t.Faint.Render("no extractor has read this answer"))
	}
	for _, x := range r.What.Readings {
		mark := t.Bad.Render("≠ differs")
		switch {
		case iv.isDrawnFrom(x.Extractor):
			mark = t.Faint.Render("left out ") // the queue is what it cannot read
		case x.Agrees:
			mark = t.Good.Render("= agrees ")
		}
		out = append(out, mark+"  "+widget.CleanLine(x.Extractor)+"  "+t.Strong.Render(labeloption.MachineReadingText(x)))
		if x.Matched != "" {
			out[len(out)-1] = widget.CutWidth(out[len(out)-1]+t.Faint.Render("  out of “"+widget.CleanLine(widget.HeadOfText(x.Matched))+"”"), width)
		}
		if x.Raw == "" {
			continue
		}
		out = append(out, t.Faint.WrapStyled(strings.Repeat(" ", 9)+t.Faint.Render("│ "), annotation.CutLongText(x.Raw), width-2)...)
	}
	return out
}

// drawItemRemarks draws what is said of the item itself: in one line, if it fits.
func (iv *itemView) drawItemRemarks(width int) []string {
	what := &iv.reveal.What
	parts := []string{"you " + labeloption.ReadingText(what.Own), "model " + widget.CleanLine(what.Model)}
	if what.Model == "" {
		parts[1] = "model withheld: another queue asks you about this answer"
	}
	switch {
	case what.Truth != "":
		parts = append(parts, "ground truth "+string(what.Truth))
	case what.Withheld:
		parts = append(parts, "ground truth withheld: another item on this sample is open or may come")
	case what.Own.Kind != annotate.Scored: // of one that is scored the right answer stands above
		parts = append(parts, "no ground truth")
	}
	if line := strings.Join(parts, "   "); widget.TextWidth(line) <= width {
		return []string{line}
	}
	return eval.FlatMap(parts, func(p string) []string { return widget.WrapText(p, width) })
}
