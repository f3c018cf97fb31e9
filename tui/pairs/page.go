package pairs

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/markdown"
	"concord/tui/widget"
)

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
