package pairs

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/markdown"
	"concord/tui/widget"
)

// large is the room of a picture that fills the screen.
func (p *page) large() room { return room{p.Width, p.Height - 2} }

// small is the room of the picture beside the question; none where it is
// narrow.
func (p *page) small() room {
	if !p.Wide() {
		return room{}
	}
	return room{p.leaves(p.Width * 2 / 5), p.leaves(max(4, p.Height*2/5))}
}

// leaves is how much of so many lines or cells the answers leave to what stands
// above them; all of it while they are sealed.
func (p *page) leaves(n int) int {
	if p.Blinded {
		return n
	}
	return p.Space.Leaves(n)
}

// Lines draw the pair; it is the n-th of count.
func (p *page) Lines(n int, count string) []string {
	note := fmt.Sprintf("%s of %s", widget.Count(n), count)
	if len(p.Taxonomy) > 0 {
		note = widget.Line(eval.Path(p.Taxonomy)) + "  " + note
	}
	if below := len(p.body) - p.top - (p.Height - 1); below > 0 {
		note += "  ↓ " + widget.Count(below) + " more"
	}
	out, read := p.Head(p.row.Sample, note)
	switch {
	case !read:
		return out
	case p.Gallery.Full:
		return append(append(out, p.art(p.large())...), p.Caption())
	}
	return append(out, p.body[min(p.top, len(p.body)):]...)
}

// lay lays the whole page out.
func (p *page) lay() {
	if !p.Loaded || p.Width <= 0 {
		return
	}
	var out []string
	switch {
	case p.Blinded:
		out = append(p.matter(), "", p.Theme.Warn.Render("Blinded: ")+"whose answers these are, and every vote on them, is shown once you have voted",
			"on the sample's pairs that wait for you.")
	case *p.Space == widget.FullPane:
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
	return []string{widget.Cut(p.Theme.Strong.Render(widget.Line(drilldown.Limit(p.Question))), p.Width)}
}

// matter is the question with its picture.
func (p *page) matter() []string {
	pic := p.art(p.small())
	if len(pic) == 0 {
		return p.question(p.Width)
	}
	cols := widget.Width(pic[0])
	text := p.question(p.Width - cols - 3)
	return p.Theme.Beside(pic, text, cols, p.Width, max(len(pic), len(text)))
}

func (p *page) question(width int) []string {
	t := p.Theme
	var out []string
	for _, l := range drilldown.Some(widget.Wrap(drilldown.Limit(p.Question), width), max(2, p.leaves(12))) {
		out = append(out, t.Strong.Render(l))
	}
	for _, o := range p.Options {
		out = append(out, widget.Cut(fmt.Sprintf("  %s  %s", widget.Line(string(o.Letter)), widget.Line(drilldown.Limit(o.Text))), width))
	}
	if p.Hint != "" {
		out = append(out, drilldown.Some(widget.Wrap("Hint: "+drilldown.Limit(p.Hint), width), 3)...)
	}
	var facts []string
	if p.Type != eval.TypeUnset {
		facts = append(facts, t.Faint.Render(p.Type.String()+" question"))
	}
	switch c := p.Caption(); {
	case c != "" && !p.Wide():
		facts = append(facts, c, t.Key.Render(p.Spelling.Spelled("zoom"))+t.Faint.Render(" shows it"))
	case c != "":
		facts = append(facts, c)
	case p.Gallery.Len() > 0:
		facts = append(facts, t.Warn.Render("no image: "+widget.Line(p.Gallery.Trouble().Error())))
	case len(p.Pictures) == 0:
		facts = append(facts, t.Faint.Render("no image"))
	}
	return append(out, widget.Cut(strings.Join(facts, "  "), width))
}

func (p *page) criteria() []string {
	if strings.TrimSpace(p.Criteria) == "" {
		return []string{p.Theme.Section("Criteria", "none", false, p.Width)}
	}
	return append([]string{p.Theme.Section("Criteria", "", false, p.Width)},
		drilldown.Some(widget.Wrap(drilldown.Limit(strings.TrimSpace(p.Criteria)), p.Width), max(2, p.leaves(20)))...)
}

// name is the model whose answer it is.
func (p *page) name(i int) string { return widget.Line(p.Models[i]) }

// answers are both answers, side by side where there is room.
func (p *page) answers() []string {
	t := p.Theme
	if !p.Wide() {
		var out []string
		for i := range p.Answers {
			out = append(out, t.Section(p.name(i), p.size(i), false, p.Width))
			out = append(out, p.answer(i, p.Width)...)
		}
		return out
	}
	left := (p.Width - 3) / 2
	right := p.Width - 3 - left
	a := append([]string{t.Section(p.name(0), p.size(0), false, left)}, p.answer(0, left)...)
	b := append([]string{t.Section(p.name(1), p.size(1), false, right)}, p.answer(1, right)...)
	return t.Beside(a, b, left, p.Width, max(len(a), len(b)))
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
	t, a := p.Theme, &p.Answers[i]
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
	if *p.differ {
		marks = p.marks[i]
	}
	return p.docs[i].Lay(t, width, marks)
}

// page is one pair that is open: a document that scrolls as a whole.
type page struct {
	drilldown.Frame
	keys   *keys
	source Source
	row    Row
	Detail
	docs   [2]*markdown.Doc // of the answers; nil of one that is too long
	marks  [2][]bool        // where they differ; nil: they were not compared
	differ *bool            // of the screen: where they differ is marked

	body []string // laid out for the width
	top  int      // the first line shown
}

// room is the room for a picture in cells.
type room struct{ cols, rows int }

// opened is a pair that was read.
type opened struct {
	of      *page
	detail  Detail
	docs    [2]*markdown.Doc
	marks   [2][]bool
	gallery widget.Gallery
	err     error
}

// load reads the pair; it runs in a command and changes nothing of p.
func (p *page) load(who annotate.Annotator) opened {
	all, err := p.source.Detail(p.Ctx, who, p.row.Pair)
	out := opened{of: p, detail: all, err: err}
	if err != nil {
		return out
	}
	for i := range all.Answers {
		if a := &all.Answers[i]; len(a.Text) <= markdown.Limit {
			out.docs[i] = markdown.Markdown(a.Text)
		}
	}
	if out.docs[0] != nil && out.docs[1] != nil {
		if d, ok := markdown.Differ(out.docs[0], out.docs[1]); ok {
			out.marks = [2][]bool{d.A, d.B}
		}
	}
	out.gallery = drilldown.Load(p.Theme, all.Pictures, func(h eval.PictureHash) ([]byte, error) { return p.source.Picture(p.Ctx, h) })
	return out
}

// Update takes the pair that was read.
func (p *page) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == p {
		p.Loaded, p.Err, p.Detail = true, msg.err, msg.detail
		p.docs, p.marks = msg.docs, msg.marks
		p.Gallery.Gallery = msg.gallery
		p.lay()
		return p.Draw()
	}
	return nil
}

// Draw draws the picture for the room beside the question, and for the whole
// screen when it fills it, in commands.
func (p *page) Draw() tea.Cmd {
	if !p.Gallery.Seen() {
		return nil
	}
	cmds := []tea.Cmd{p.drawFor(p.small())}
	if p.Gallery.Full {
		cmds = append(cmds, p.drawFor(p.large()))
	}
	return tea.Batch(cmds...)
}

func (p *page) drawFor(r room) tea.Cmd {
	if r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.Gallery.Viewer.Draw(p.Gallery.Front(), r.cols, r.rows)
}

// Hang takes a picture that was drawn.
func (p *page) Hang() tea.Cmd {
	p.lay()
	return p.Draw()
}

// art is the picture in a room; nil before it is drawn.
func (p *page) art(r room) []string {
	if !p.Gallery.Seen() || r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.Gallery.Viewer.Lines(p.Gallery.Front(), r.cols, r.rows)
}

// Extent is that of the picture that fills the screen.
func (p *page) Extent() (cols, rows int) {
	r := p.large()
	return r.cols, r.rows
}

// Resize sets the size that Lines fill.
func (p *page) Resize(width, height int) {
	p.Width, p.Height = width, height
	p.lay()
}

// Press takes a key of the page.
func (p *page) Press(msg tea.KeyMsg) tea.Cmd {
	k := p.keys
	if by, ok := k.Moves.By(msg, max(1, p.Height-2), len(p.body)); ok {
		p.roll(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.Enlarge):
		p.Space.Press(msg.String())
		return p.Hang()
	case key.Matches(msg, k.mark):
		*p.differ = !*p.differ
		p.lay()
		if *p.differ && p.marks[0] == nil && p.Loaded {
			return drilldown.Tell("these two answers cannot be compared word by word")
		}
	}
	return p.Draw()
}

// roll scrolls the page.
func (p *page) roll(by int) {
	p.top = max(0, min(p.top+by, len(p.body)-max(1, p.Height-1)))
}
