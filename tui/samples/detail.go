package samples

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// sampleDetail is one sample that is open.
type sampleDetail struct {
	drilldown.PageFrame
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
	of      *sampleDetail
	detail  Detail
	gallery widget.Gallery
	err     error
}

func (d *sampleDetail) readDetail(who annotate.Annotator) (Detail, error) {
	if k := d.row.Key; k.Run != 0 {
		return d.source.DetailInRun(d.Ctx, who, k.Run, k.Sample)
	}
	return d.source.SampleDetail(d.Ctx, who, d.row.Dataset, d.row.Key.Sample)
}

// loadDetail reads the sample; it runs in a command and changes nothing of d.
func (d *sampleDetail) loadDetail(who annotate.Annotator) opened {
	all, err := d.readDetail(who)
	out := opened{of: d, detail: all, err: err}
	if err != nil {
		return out
	}
	out.gallery = drilldown.LoadPictures(d.Theme, all.Pictures, d.source.Picture)
	return out
}

// Update takes the sample that was read.
func (d *sampleDetail) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(opened); ok && msg.of == d {
		d.Loaded, d.Err, d.Detail = true, msg.err, msg.detail
		d.Gallery.Gallery = msg.gallery
		for i := range d.Passes {
			if d.Passes[i].Pass == d.row.Key.Pass {
				d.at = i
			}
		}
		d.layOutText()
		return d.DrawPictures()
	}
	return nil
}

// DrawPictures draws the picture for the room that it has, in a command.
func (d *sampleDetail) DrawPictures() tea.Cmd {
	cols, rows := d.PictureExtent()
	if !d.Gallery.HasAny() || cols < 4 || rows < 2 {
		return nil
	}
	return d.Gallery.Viewer.DrawPicture(d.Gallery.PictureInFront(), cols, rows)
}

// HandleDrawn draws a picture once it is there.
func (d *sampleDetail) HandleDrawn() tea.Cmd { return d.DrawPictures() }

// layOutText begins the layout of the shown pass's text, as far as it is seen.
func (d *sampleDetail) layOutText() {
	d.text, d.scroll, d.upperTop = nil, 0, 0
	if d.at >= len(d.Passes) || !d.Passes[d.at].Visibility.ShowsText() {
		return
	}
	d.text = widget.NewText(d.Passes[d.at].Text, d.textWidth())
	d.text.LayOutTo(d.Height)
}

// layOutKeepingScroll lays the text out for the room that it has now, and stays about where it was scrolled to.
func (d *sampleDetail) layOutKeepingScroll() {
	scroll, upper, on := d.scroll, d.upperTop, d.onUpper
	d.layOutText()
	d.onUpper = false
	d.scrollBy(scroll)
	d.onUpper, d.upperTop = on, max(0, min(upper, d.countHiddenLines()))
}

// Resize sets the size that Lines fill.
func (d *sampleDetail) Resize(width, height int) {
	d.Width, d.Height = width, height
	if d.Loaded {
		d.layOutText()
	}
}

// HandleKey takes a key of the passes and of what is scrolled.
func (d *sampleDetail) HandleKey(msg tea.KeyMsg) tea.Cmd {
	k := d.keys
	switch {
	case key.Matches(msg, k.nextPass):
		d.stepPass(1)
	case key.Matches(msg, k.prevPass):
		d.stepPass(-1)
	case key.Matches(msg, k.Moves.Up):
		d.scrollBy(-1)
	case key.Matches(msg, k.Moves.Down):
		d.scrollBy(1)
	case key.Matches(msg, k.Moves.PageUp):
		d.scrollBy(-max(1, d.textHeight()-1))
	case key.Matches(msg, k.Moves.PageDown):
		d.scrollBy(max(1, d.textHeight()-1))
	case key.Matches(msg, k.Moves.Top):
		d.scrollBy(-d.scroll - d.upperTop)
	case key.Matches(msg, k.List):
		d.onUpper = !d.onUpper && (d.countHiddenLines() > 0 || d.isPartFullScreen())
		d.layOutKeepingScroll()
	case key.Matches(msg, k.Enlarge):
		d.Space.ChangeByKey(msg.String())
		d.layOutKeepingScroll()
	}
	return d.DrawPictures()
}

// stepPass goes to another pass.
func (d *sampleDetail) stepPass(by int) {
	at := max(0, min(d.at+by, len(d.Passes)-1))
	if at != d.at {
		d.at = at
		d.layOutText()
	}
}

// scrollBy scrolls the text, or the part over or left of it.
func (d *sampleDetail) scrollBy(by int) {
	if d.onUpper {
		d.upperTop = max(0, min(d.upperTop+by, d.countHiddenLines()))
		return
	}
	if d.text == nil {
		return
	}
	d.text.LayOutTo(d.scroll + by + 2*d.Height)
	n, _ := d.text.Len()
	d.scroll = max(0, min(d.scroll+by, n-d.textHeight()))
}
