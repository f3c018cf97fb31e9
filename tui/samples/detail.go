package samples

import (
	"context"
	"errors"
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// detail is one sample that is open.
type detail struct {
	ctx    context.Context
	theme  *widget.Theme
	source Source
	row    row

	width, height int
	loaded        bool
	err           error
	Detail
	seen   []pass
	sealed bool // no truth is shown

	at     int          // the pass whose text is shown
	text   *widget.Text // of that pass
	scroll int

	upperTop int  // first line shown of what stands over or left of the text
	onUpper  bool // that part is scrolled

	pictures []*widget.Picture
	trouble  error // with the pictures
	art      art
	full     bool // the picture fills the screen
}

// pass is a pass with whether it must not be seen.
type pass struct {
	Pass
	asked eval.Shown
	blind bool
}

// art is a picture drawn for a size.
type art struct {
	cols, rows int
	lines      []string
}

type (
	// opened is a sample that was read.
	opened struct {
		of       *detail
		detail   Detail
		seen     []pass
		sealed   bool
		pictures []*widget.Picture
		trouble  error
		err      error
	}
	// drawn is a picture that was drawn.
	drawn struct {
		of  *detail
		art art
	}
)

// open opens the sample under the cursor.
func (m *Model) open() tea.Cmd {
	if m.at.At < 0 || m.at.At >= len(m.rows) {
		return nil
	}
	r := m.rows[m.at.At]
	d := &detail{ctx: m.ctx, theme: m.theme, source: m.source, row: r, width: m.width, height: m.height}
	m.detail = d
	blind, who := m.blind, m.who
	return func() tea.Msg { return d.load(blind, who) }
}

// load reads the sample; it runs in a command and changes nothing of d.
func (d *detail) load(b Blind, who annotate.Annotator) opened {
	k := d.row.Key
	all, err := d.source.Detail(d.ctx, k.Run, k.Sample)
	out := opened{of: d, detail: all, err: err, sealed: b.Sealed(who, k)}
	if err != nil {
		return out
	}
	for _, p := range all.Passes {
		blind := b.Blinded(who, p.Prediction.Key)
		out.sealed = out.sealed || blind
		out.seen = append(out.seen, pass{Pass: p, asked: p.Prediction.Asked(&all.Sample), blind: blind})
	}
	for _, pic := range all.Sample.Pictures {
		if pic.Hash == "" {
			out.trouble = fmt.Errorf("%s: %w", widget.Line(pic.Name), widget.ErrNoPicture)
			continue
		}
		data, err := d.source.Picture(d.ctx, pic.Hash)
		if err == nil {
			var p *widget.Picture
			if p, err = widget.Decode(data); err == nil {
				out.pictures = append(out.pictures, p)
				continue
			}
		}
		out.trouble = errors.Join(out.trouble, err)
	}
	return out
}

func (d *detail) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		if msg.of != d {
			return nil
		}
		d.loaded, d.err, d.Detail, d.seen, d.sealed = true, msg.err, msg.detail, msg.seen, msg.sealed
		d.pictures, d.trouble = msg.pictures, msg.trouble
		for i, p := range d.seen {
			if p.Prediction.Pass == d.row.Key.Pass {
				d.at = i
			}
		}
		d.layText()
		return d.draw()
	case drawn:
		if msg.of == d {
			d.art = msg.art
		}
	}
	return nil
}

func (d *detail) hasPicture() bool { return len(d.pictures) > 0 }

// draw draws the picture for the room that it has, in a command.
func (d *detail) draw() tea.Cmd {
	cols, rows := d.pictureRoom()
	if !d.hasPicture() || cols < 4 || rows < 2 || d.art.cols == cols && d.art.rows == rows {
		return nil
	}
	p, t := d.pictures[0], d.theme
	return func() tea.Msg {
		return drawn{d, art{cols, rows, p.Render(cols, rows, t.Profile(), t.Dark())}}
	}
}

// layText begins the layout of the shown pass's text, as far as it is seen.
func (d *detail) layText() {
	d.text, d.scroll, d.upperTop = nil, 0, 0
	if d.at >= len(d.seen) || d.seen[d.at].blind {
		return
	}
	d.text = widget.NewText(d.seen[d.at].Prediction.Text, d.textWidth())
	d.text.Reach(d.height)
}

func (d *detail) resize(width, height int) {
	d.width, d.height = width, height
	if d.loaded {
		d.layText()
	}
}

func (m *Model) pressDetail(msg tea.KeyMsg) tea.Cmd {
	d, k := m.detail, m.keys
	switch {
	case key.Matches(msg, k.nextItem):
		return m.step(1)
	case key.Matches(msg, k.prevItem):
		return m.step(-1)
	case key.Matches(msg, k.nextPass):
		d.turn(1)
	case key.Matches(msg, k.prevPass):
		d.turn(-1)
	case key.Matches(msg, k.picture):
		d.full = d.hasPicture() && !d.full
		return d.draw()
	case key.Matches(msg, k.up):
		d.roll(-1)
	case key.Matches(msg, k.down):
		d.roll(1)
	case key.Matches(msg, k.pageUp):
		d.roll(-max(1, d.textHeight()-1))
	case key.Matches(msg, k.pageDown):
		d.roll(max(1, d.textHeight()-1))
	case key.Matches(msg, k.top):
		d.roll(-d.scroll - d.upperTop)
	case key.Matches(msg, k.show):
		d.onUpper = !d.onUpper && d.hidden() > 0
	}
	return d.draw()
}

// step opens the sample before or after.
func (m *Model) step(by int) tea.Cmd {
	before := m.at.At
	read := m.move(by)
	if m.at.At == before {
		return read
	}
	full := m.detail.full
	cmd := m.open()
	m.detail.full = full
	return tea.Batch(read, cmd)
}

// turn goes to another pass.
func (d *detail) turn(by int) {
	at := max(0, min(d.at+by, len(d.seen)-1))
	if at != d.at {
		d.at = at
		d.layText()
	}
}

// roll scrolls the text, or the part over or left of it.
func (d *detail) roll(by int) {
	if d.onUpper {
		d.upperTop = max(0, min(d.upperTop+by, d.hidden()))
		return
	}
	if d.text == nil {
		return
	}
	d.text.Reach(d.scroll + by + 2*d.height)
	n, _ := d.text.Len()
	d.scroll = max(0, min(d.scroll+by, n-d.textHeight()))
}
