package pairs

import (
	"context"
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
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

	space *widget.Room // of the answers
	body  []string     // laid out for the width
	top   int          // the first line shown

	gallery widget.Gallery
	viewer  *widget.Viewer
	full    bool // the picture fills the screen
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
	if m.at.At < 0 || m.at.At >= len(m.rows) {
		return nil
	}
	p := &page{
		ctx: m.ctx, keys: &m.Spelling, theme: m.theme, source: m.source, row: m.rows[m.at.At],
		width: m.width, height: m.height, differ: m.differ, viewer: m.viewer, space: m.theme.Room("pair"),
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
	for _, pic := range all.Pictures {
		one, err := p.theme.Images.Open(string(pic.Hash), func() ([]byte, error) { return p.picture(pic.Hash) })
		if err != nil {
			err = fmt.Errorf("%s: %w", widget.Line(pic.Name), err)
		}
		out.gallery.Add(one, pic.Name, err)
	}
	return out
}

func (p *page) update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == p {
		p.loaded, p.err, p.Detail = true, msg.err, msg.detail
		p.docs, p.marks = msg.docs, msg.marks
		p.gallery = msg.gallery
		p.lay()
		return p.draw()
	}
	return nil
}

func (p *page) hasPicture() bool { return p.gallery.Seen() }

// draw draws the picture for the room beside the question, and for the whole
// screen when it fills it, in commands.
func (p *page) draw() tea.Cmd {
	if !p.hasPicture() {
		return nil
	}
	cmds := []tea.Cmd{p.drawFor(p.small())}
	if p.full {
		cmds = append(cmds, p.drawFor(p.large()))
	}
	return tea.Batch(cmds...)
}

func (p *page) drawFor(r room) tea.Cmd {
	if r.cols < 4 || r.rows < 2 {
		return nil
	}
	return p.viewer.Draw(p.gallery.Front(), r.cols, r.rows)
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
	return p.viewer.Lines(p.gallery.Front(), r.cols, r.rows)
}

// look takes a key of the picture that fills the screen, and reports whether
// it was one.
func (p *page) look(name string) (tea.Cmd, bool) {
	if !p.hasPicture() || !p.full && name != "=" {
		return nil, false
	}
	if name == "o" {
		return p.viewer.Outside(p.gallery.Front(), p.gallery.Name()), true
	}
	r := p.large()
	if !p.viewer.Press(name, p.gallery.Front(), r.cols, r.rows) {
		return nil, false
	}
	return p.hang(), true
}

// fill lets the picture fill the screen, or no longer.
func (p *page) fill() tea.Cmd {
	if p.hasPicture() && !p.full {
		if cmd := p.viewer.Fill(p.gallery.Front(), p.about()); cmd != nil {
			return cmd
		}
	}
	p.full = p.hasPicture() && !p.full
	return p.hang()
}

// another shows the next of the sample's pictures.
func (p *page) another() tea.Cmd {
	if !p.gallery.Next() {
		return tell("there is no other picture of this sample")
	}
	return p.hang()
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
	if by, ok := k.moves.By(msg, max(1, p.height-2), len(p.body)); ok {
		p.roll(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.after):
		return m.step(1)
	case key.Matches(msg, k.before):
		return m.step(-1)
	case key.Matches(msg, k.picture):
		return p.fill()
	case key.Matches(msg, k.room):
		p.space.Press(msg.String())
		return p.hang()
	case key.Matches(msg, k.another):
		return p.another()
	case key.Matches(msg, k.mark):
		m.differ = !m.differ
		p.differ = m.differ
		p.lay()
		if m.differ && p.marks[0] == nil && p.loaded {
			return tell("these two answers cannot be compared word by word")
		}
	}
	return p.draw()
}

func tell(text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: widget.Info, Text: text} }
}

// step opens the pair before or after.
func (m *Model) step(by int) tea.Cmd {
	before := m.at.At
	read := m.move(by)
	if m.at.At == before {
		return read
	}
	full := m.page.full
	cmd := m.open()
	m.page.full = full
	return tea.Batch(read, cmd)
}

// roll scrolls the page.
func (p *page) roll(by int) {
	p.top = max(0, min(p.top+by, len(p.body)-max(1, p.height-1)))
}

// picture reads the bytes of one picture.
func (p *page) picture(h eval.PictureHash) ([]byte, error) {
	if h == "" {
		return nil, widget.ErrNoPicture
	}
	return p.source.Picture(p.ctx, h)
}
