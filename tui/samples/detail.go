package samples

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// detail is one sample that is open.
type detail struct {
	drilldown.Frame
	keys   *keys
	source Source
	row    Row
	Detail

	at     int          // the pass whose text is shown
	text   *widget.Text // of that pass
	scroll int

	upperTop int  // first line shown of what stands over or left of the text
	onUpper  bool // that part is scrolled
}

// opened is a sample that was read.
type opened struct {
	of      *detail
	detail  Detail
	gallery widget.Gallery
	err     error
}

func (d *detail) read(who annotate.Annotator) (Detail, error) {
	if k := d.row.Key; k.Run != 0 {
		return d.source.Detail(d.Ctx, who, k.Run, k.Sample)
	}
	return d.source.Alone(d.Ctx, who, d.row.Dataset, d.row.Key.Sample)
}

// load reads the sample; it runs in a command and changes nothing of d.
func (d *detail) load(who annotate.Annotator) opened {
	all, err := d.read(who)
	out := opened{of: d, detail: all, err: err}
	if err != nil {
		return out
	}
	out.gallery = drilldown.Load(d.Theme, all.Pictures, func(h eval.PictureHash) ([]byte, error) { return d.source.Picture(d.Ctx, h) })
	return out
}

// Update takes the sample that was read.
func (d *detail) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == d {
		d.Loaded, d.Err, d.Detail = true, msg.err, msg.detail
		d.Gallery.Gallery = msg.gallery
		for i := range d.Passes {
			if d.Passes[i].Pass == d.row.Key.Pass {
				d.at = i
			}
		}
		d.layText()
		return d.Draw()
	}
	return nil
}

// Draw draws the picture for the room that it has, in a command.
func (d *detail) Draw() tea.Cmd {
	cols, rows := d.Extent()
	if !d.Gallery.Seen() || cols < 4 || rows < 2 {
		return nil
	}
	return d.Gallery.Viewer.Draw(d.Gallery.Front(), cols, rows)
}

// Hang draws a picture once it is there.
func (d *detail) Hang() tea.Cmd { return d.Draw() }

// layText begins the layout of the shown pass's text, as far as it is seen.
func (d *detail) layText() {
	d.text, d.scroll, d.upperTop = nil, 0, 0
	if d.at >= len(d.Passes) || !d.Passes[d.at].Visibility.ShowsText() {
		return
	}
	d.text = widget.NewText(d.Passes[d.at].Text, d.textWidth())
	d.text.Reach(d.Height)
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

// Resize sets the size that Lines fill.
func (d *detail) Resize(width, height int) {
	d.Width, d.Height = width, height
	if d.Loaded {
		d.layText()
	}
}

// Press takes a key of the passes and of what is scrolled.
func (d *detail) Press(msg tea.KeyMsg) tea.Cmd {
	k := d.keys
	switch {
	case key.Matches(msg, k.nextPass):
		d.turn(1)
	case key.Matches(msg, k.prevPass):
		d.turn(-1)
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
		d.Space.Press(msg.String())
		d.fit()
	}
	return d.Draw()
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
	d.text.Reach(d.scroll + by + 2*d.Height)
	n, _ := d.text.Len()
	d.scroll = max(0, min(d.scroll+by, n-d.textHeight()))
}
