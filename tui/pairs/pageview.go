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

// fullScreenRoom is the room of a picture that fills the screen.
func (p *pairPage) fullScreenRoom() cellRoom { return cellRoom{p.Width, p.Height - 2} }

// besideRoom is the room of the picture beside the question; none where it is narrow.
func (p *pairPage) besideRoom() cellRoom {
	return eval.Either(!p.IsWide(), cellRoom{}, cellRoom{p.linesForRest(p.Width * 2 / 5), p.linesForRest(max(4, p.Height*2/5))})
}

// linesForRest is how much of so many lines or cells the answers leave to what stands
// above them; all of it while they are sealed.
func (p *pairPage) linesForRest(n int) int { return eval.Either(p.Blinded, n, p.Space.CellsLeft(n)) }

// DrawPage draw the pair; it is the n-th of count.
func (p *pairPage) DrawPage(n int, count string) []string {
	note := fmt.Sprintf("%s of %s", widget.FormatCount(n), count)
	if len(p.Taxonomy) > 0 {
		note = widget.CleanLine(eval.JoinPath(p.Taxonomy)) + "  " + note
	}
	if below := len(p.body) - p.top - (p.Height - 1); below > 0 {
		note += "  ↓ " + widget.FormatCount(below) + " more"
	}
	out, read := p.DrawTitleOrLoading(p.row.Sample, note)
	switch {
	case !read:
		return out
	case p.Gallery.Full:
		return append(append(out, p.pictureLines(p.fullScreenRoom())...), p.FormatCaption())
	}
	return append(out, p.body[min(p.top, len(p.body)):]...)
}

func (p *pairPage) layOutPage() {
	if !p.Loaded || p.Width <= 0 {
		return
	}
	var out []string
	switch {
	case p.Blinded:
		out = append(p.drawQuestionAndPicture(), "", p.Theme.Warn.Render("Blinded: ")+"whose answers these are, and every vote on them, is shown once you have voted",
			"on the sample's pairs that wait for you.")
	case *p.Space == widget.FullPane:
		question := p.Theme.Strong.Render(widget.CleanLine(drilldown.CutLongText(p.Question)))
		out = append(append([]string{widget.CutWidth(question, p.Width)}, p.drawAnswers()...), p.drawReplies()...)
	default:
		out = append(p.drawQuestionAndPicture(), p.drawCriteria()...)
		out = append(out, p.drawVotes()...)
		out = append(out, p.drawAnswers()...)
		out = append(out, p.drawReplies()...)
	}
	p.body = out
	p.scrollBy(0)
}

// drawQuestionAndPicture draws the question with its picture.
func (p *pairPage) drawQuestionAndPicture() []string {
	pic := p.pictureLines(p.besideRoom())
	if len(pic) == 0 {
		return p.drawQuestion(p.Width)
	}
	cols := widget.TextWidth(pic[0])
	text := p.drawQuestion(p.Width - cols - 3)
	return p.Theme.DrawBeside(pic, text, cols, p.Width, max(len(pic), len(text)))
}

func (p *pairPage) drawQuestion(width int) []string {
	t := p.Theme
	out := eval.Map(drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(p.Question), width), max(2, p.linesForRest(12))), func(l string) string {
		return t.Strong.Render(l)
	})
	for _, o := range p.Options {
		out = append(out, widget.CutWidth(fmt.Sprintf("  %s  %s", widget.CleanLine(string(o.Letter)), widget.CleanLine(drilldown.CutLongText(o.Text))), width))
	}
	if p.Hint != "" {
		out = append(out, drilldown.FirstLines(widget.WrapText("Hint: "+drilldown.CutLongText(p.Hint), width), 3)...)
	}
	var facts []string
	if p.Type != eval.TypeUnset {
		facts = append(facts, t.Faint.Render(p.Type.String()+" question"))
	}
	switch c := p.FormatCaption(); {
	case c != "" && !p.IsWide():
		facts = append(facts, c, t.Key.Render(p.Spelling.SpellKey("zoom"))+t.Faint.Render(" shows it"))
	case c != "":
		facts = append(facts, c)
	case p.Gallery.Len() > 0:
		facts = append(facts, t.Warn.Render("no image: "+widget.CleanLine(p.Gallery.FirstError().Error())))
	case len(p.Pictures) == 0:
		facts = append(facts, t.Faint.Render("no image"))
	}
	return append(out, widget.CutWidth(strings.Join(facts, "  "), width))
}

func (p *pairPage) drawCriteria() []string {
	if strings.TrimSpace(p.Criteria) == "" {
		return []string{p.Theme.DrawSection("Criteria", "none", false, p.Width)}
	}
	return append([]string{p.Theme.DrawSection("Criteria", "", false, p.Width)},
		drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(strings.TrimSpace(p.Criteria)), p.Width), max(2, p.linesForRest(20)))...)
}

// modelName is the model whose answer it is.
func (p *pairPage) modelName(i int) string { return widget.CleanLine(p.Models[i]) }

// drawAnswers draws both answers, side by side where there is room.
func (p *pairPage) drawAnswers() []string {
	t := p.Theme
	if !p.IsWide() {
		var out []string
		for i := range p.Answers {
			out = append(out, t.DrawSection(p.modelName(i), p.formatLength(i), false, p.Width))
			out = append(out, p.drawAnswer(i, p.Width)...)
		}
		return out
	}
	left := (p.Width - 3) / 2
	right := p.Width - 3 - left
	a := append([]string{t.DrawSection(p.modelName(0), p.formatLength(0), false, left)}, p.drawAnswer(0, left)...)
	b := append([]string{t.DrawSection(p.modelName(1), p.formatLength(1), false, right)}, p.drawAnswer(1, right)...)
	return t.DrawBeside(a, b, left, p.Width, max(len(a), len(b)))
}

// formatLength gives how long an answer is: length sways votes.
func (p *pairPage) formatLength(i int) string {
	a := &p.Answers[i]
	if a.Missing != "" {
		return ""
	}
	return widget.FormatPlural(len([]rune(a.Text)), "character") + eval.Either(a.Cut, ", cut off by the endpoint", "")
}

func (p *pairPage) drawAnswer(i, width int) []string {
	t, a := p.Theme, &p.Answers[i]
	switch {
	case a.Missing != "":
		return []string{t.Warn.Render(widget.CutWidth(widget.CleanLine(a.Missing), width))}
	case strings.TrimSpace(a.Text) == "":
		return []string{t.Faint.Render("(empty)")}
	case p.docs[i] == nil:
		lines := widget.WrapText(a.Text[:markdown.Limit], width)
		return append(lines, t.Faint.Render(widget.CutWidth("… "+widget.FormatPlural(len(a.Text)-markdown.Limit, "byte")+" more are not shown here", width)))
	}
	var marks []bool
	if *p.differ {
		marks = p.marks[i]
	}
	return p.docs[i].LayOut(t, width, marks)
}

// pairPage is one pair that is open: a document that scrolls as a whole.
type pairPage struct {
	drilldown.PageFrame
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

// cellRoom is the room for a picture in cells.
type cellRoom struct{ cols, rows int }

// opened is a pair that was read.
type opened struct {
	of      *pairPage
	detail  Detail
	docs    [2]*markdown.Doc
	marks   [2][]bool
	gallery widget.Gallery
	err     error
}

// loadPair reads the pair; it runs in a command and changes nothing of p.
func (p *pairPage) loadPair(who annotate.Annotator) opened {
	all, err := p.source.Detail(p.Ctx, who, p.row.Pair)
	out := opened{of: p, detail: all, err: err}
	if err != nil {
		return out
	}
	for i := range all.Answers {
		if a := &all.Answers[i]; len(a.Text) <= markdown.Limit {
			out.docs[i] = markdown.Parse(a.Text)
		}
	}
	if out.docs[0] != nil && out.docs[1] != nil {
		if d, ok := markdown.CompareDocs(out.docs[0], out.docs[1]); ok {
			out.marks = [2][]bool{d.A, d.B}
		}
	}
	out.gallery = drilldown.LoadPictures(p.Theme, all.Pictures, p.source.Picture)
	return out
}

// Update takes the pair that was read.
func (p *pairPage) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == p {
		p.Loaded, p.Err, p.Detail = true, msg.err, msg.detail
		p.docs, p.marks = msg.docs, msg.marks
		p.Gallery.Gallery = msg.gallery
		p.layOutPage()
		return p.DrawPictures()
	}
	return nil
}

// DrawPictures draws the picture for the room beside the question, and for the whole
// screen when it fills it, in commands.
func (p *pairPage) DrawPictures() tea.Cmd {
	if !p.Gallery.HasAny() {
		return nil
	}
	cmds := []tea.Cmd{p.drawPictureFor(p.besideRoom())}
	if p.Gallery.Full {
		cmds = append(cmds, p.drawPictureFor(p.fullScreenRoom()))
	}
	return tea.Batch(cmds...)
}

func (p *pairPage) drawPictureFor(r cellRoom) tea.Cmd {
	if r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.Gallery.Viewer.DrawPicture(p.Gallery.PictureInFront(), r.cols, r.rows)
}

// HandleDrawn takes a picture that was drawn.
func (p *pairPage) HandleDrawn() tea.Cmd {
	p.layOutPage()
	return p.DrawPictures()
}

// pictureLines is the picture in a room; nil before it is drawn.
func (p *pairPage) pictureLines(r cellRoom) []string {
	if !p.Gallery.HasAny() || r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.Gallery.Viewer.PictureLines(p.Gallery.PictureInFront(), r.cols, r.rows)
}

// PictureExtent is that of the picture that fills the screen.
func (p *pairPage) PictureExtent() (cols, rows int) {
	r := p.fullScreenRoom()
	return r.cols, r.rows
}

// Resize sets the size that Lines fill.
func (p *pairPage) Resize(width, height int) {
	p.Width, p.Height = width, height
	p.layOutPage()
}

// HandleKey takes a key of the page.
func (p *pairPage) HandleKey(msg tea.KeyMsg) tea.Cmd {
	k := p.keys
	if by, ok := k.Moves.MoveBy(msg, max(1, p.Height-2), len(p.body)); ok {
		p.scrollBy(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.Enlarge):
		p.Space.ChangeByKey(msg.String())
		return p.HandleDrawn()
	case key.Matches(msg, k.mark):
		*p.differ = !*p.differ
		p.layOutPage()
		if *p.differ && p.marks[0] == nil && p.Loaded {
			return widget.NotifyCmd(widget.Info, "these two answers cannot be compared word by word")
		}
	}
	return p.DrawPictures()
}

func (p *pairPage) scrollBy(by int) { p.top = max(0, min(p.top+by, len(p.body)-max(1, p.Height-1))) }
