package criteria

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// asideFrom is the width from which the question stands left of the part, and
// guideFrom the one from which the guideline stands right of the editor.
const (
	asideFrom = 100
	guideFrom = 150
)

// columnWidths are the widths of the question, the part and the guideline; 0 for one that is not beside.
func (m *pageReader) columnWidths() (left, main, guide int) {
	main = m.width
	if m.width < asideFrom {
		return 0, main, 0
	}
	left = m.width * 2 / 5
	if m.page != nil && m.page.editor != nil && m.width >= guideFrom {
		left, guide = m.width/3, m.width/3-3
	}
	main = m.width - left - 3
	if guide > 0 {
		main -= guide + 3
	}
	return left, main, guide
}

// drawHead draws the title of the page: which sample, how far it is, what of it is saved.
func (m *pageReader) drawHead() []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	title := "Sample " + widget.CleanLine(string(r.Sample.ID))
	head := t.Title.Render(title) + "  " + formatState(m.sampleSet, &r.Set, true)
	head += eval.Either(r.Set.Round > 0, t.Faint.Render(fmt.Sprintf(", round %d", r.Set.Round)), "")
	head += t.Faint.Render("  " + widget.CleanLine(eval.JoinPath(r.Sample.Taxonomy)))
	return []string{widget.JoinEnds(" "+head, m.formatSampleSaving(), m.width), t.MarkActivePane(drawPartLine(m), m.width)}
}

func (m *pageReader) formatSampleSaving() string {
	t, p := m.theme, m.page
	waits, at := m.deps.Writer.SampleState(m.dataset, p.sample)
	_, lost := m.lost[p.sample]
	switch e := p.editor; {
	case e != nil && e.trouble != "" && e.isDirty():
		return t.Bad.Render("NOT SAVED: " + widget.CleanLine(e.trouble) + " ")
	case lost:
		return t.Bad.Render(m.SpellText("NOT SAVED: what you wrote is still here ({e}) "))
	case m.saving.Err != nil:
		return t.Bad.Render("NOT SAVED: " + widget.CleanLine(m.saving.Err.Error()) + " ")
	case e != nil && e.isDirty():
		return t.Warn.Render("not saved yet ")
	case waits:
		return t.Faint.Render("saving… ")
	case !at.IsZero():
		return t.Good.Render("saved " + at.Local().Format("15:04:05") + " ")
	}
	return ""
}

func drawPartLine(m *pageReader) string {
	t, p := m.theme, m.page
	if p.editor != nil {
		name := eval.Either(p.editor.guide, "Guideline", "Writing")
		return " " + t.Title.Render("["+name+"]") + t.Faint.Render("  "+m.describeDraftFate())
	}
	out := " "
	for i, name := range partNames {
		out += eval.Either(pagePart(i) == p.part, t.Title.Render("["+name+"]"), t.Faint.Render(" "+name+" ")) + " "
	}
	return out
}

// describeDraftFate says what comes of the text.
func (m *pageReader) describeDraftFate() string {
	s := &m.rows[m.page.at].Set
	switch {
	case s.Pending != nil && s.Pending.Who != m.who:
		return "a draft that " + widget.CleanLine(string(s.Pending.Who)) + " began"
	case s.State == criteria.Unwritten, s.State == criteria.Draft:
		if who, others := eval.FirstWanted(s.Authors(), func(who annotate.Annotator) bool { return who != m.who }); others {
			return widget.CleanLine(string(who)) + " wrote this: whoever changes it cannot review it"
		}
		return m.SpellText("the draft saves itself; esc, then {s}, hands it in")
	}
	return m.SpellText("a draft of the next revision; esc, then {s}, hands it in with a reason")
}

func (m *pageReader) drawPage() []string {
	t := m.theme
	out := m.drawHead()
	height := m.height - len(out)
	left, main, guide := m.columnWidths()
	if left == 0 {
		question := m.drawQuestion(m.width-2, max(3, min(8, height/3)), false)
		out = append(out, eval.Map(question, indentLine)...)
		out = append(out, t.Border.Render(strings.Repeat("─", m.width)))
		return append(out, m.drawMain(m.width, m.height-len(out))...)
	}
	body := m.drawMain(main, height)
	if guide > 0 {
		column, below := drawGuideColumn(m, guide, height, height-len(body))
		body = t.DrawBeside(append(body, below...), column, main, main+3+guide, height)
	}
	side := m.drawSideColumn(left)
	return append(out, t.DrawBeside(side, body, left, m.width, height)...)
}

func (m *pageReader) drawMain(width, height int) []string {
	p := m.page
	if p.editor != nil {
		return drawEditor(m, width, height)
	}
	all := m.drawPart(width)
	if p.part != partGuide {
		all = m.addGuideBelow(all, width, height)
	}
	top := max(0, min(p.top[p.part], len(all)-height))
	all = all[top:]
	if len(all) > height && height > 1 {
		more := m.theme.Faint.Render(fmt.Sprintf(" %s more ↓", widget.FormatPlural(len(all)-height+1, "line")))
		all = append(append([]string(nil), all[:height-1]...), more)
	}
	return all
}

func (m *pageReader) drawPart(width int) []string {
	if why := m.whyCriteriaHidden(&m.rows[m.page.at]); why != "" && m.page.part != partGuide {
		s := m.newLineSheet(width)
		s.addText(m.theme.Text.Render, 1, why)
		return s.lines
	}
	switch m.page.part {
	case partReview:
		return drawReview(m, width)
	case partHistory:
		return drawHistory(m, width)
	case partGuide:
		return m.drawGuideline(width)
	case partCriteria, parts:
	}
	return drawCriteria(m.sampleSet, &m.rows[m.page.at], width)
}

// maxScroll is how far the open part can be scrolled.
func (m *pageReader) maxScroll() int {
	_, main, _ := m.columnWidths()
	return max(0, len(m.drawPart(main))-3)
}

func drawQuestion(t *widget.Theme, s *eval.Sample, width int) []string {
	out := eval.Map(widget.WrapText(s.Question, width), func(l string) string { return t.Strong.Render(l) })
	if s.Hint != "" {
		out = append(out, widget.WrapText("Hint: "+s.Hint, width)...)
	}
	for _, o := range s.Options {
		out = append(out, widget.WrapText(string(o.Letter)+". "+o.Text, width)...)
	}
	return out
}

func (m *pageReader) drawQuestion(width, height int, whole bool) []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	out := drawQuestion(t, &r.Sample, width)
	about := drawAbout(m, r, width)
	if room := height - len(about); !whole && len(out) > room && room > 0 {
		out = append(out[:room-1], widget.CutWidth(out[room-1], max(1, width-2))+t.Faint.Render(" …"))
	}
	return append(out, about...)
}

// drawAbout draws the type of the question, and which picture is shown and its
// size: on a line of its own where there is no room for both.
func drawAbout(m *pageReader, r *Row, width int) []string {
	t := m.theme
	kind := r.Set.QuestionType(&r.Sample)
	text := eval.Either(kind == eval.TypeUnset, t.Warn.Render(m.SpellText("no type ({o l p})")), t.Accent.Render(kind.String()))
	picture := describePicture(m, r)
	line := text + t.Faint.Render(" · ") + picture
	if widget.TextWidth(line) > width {
		return []string{widget.CutWidth(text, width), widget.CutWidth(picture, width)}
	}
	return []string{widget.CutWidth(line, width)}
}

func describePicture(m *pageReader, r *Row) string {
	t, p := m.theme, m.page
	switch {
	case len(r.Sample.Pictures) == 0:
		return t.Warn.Render("no image")
	case !p.loaded:
		return t.Faint.Render("loading the image…")
	case !p.gallery.HasAny():
		return t.Warn.Render(widget.CleanLine(p.gallery.FirstError().Error()))
	case p.gallery.PictureInFront() == nil:
		return t.Warn.Render(p.gallery.DescribeFront(m.SpellKey("next_image")))
	}
	pic := p.gallery.PictureInFront()
	s := criteria.Size{Width: pic.Width, Height: pic.Height}
	text := fmt.Sprintf("image %dx%d px", s.Width, s.Height)
	if place := p.gallery.FormatGalleryPlace(m.SpellKey("next_image")); place != "" {
		text = place + fmt.Sprintf("%dx%d px", s.Width, s.Height)
	}
	if name := p.gallery.FrontName(); p.gallery.Full && name != "" {
		text += "  " + widget.CleanLine(name)
	}
	if left, _, _ := m.columnWidths(); left == 0 && !p.gallery.Full && p.editor == nil {
		text = m.SpellKey("zoom") + " shows " + text
	}
	text = m.viewer.FormatViewNote(m.SpellText("{whole_picture} whole")) + text
	return eval.Either(!s.IsClear(), t.Warn.Render(fmt.Sprintf("%s: short edge under %d", text, criteria.ShortEdge)), t.Faint.Render(text)) + t.Faint.Render(m.viewer.FormatColours())
}

// drawSideColumn draws the picture over the question.
func (m *pageReader) drawSideColumn(width int) []string {
	text := m.drawQuestion(width-1, 0, true)
	var out []string
	if art := m.pictureLines(); len(art) > 0 {
		out = append(eval.Map(art, indentLine), "")
	}
	return append(out, eval.Map(text, indentLine)...)
}

func indentLine(l string) string { return " " + l }

func (m *pageReader) pictureRoom() (cols, rows int) {
	if m.page.gallery.Full {
		return m.width, m.height - 1
	}
	left, _, _ := m.columnWidths()
	if left == 0 {
		return 0, 0
	}
	text := len(m.drawQuestion(left-1, m.height, true))
	return left - 2, max(0, min(m.height-3-text-1, m.height*2/3))
}

func (m *pageReader) drawFullPicture() []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	head := " " + t.Title.Render("Sample "+widget.CleanLine(string(r.Sample.ID))) + "  " + describePicture(m, r) + t.Faint.Render(m.SpellText("  {zoom} closes"))
	return append([]string{t.MarkActivePane(head, m.width)}, m.pictureLines()...)
}
