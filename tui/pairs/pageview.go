package pairs

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/markdown"
	"concord/tui/widget"
)

// beside is the width from which on the answers stand side by side, and the
// picture beside the question.
const beside = 100

func (p *page) wide() bool { return p.width >= beside }

// large is the room of a picture that fills the screen.
func (p *page) large() room { return room{p.width, p.height - 2} }

// small is the room of the picture beside the question; none where it is
// narrow.
func (p *page) small() room {
	if !p.wide() {
		return room{}
	}
	return room{p.leaves(p.width * 2 / 5), p.leaves(max(4, p.height*2/5))}
}

// leaves is how much of so many lines or cells the answers leave to what stands
// above them; all of it while they are sealed.
func (p *page) leaves(n int) int {
	if p.Blinded {
		return n
	}
	return p.space.Leaves(n)
}

// view draws the pair; it is the n-th of count.
func (p *page) view(n int, count string) []string {
	t := p.theme
	note := fmt.Sprintf("%s of %s", widget.Count(n), count)
	if len(p.Taxonomy) > 0 {
		note = widget.Line(eval.Path(p.Taxonomy)) + "  " + note
	}
	if below := len(p.body) - p.top - (p.height - 1); below > 0 {
		note += "  ↓ " + widget.Count(below) + " more"
	}
	out := []string{t.Section("Sample "+widget.Line(string(p.row.Sample)), note, true, p.width)}
	switch {
	case !p.loaded:
		return append(out, "", t.Faint.Render("  loading…"))
	case p.err != nil:
		return append(out, "", t.Bad.Render("  ✗ "+widget.Line(p.err.Error())))
	case p.pictures.Full:
		return append(append(out, p.art(p.large())...), captionOf(p))
	}
	return append(out, p.body[min(p.top, len(p.body)):]...)
}

// lay lays the whole page out.
func (p *page) lay() {
	if !p.loaded || p.width <= 0 {
		return
	}
	var out []string
	switch {
	case p.Blinded:
		out = append(p.matter(), "", p.theme.Warn.Render("Blinded: ")+"whose answers these are, and every vote on them, is shown once you have voted",
			"on the sample's pairs that wait for you.")
	case *p.space == widget.FullPane:
		out = append(append(p.gist(), p.answers()...), p.replies()...)
	default:
		out = append(p.matter(), p.criteria()...)
		out = append(out, p.votes()...)
		out = append(out, p.answers()...)
		out = append(out, p.replies()...)
	}
	p.body = out
	p.roll(0)
}

// gist is the question in a line, where the answers have all the room.
func (p *page) gist() []string {
	return []string{widget.Cut(p.theme.Strong.Render(widget.Line(limit(p.Question))), p.width)}
}

// matter is the question with its picture.
func (p *page) matter() []string {
	pic := p.art(p.small())
	if len(pic) == 0 {
		return p.question(p.width)
	}
	cols := widget.Width(pic[0])
	text := p.question(p.width - cols - 3)
	return p.theme.Beside(pic, text, cols, p.width, max(len(pic), len(text)))
}

func captionOf(p *page) string {
	if !p.hasPicture() {
		return ""
	}
	line := p.theme.Faint.Render(p.about())
	if zoomed := p.pictures.Viewer.Zoomed(); zoomed != "" {
		line = p.theme.Warn.Render(zoomed) + p.theme.Faint.Render(p.keys.Keyed(", {=} whole  ")) + line
	}
	return line
}

// about is which picture is in front, its size and name.
func (p *page) about() string { return p.pictures.About(p.keys.Spelled("f")) }

func (p *page) question(width int) []string {
	t := p.theme
	var out []string
	for _, l := range some(widget.Wrap(limit(p.Question), width), max(2, p.leaves(12))) {
		out = append(out, t.Strong.Render(l))
	}
	for _, o := range p.Options {
		out = append(out, widget.Cut(fmt.Sprintf("  %s  %s", widget.Line(string(o.Letter)), widget.Line(limit(o.Text))), width))
	}
	if p.Hint != "" {
		out = append(out, some(widget.Wrap("Hint: "+limit(p.Hint), width), 3)...)
	}
	var facts []string
	if p.Type != eval.TypeUnset {
		facts = append(facts, t.Faint.Render(p.Type.String()+" question"))
	}
	switch c := captionOf(p); {
	case c != "" && !p.wide():
		facts = append(facts, c, t.Key.Render(p.keys.Spelled("z"))+t.Faint.Render(" shows it"))
	case c != "":
		facts = append(facts, c)
	case p.pictures.Len() > 0:
		facts = append(facts, t.Warn.Render("no image: "+widget.Line(p.pictures.Trouble().Error())))
	case len(p.Pictures) == 0:
		facts = append(facts, t.Faint.Render("no image"))
	}
	return append(out, widget.Cut(strings.Join(facts, "  "), width))
}

func (p *page) criteria() []string {
	if strings.TrimSpace(p.Criteria) == "" {
		return []string{p.theme.Section("Criteria", "none", false, p.width)}
	}
	return append([]string{p.theme.Section("Criteria", "", false, p.width)},
		some(widget.Wrap(limit(strings.TrimSpace(p.Criteria)), p.width), max(2, p.leaves(20)))...)
}

// name is the model whose answer it is.
func (p *page) name(i int) string { return widget.Line(p.Models[i]) }

// answers are both answers, side by side where there is room.
func (p *page) answers() []string {
	t := p.theme
	if !p.wide() {
		var out []string
		for i := range p.Answers {
			out = append(out, t.Section(p.name(i), p.size(i), false, p.width))
			out = append(out, p.answer(i, p.width)...)
		}
		return out
	}
	left := (p.width - 3) / 2
	right := p.width - 3 - left
	a := append([]string{t.Section(p.name(0), p.size(0), false, left)}, p.answer(0, left)...)
	b := append([]string{t.Section(p.name(1), p.size(1), false, right)}, p.answer(1, right)...)
	return t.Beside(a, b, left, p.width, max(len(a), len(b)))
}

// size is how long an answer is: length sways votes.
func (p *page) size(i int) string {
	a := &p.Answers[i]
	if a.Missing != "" {
		return ""
	}
	note := widget.Plural(len([]rune(a.Text)), "character")
	if a.Cut {
		note += ", cut off by the endpoint"
	}
	return note
}

func (p *page) answer(i, width int) []string {
	t, a := p.theme, &p.Answers[i]
	switch {
	case a.Missing != "":
		return []string{t.Warn.Render(widget.Cut(widget.Line(a.Missing), width))}
	case strings.TrimSpace(a.Text) == "":
		return []string{t.Faint.Render("(empty)")}
	case p.docs[i] == nil:
		lines := widget.Wrap(a.Text[:markdown.Limit], width)
		return append(lines, t.Faint.Render(widget.Cut("… "+widget.Plural(len(a.Text)-markdown.Limit, "byte")+" more are not shown here", width)))
	}
	var marks []bool
	if p.differ {
		marks = p.marks[i]
	}
	return p.docs[i].Lay(t, width, marks)
}

// limit is the beginning of a text that is wrapped whole.
func limit(s string) string {
	const most = 4000
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// some are the first n lines; the last says when there are more.
func some(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n-1:n-1], fmt.Sprintf("… %d more lines", len(lines)-n+1))
}
