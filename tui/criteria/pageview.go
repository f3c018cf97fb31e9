package criteria

import (
	"fmt"
	"strings"

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

// columns are the widths of the question, the part and the guideline; 0 for
// one that is not beside.
func (m *reader) columns() (left, main, guide int) {
	main = m.width
	if m.width < asideFrom {
		return 0, main, 0
	}
	left = m.width * 2 / 5
	if m.page != nil && m.page.editor != nil && m.width >= guideFrom {
		left, guide = m.width/3, m.width/4
	}
	main = m.width - left - 3
	if guide > 0 {
		main -= guide + 3
	}
	return left, main, guide
}

// pageHead is the title of the page: which sample, how far it is, what of it
// is saved.
func (m *reader) pageHead() []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	title := "Sample " + widget.Line(string(r.Sample.ID))
	head := t.Title.Render(title) + "  " + stateText(m.collection, &r.Set, true)
	if r.Set.Round > 0 {
		head += t.Faint.Render(fmt.Sprintf(", round %d", r.Set.Round))
	}
	head += t.Faint.Render("  " + widget.Line(eval.Path(r.Sample.Taxonomy)))
	return []string{widget.Ends(" "+head, m.sampleSaving(), m.width), partLine(m)}
}

// sampleSaving is what of the open sample is not saved.
func (m *reader) sampleSaving() string {
	t, p := m.theme, m.page
	waits, at := m.deps.Writer.Of(m.dataset, p.sample)
	_, lost := m.lost[p.sample]
	switch e := p.editor; {
	case e != nil && e.trouble != "" && e.dirty():
		return t.Bad.Render("NOT SAVED: " + widget.Line(e.trouble) + " ")
	case lost:
		return t.Bad.Render(m.Keyed("NOT SAVED: what you wrote is still here ({e}) "))
	case m.saving.Err != nil:
		return t.Bad.Render("NOT SAVED: " + widget.Line(m.saving.Err.Error()) + " ")
	case e != nil && e.dirty():
		return t.Warn.Render("not saved yet ")
	case waits:
		return t.Faint.Render("saving… ")
	case !at.IsZero():
		return t.Good.Render("saved " + at.Local().Format("15:04:05") + " ")
	}
	return ""
}

func partLine(m *reader) string {
	t, p := m.theme, m.page
	if p.editor != nil {
		name := "Writing"
		if p.editor.guide {
			name = "Guideline"
		}
		return " " + t.Title.Render("["+name+"]") + t.Faint.Render("  "+m.writingNote())
	}
	out := " "
	for i, name := range partNames {
		if part(i) == p.part {
			out += t.Title.Render("["+name+"]") + " "
		} else {
			out += t.Faint.Render(" "+name+" ") + " "
		}
	}
	return out
}

// writingNote says what comes of the text.
func (m *reader) writingNote() string {
	s := &m.rows[m.page.at].Set
	switch {
	case s.Pending != nil && s.Pending.Who != m.who:
		return "a draft that " + widget.Line(string(s.Pending.Who)) + " began"
	case s.State == criteria.Unwritten, s.State == criteria.Draft:
		for _, who := range s.Authors() {
			if who != m.who {
				return widget.Line(string(who)) + " wrote this: whoever changes it cannot review it"
			}
		}
		return m.Keyed("the draft saves itself; esc, then {s}, hands it in")
	}
	return m.Keyed("a draft of the next revision; esc, then {s}, hands it in with a reason")
}

func (m *reader) pageLines() []string {
	t := m.theme
	out := m.pageHead()
	height := m.height - len(out)
	left, main, guide := m.columns()
	if left == 0 {
		question := m.question(m.width-2, max(3, min(8, height/3)), false)
		for _, l := range question {
			out = append(out, " "+l)
		}
		out = append(out, t.Border.Render(strings.Repeat("─", m.width)))
		return append(out, m.mainLines(m.width, m.height-len(out))...)
	}
	body := m.mainLines(main, height)
	if guide > 0 {
		body = t.Beside(body, guideColumn(m, guide, height), main, main+3+guide, height)
	}
	side := m.sideColumn(left)
	return append(out, t.Beside(side, body, left, m.width, height)...)
}

// mainLines is the part of the page that is open.
func (m *reader) mainLines(width, height int) []string {
	p := m.page
	if p.editor != nil {
		return editorLines(m, width, height)
	}
	all := m.partLines(width)
	top := max(0, min(p.top[p.part], len(all)-height))
	all = all[top:]
	if len(all) > height && height > 1 {
		more := m.theme.Faint.Render(fmt.Sprintf(" %s more ↓", widget.Plural(len(all)-height+1, "line")))
		all = append(append([]string(nil), all[:height-1]...), more)
	}
	return all
}

func (m *reader) partLines(width int) []string {
	if why := m.unseen(&m.rows[m.page.at]); why != "" && m.page.part != partGuide {
		s := m.sheet(width)
		s.say(m.theme.Text.Render, 1, why)
		return s.lines
	}
	switch m.page.part {
	case partReview:
		return reviewLines(m, width)
	case partHistory:
		return historyLines(m, width)
	case partGuide:
		return m.guideLines(width)
	case partCriteria, parts:
	}
	return criteriaLines(m.collection, &m.rows[m.page.at], width)
}

// longest is how far the open part can be scrolled.
func (m *reader) longest() int {
	_, main, _ := m.columns()
	return max(0, len(m.partLines(main))-3)
}

// asked is a question with its hint and its options.
func asked(t *widget.Theme, s *eval.Sample, width int) []string {
	var out []string
	for _, l := range widget.Wrap(s.Question, width) {
		out = append(out, t.Strong.Render(l))
	}
	if s.Hint != "" {
		out = append(out, widget.Wrap("Hint: "+s.Hint, width)...)
	}
	for _, o := range s.Options {
		out = append(out, widget.Wrap(string(o.Letter)+". "+o.Text, width)...)
	}
	return out
}

// question is what the sample asks, in so many lines.
func (m *reader) question(width, height int, whole bool) []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	out := asked(t, &r.Sample, width)
	about := aboutLines(m, r, width)
	if room := height - len(about); !whole && len(out) > room && room > 0 {
		out = append(out[:room-1], widget.Cut(out[room-1], max(1, width-2))+t.Faint.Render(" …"))
	}
	return append(out, about...)
}

// aboutLines are the type of the question, and which picture is shown and its
// size. One of several has a line of its own where there is no room for both.
func aboutLines(m *reader, r *Row, width int) []string {
	t := m.theme
	kind := r.Set.QuestionType(&r.Sample)
	text := t.Accent.Render(kind.String())
	if kind == eval.TypeUnset {
		text = t.Warn.Render(m.Keyed("no type ({o l p})"))
	}
	picture := pictureText(m, r)
	line := text + t.Faint.Render(" · ") + picture
	if m.page.gallery.Len() > 1 && widget.Width(line) > width {
		return []string{widget.Cut(text, width), widget.Cut(picture, width)}
	}
	return []string{widget.Cut(line, width)}
}

func pictureText(m *reader, r *Row) string {
	t, p := m.theme, m.page
	switch {
	case len(r.Sample.Pictures) == 0:
		return t.Warn.Render("no image")
	case !p.loaded:
		return t.Faint.Render("loading the image…")
	case !p.gallery.Seen():
		return t.Warn.Render(widget.Line(p.gallery.Trouble().Error()))
	case p.gallery.Front() == nil:
		return t.Warn.Render(p.gallery.About(m.Spelled("next_image")))
	}
	pic := p.gallery.Front()
	s := criteria.Size{Width: pic.Width, Height: pic.Height}
	text := fmt.Sprintf("image %dx%d px", s.Width, s.Height)
	if place := p.gallery.Place(m.Spelled("next_image")); place != "" {
		text = place + fmt.Sprintf("%dx%d px", s.Width, s.Height)
	}
	if name := p.gallery.Name(); p.full && name != "" {
		text += "  " + widget.Line(name)
	}
	text = m.viewer.Note(m.Keyed("{whole_picture} whole")) + text
	if !s.Clear() {
		return t.Warn.Render(fmt.Sprintf("%s: short edge under %d", text, criteria.ShortEdge))
	}
	return t.Faint.Render(text)
}

// sideColumn is the picture over the question.
func (m *reader) sideColumn(width int) []string {
	text := m.question(width-1, 0, true)
	var out []string
	if art := m.art(); len(art) > 0 {
		for _, l := range art {
			out = append(out, " "+l)
		}
		out = append(out, "")
	}
	for _, l := range text {
		out = append(out, " "+l)
	}
	return out
}

// pictureRoom is where the picture is drawn.
func (m *reader) pictureRoom() (cols, rows int) {
	if m.page.full {
		return m.width, m.height - 1
	}
	left, _, _ := m.columns()
	if left == 0 {
		return 0, 0
	}
	text := len(m.question(left-1, m.height, true))
	return left - 2, max(0, min(m.height-3-text-1, m.height*2/3))
}

func (m *reader) fullPicture() []string {
	t, p := m.theme, m.page
	r := &m.rows[p.at]
	out := []string{" " + t.Title.Render("Sample "+widget.Line(string(r.Sample.ID))) + "  " + pictureText(m, r) + t.Faint.Render(m.Keyed("  {zoom} closes"))}
	return append(out, m.art()...)
}
