package samples

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// detail is one sample that is open.
type detail struct {
	ctx    context.Context
	keys   *keymap.Spelling
	theme  *widget.Theme
	source Source
	row    Row

	width, height int
	loaded        bool
	err           error
	Detail

	at     int          // the pass whose text is shown
	text   *widget.Text // of that pass
	scroll int

	space    *widget.PaneSize // of the part that is scrolled
	upperTop int              // first line shown of what stands over or left of the text
	onUpper  bool             // that part is scrolled

	pictures drilldown.Pictures
}

// opened is a sample that was read.
type opened struct {
	of      *detail
	detail  Detail
	gallery widget.Gallery
	err     error
}

// open opens the sample under the cursor.
func (m *Model) open() tea.Cmd {
	row := m.list.Row()
	if row == nil {
		return nil
	}
	d := &detail{ctx: m.list.Context(), keys: &m.Spelling, theme: m.theme, source: m.source, row: *row, pictures: drilldown.Pictures{Viewer: m.viewer}, space: m.theme.Pane("sample"), width: m.width, height: m.height}
	m.detail = d
	who := m.who
	return func() tea.Msg { return d.load(who) }
}

func (d *detail) read(who annotate.Annotator) (Detail, error) {
	if k := d.row.Key; k.Run != 0 {
		return d.source.Detail(d.ctx, who, k.Run, k.Sample)
	}
	return d.source.Alone(d.ctx, who, d.row.Dataset, d.row.Key.Sample)
}

// load reads the sample; it runs in a command and changes nothing of d.
func (d *detail) load(who annotate.Annotator) opened {
	all, err := d.read(who)
	out := opened{of: d, detail: all, err: err}
	if err != nil {
		return out
	}
	out.gallery = drilldown.Load(d.theme, all.Pictures, func(h eval.PictureHash) ([]byte, error) { return d.source.Picture(d.ctx, h) })
	return out
}

func (d *detail) update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == d {
		d.loaded, d.err, d.Detail = true, msg.err, msg.detail
		d.pictures.Gallery = msg.gallery
		for i := range d.Passes {
			if d.Passes[i].Pass == d.row.Key.Pass {
				d.at = i
			}
		}
		d.layText()
		return d.draw()
	}
	return nil
}

func (d *detail) hasPicture() bool { return d.pictures.Seen() }

// draw draws the picture for the room that it has, in a command.
func (d *detail) draw() tea.Cmd {
	cols, rows := d.pictureRoom()
	if !d.hasPicture() || cols < 4 || rows < 2 {
		return nil
	}
	return d.pictures.Viewer.Draw(d.pictures.Front(), cols, rows)
}

// look takes a key of the picture that fills the screen, and reports whether
// it was one.
func (d *detail) look(name string) (tea.Cmd, bool) {
	cols, rows := d.pictureRoom()
	return d.pictures.Look(name, cols, rows, d.draw)
}

// layText begins the layout of the shown pass's text, as far as it is seen.
func (d *detail) layText() {
	d.text, d.scroll, d.upperTop = nil, 0, 0
	if d.at >= len(d.Passes) || !d.Passes[d.at].Visibility.ShowsText() {
		return
	}
	d.text = widget.NewText(d.Passes[d.at].Text, d.textWidth())
	d.text.Reach(d.height)
}

// fit lays the text out for the room that it has now, and stays about where it
// was scrolled to.
func (d *detail) fit() {
	scroll, upper, on := d.scroll, d.upperTop, d.onUpper
	d.layText()
	d.onUpper = false
	d.roll(scroll)
	d.onUpper, d.upperTop = on, max(0, min(upper, d.hidden()))
}

func (d *detail) resize(width, height int) {
	d.width, d.height = width, height
	if d.loaded {
		d.layText()
	}
}

func (m *Model) pressDetail(msg tea.KeyMsg) tea.Cmd {
	d, k := m.detail, m.keys
	if cmd, ok := d.look(msg.String()); ok {
		return cmd
	}
	switch {
	case key.Matches(msg, k.After):
		return m.step(1)
	case key.Matches(msg, k.Before):
		return m.step(-1)
	case key.Matches(msg, k.nextPass):
		d.turn(1)
	case key.Matches(msg, k.prevPass):
		d.turn(-1)
	case key.Matches(msg, k.Picture):
		return d.pictures.Fill(d.draw)
	case key.Matches(msg, k.Another):
		return d.pictures.Another(d.draw)
	case key.Matches(msg, k.Moves.Up):
		d.roll(-1)
	case key.Matches(msg, k.Moves.Down):
		d.roll(1)
	case key.Matches(msg, k.Moves.PageUp):
		d.roll(-max(1, d.textHeight()-1))
	case key.Matches(msg, k.Moves.PageDown):
		d.roll(max(1, d.textHeight()-1))
	case key.Matches(msg, k.Moves.Top):
		d.roll(-d.scroll - d.upperTop)
	case key.Matches(msg, k.List):
		d.onUpper = !d.onUpper && (d.hidden() > 0 || d.filled())
		d.fit()
	case key.Matches(msg, k.Enlarge):
		d.space.Press(msg.String())
		d.fit()
	}
	return d.draw()
}

// turn goes to another pass.
func (d *detail) turn(by int) {
	at := max(0, min(d.at+by, len(d.Passes)-1))
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
