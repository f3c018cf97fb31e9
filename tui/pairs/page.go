package pairs

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/markdown"
	"concord/tui/widget"
)

// page is one pair that is open: a document that scrolls as a whole.
type page struct {
	ctx    context.Context
	keys   *keymap.Spelling
	theme  *widget.Theme
	source Source
	row    Row

	width, height int
	loaded        bool
	err           error
	Detail
	docs   [2]*markdown.Doc // of the answers; nil of one that is too long
	marks  [2][]bool        // where they differ; nil: they were not compared
	differ bool

	space *widget.PaneSize // of the answers
	body  []string         // laid out for the width
	top   int              // the first line shown

	pictures drilldown.Pictures
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

// open opens the pair under the cursor.
func (m *Model) open() tea.Cmd {
	row := m.list.Row()
	if row == nil {
		return nil
	}
	p := &page{
		ctx: m.list.Context(), keys: &m.Spelling, theme: m.theme, source: m.source, row: *row,
		width: m.width, height: m.height, differ: m.differ, pictures: drilldown.Pictures{Viewer: m.viewer}, space: m.theme.Pane("pair"),
	}
	m.page = p
	who := m.who
	return func() tea.Msg { return p.load(who) }
}

// load reads the pair; it runs in a command and changes nothing of p.
func (p *page) load(who annotate.Annotator) opened {
	all, err := p.source.Detail(p.ctx, who, p.row.Pair)
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
	out.gallery = drilldown.Load(p.theme, all.Pictures, func(h eval.PictureHash) ([]byte, error) { return p.source.Picture(p.ctx, h) })
	return out
}

func (p *page) update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == p {
		p.loaded, p.err, p.Detail = true, msg.err, msg.detail
		p.docs, p.marks = msg.docs, msg.marks
		p.pictures.Gallery = msg.gallery
		p.lay()
		return p.draw()
	}
	return nil
}

func (p *page) hasPicture() bool { return p.pictures.Seen() }

// draw draws the picture for the room beside the question, and for the whole
// screen when it fills it, in commands.
func (p *page) draw() tea.Cmd {
	if !p.hasPicture() {
		return nil
	}
	cmds := []tea.Cmd{p.drawFor(p.small())}
	if p.pictures.Full {
		cmds = append(cmds, p.drawFor(p.large()))
	}
	return tea.Batch(cmds...)
}

func (p *page) drawFor(r room) tea.Cmd {
	if r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.pictures.Viewer.Draw(p.pictures.Front(), r.cols, r.rows)
}

// hang takes a picture that was drawn.
func (p *page) hang() tea.Cmd {
	p.lay()
	return p.draw()
}

// art is the picture in a room; nil before it is drawn.
func (p *page) art(r room) []string {
	if !p.hasPicture() || r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.pictures.Viewer.Lines(p.pictures.Front(), r.cols, r.rows)
}

// look takes a key of the picture that fills the screen, and reports whether
// it was one.
func (p *page) look(name string) (tea.Cmd, bool) {
	r := p.large()
	return p.pictures.Look(name, r.cols, r.rows, p.hang)
}

func (p *page) resize(width, height int) {
	p.width, p.height = width, height
	p.lay()
}

func (m *Model) pressPage(msg tea.KeyMsg) tea.Cmd {
	p, k := m.page, m.keys
	if cmd, ok := p.look(msg.String()); ok {
		return cmd
	}
	if by, ok := k.Moves.By(msg, max(1, p.height-2), len(p.body)); ok {
		p.roll(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.After):
		return m.step(1)
	case key.Matches(msg, k.Before):
		return m.step(-1)
	case key.Matches(msg, k.Picture):
		return p.pictures.Fill(p.hang)
	case key.Matches(msg, k.Enlarge):
		p.space.Press(msg.String())
		return p.hang()
	case key.Matches(msg, k.Another):
		return p.pictures.Another(p.hang)
	case key.Matches(msg, k.mark):
		m.differ = !m.differ
		p.differ = m.differ
		p.lay()
		if m.differ && p.marks[0] == nil && p.loaded {
			return drilldown.Tell("these two answers cannot be compared word by word")
		}
	}
	return p.draw()
}

// roll scrolls the page.
func (p *page) roll(by int) {
	p.top = max(0, min(p.top+by, len(p.body)-max(1, p.height-1)))
}
