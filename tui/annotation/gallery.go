package annotation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Canvas is what a frame of an item and its pictures depends on. The screen sets Mode, Picture and Refusal.
type Canvas struct {
	keymap.Spelling
	Theme         *widget.Theme
	Width, Height int
	Outer         int // cells across with what stands beside, which an enlarged image has; 0: nothing does
	Mode          action.Mode
	Picture       int                              // which of the item's pictures
	Refusal       string                           // why the last key did nothing
	page          func() *Page                     // the item in front
	room          func() (cols, rows int, ok bool) // of the picture in front, when it does not fill the screen
	none          func() string                    // why there is no item to look at; "" where there is one
}

// Gallery is the pictures of the item in front, as they are looked at.
type Gallery struct {
	viewer *widget.Viewer
	*Canvas
}

// NewGallery makes that of a canvas. page gives the item in front, room what its
// picture has when it does not fill the screen, and none why there is no item.
func NewGallery(c *Canvas, page func() *Page, room func() (cols, rows int, ok bool), none func() string) *Gallery {
	c.page, c.room, c.none = page, room, none
	return &Gallery{Canvas: c, viewer: widget.NewViewer(c.Theme)}
}

// HandleDrawn takes a picture that was drawn, and draws the one that is shown now.
func (v *Gallery) HandleDrawn(msg widget.Drawn) tea.Cmd {
	if !v.viewer.HandleDrawn(msg) {
		return nil
	}
	return v.DrawFrontPicture()
}

// DrawFrontPicture has the picture drawn that is shown now.
func (v *Gallery) DrawFrontPicture() tea.Cmd {
	pic, cols, rows := v.pictureWanted()
	return v.viewer.DrawPicture(pic.Image, cols, rows)
}

// pictureWanted is the picture to be shown of the item in front now, and its room.
func (v *Gallery) pictureWanted() (pic Picture, cols, rows int) {
	pg := v.page()
	cols, rows, ok := v.room()
	if !ok || pg == nil || v.Picture >= len(pg.Pictures) {
		return Picture{}, 0, 0
	}
	if v.Mode == Zooming {
		return pg.Pictures[v.Picture], max(v.Width, v.Outer), v.Height - 1
	}
	return pg.Pictures[v.Picture], cols, rows
}

// ShowFullScreen lets the picture fill the screen.
func (v *Gallery) ShowFullScreen(string) tea.Cmd {
	v.Mode = Zooming
	return v.DrawFrontPicture()
}

// HandleZoomKey takes a key that zooms or pans. An image that has no room beside the text fills the screen first.
func (v *Gallery) HandleZoomKey(key string) tea.Cmd {
	pic, cols, rows := v.pictureWanted()
	if v.Mode != Zooming && cols*rows == 0 {
		if cmd := v.ShowFullScreen(key); v.Mode != Zooming {
			return cmd
		}
		pic, cols, rows = v.pictureWanted()
	}
	v.viewer.HandleZoomKey(key, pic.Image, cols, rows)
	return v.DrawFrontPicture()
}

// OpenViewer shows the picture outside the terminal.
func (v *Gallery) OpenViewer(string) tea.Cmd {
	pic, _, _ := v.pictureWanted()
	return v.viewer.OpenViewer(pic.Image, pic.Name)
}

// LeaveZoom goes back to the text. The picture beside it shows what was looked at.
func (v *Gallery) LeaveZoom(string) tea.Cmd {
	v.Mode = Reading
	return v.DrawFrontPicture()
}

// NextPicture shows the next of an item's pictures.
func (v *Gallery) NextPicture(string) tea.Cmd {
	v.Picture = (v.Picture + 1) % len(v.page().Pictures)
	return v.DrawFrontPicture()
}

// PictureLines is the picture in a room of cols by rows, or what is to be said in its place.
func (v *Gallery) PictureLines(pg *Page, cols, rows int) []string {
	if v.Picture >= len(pg.Pictures) {
		return nil
	}
	pic := pg.Pictures[v.Picture]
	if pic.Err != nil {
		return v.placeholderLines("cannot show the image: "+pic.Err.Error(), cols, rows)
	}
	lines := v.viewer.PictureLines(pic.Image, cols, rows)
	if len(lines) == 0 {
		return v.placeholderLines("drawing the image…", cols, rows)
	}
	indent := strings.Repeat(" ", max(0, (cols-widget.TextWidth(lines[0]))/2))
	return eval.Map(lines, func(l string) string { return indent + l })
}

func (v *Gallery) placeholderLines(text string, cols, rows int) []string {
	lines := v.Theme.Faint.WrapStyled("", text, cols)
	return lines[:min(len(lines), max(rows, 1))]
}

// FormatCaption gives a picture's name and size, and how far it is zoomed in.
func (v *Gallery) FormatCaption(pg *Page) string {
	if v.Picture >= len(pg.Pictures) {
		return ""
	}
	line := v.Theme.Faint.Render(v.describePicture(pg))
	if pg.Pictures[v.Picture].Image == nil {
		return line
	}
	return v.Theme.DrawWarning(v.viewer.FormatViewNote(v.SpellText("{whole_picture} whole"))) + line + v.Theme.Faint.Render(v.viewer.FormatColours())
}

func (v *Gallery) describePicture(pg *Page) string {
	pic := pg.Pictures[v.Picture]
	var parts []string
	if len(pg.Pictures) > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d, %s next", v.Picture+1, len(pg.Pictures), v.SpellKey("next_image")))
	}
	if pic.Image != nil {
		parts = append(parts, fmt.Sprintf("%dx%d px", pic.Image.Width, pic.Image.Height))
	} else {
		parts = append(parts, describeMissing(&pic))
	}
	if pic.Name != "" {
		parts = append(parts, widget.CutWidth(widget.CleanLine(pic.Name), 24))
	}
	return strings.Join(parts, "  ")
}

// DrawZoomed draws the picture on the whole screen, over its name or why the last key did nothing.
func (v *Gallery) DrawZoomed(pg *Page, status string) []string {
	width, rows := max(v.Width, v.Outer), v.Height-1
	lines := v.PictureLines(pg, width, rows)
	pad := make([]string, max(0, (rows-len(lines))/2))
	last := eval.Either(v.Refusal != "", status, v.Theme.MarkActivePane(" "+v.FormatCaption(pg), width))
	return append(widget.FitBox(append(pad, lines...), width, max(1, rows)), last)
}

// WhyNoPicture is why there is no picture to look at.
func (v *Gallery) WhyNoPicture() string {
	if why := v.none(); why != "" {
		return why
	}
	all := v.page().Pictures
	switch {
	case len(all) == 0:
		return "the item has no image"
	case !slices.ContainsFunc(all, func(p Picture) bool { return describeMissing(&p) != noPicture }):
		return "the project does not hold the item's image"
	}
	return ""
}

// whyNotFull is why the keys of a picture that fills the screen mean nothing.
func (v *Gallery) whyNotFull() string {
	return action.WhyIf(v.Mode != Zooming, v.SpellText("{zoom} shows the image on the whole screen first"))
}

// whyNotZoomed is why there is nothing to move or to go back to.
func (v *Gallery) whyNotZoomed() string {
	return action.WhyIf(v.viewer.Viewport().IsWhole(), v.SpellText("the whole image is shown; {zoom_in} enlarges"))
}

// WhyNoPictures is why there is no other picture.
func (v *Gallery) WhyNoPictures() string {
	if why := v.WhyNoPicture(); why != "" {
		return why
	}
	return eval.Either(len(v.page().Pictures) == 1, "the item has one image only", "")
}

// noPicture is said of a picture that the project does not hold.
const noPicture = "no image"

// describeMissing says in two words why a picture is not there to be seen.
func describeMissing(pic *Picture) string {
	switch {
	case pic.Hash == "", errors.Is(pic.Err, widget.ErrNoPicture):
		return noPicture
	case pic.Err == nil:
		return "loading"
	case errors.Is(pic.Err, widget.ErrPictureSize):
		return "image too large"
	case errors.Is(pic.Err, widget.ErrPicturesOff):
		return "images are off"
	}
	return "image unreadable"
}

// ReadPicture decodes a picture of an item, or says why it cannot be shown.
func ReadPicture(images *widget.ImageRenderer, from Pictures, p eval.Picture) Picture {
	pic := Picture{Hash: p.Hash, Name: p.Name}
	if p.Hash == "" {
		pic.Err = errors.New("the file only referred to it")
	} else {
		pic.Image, pic.Err = images.OpenPicture(string(p.Hash), func() ([]byte, error) { return from.Picture(p.Hash) })
	}
	return pic
}

// kept is how many items stay in memory, with their pictures.
const kept = 8

// Page is an item as it was read, with its pictures decoded.
type Page struct {
	Item     annotate.Item
	Pictures []Picture
	Err      error
}

// Picture is a picture of an item, or why it cannot be shown.
type Picture struct {
	Hash  eval.PictureHash
	Name  string
	Image *widget.Picture
	Err   error
}

// pageEntry is an item at hand; body is nil when it could not be read.
type pageEntry[B any] struct {
	page *Page
	body *B
}

// pageCache are the items at hand, the one used last at the end.
type pageCache[B any] struct {
	byIndex map[int]pageEntry[B]
	order   []int
	coming  map[int]bool
}

func newPageCache[B any]() pageCache[B] {
	return pageCache[B]{byIndex: make(map[int]pageEntry[B]), coming: make(map[int]bool)}
}

func (p *pageCache[B]) getPage(index int) pageEntry[B] { return p.byIndex[index] }

// getAndMarkUsed marks an item as needed, and returns it.
func (p *pageCache[B]) getAndMarkUsed(index int) pageEntry[B] {
	at, ok := p.byIndex[index]
	if ok {
		p.moveToEnd(index)
	}
	return at
}

func (p *pageCache[B]) putPage(index int, at pageEntry[B]) {
	delete(p.coming, index)
	p.byIndex[index] = at
	p.moveToEnd(index)
}

// trimPages forgets the items that were used longest ago, but none that is wanted:
// what was asked for may come late and in any order.
func (p *pageCache[B]) trimPages(wanted []int) {
	for i := 0; i < len(p.order) && len(p.order) > kept; {
		if index := p.order[i]; !slices.Contains(wanted, index) {
			delete(p.byIndex, index)
			p.order = slices.Delete(p.order, i, i+1)
			continue
		}
		i++
	}
}

func (p *pageCache[B]) moveToEnd(index int) {
	p.order = append(slices.DeleteFunc(p.order, func(i int) bool { return i == index }), index)
}

// dropFailedPage forgets an item that could not be read, so that it is read again.
func (p *pageCache[B]) dropFailedPage(index int) {
	if at := p.byIndex[index]; at.page != nil && at.page.Err != nil {
		delete(p.byIndex, index)
		p.order = slices.DeleteFunc(p.order, func(i int) bool { return i == index })
	}
}
