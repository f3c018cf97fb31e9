package curate

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// gallery is pictures of the cards at hand.
type gallery struct {
	viewer *widget.Viewer
	seen   map[eval.PictureHash]framed
	coming map[eval.PictureHash]bool
	order  []eval.PictureHash
}

// framed is a picture that was read, or why it cannot be shown.
type framed struct {
	image *widget.Picture
	err   error
}

type loaded struct {
	of   *Model
	hash eval.PictureHash
	pic  framed
}

// most is how many pictures stay in memory, and ahead how many are read before
// they are in front.
const (
	most  = 12
	ahead = 3
)

func newGallery(t *widget.Theme) gallery {
	return gallery{viewer: widget.NewViewer(t), seen: make(map[eval.PictureHash]framed), coming: make(map[eval.PictureHash]bool)}
}

// pictures are those of a card that the project holds.
func (c *Card) pictures() []eval.PictureHash {
	var out []eval.PictureHash
	for _, p := range c.Sample.Pictures {
		if p.Hash != "" {
			out = append(out, p.Hash)
		}
	}
	return out
}

// shownPicture is the picture of the card in front that is looked at; "" without
// one.
func (m *Model) shownPicture() eval.PictureHash {
	if c := m.card(); c != nil {
		if all := c.pictures(); m.picture < len(all) {
			return all[m.picture]
		}
	}
	return ""
}

// draw has the pictures of the next cards read, and that in front drawn.
func (m *Model) draw() tea.Cmd {
	if m.board == nil || m.width == 0 {
		return nil
	}
	var cmds []tea.Cmd
	for at := m.at; at < min(len(m.shown), m.at+ahead); at++ {
		all, from := m.open.Cards[m.shown[at]].pictures(), 0
		if at == m.at {
			from = min(m.picture, len(all))
		}
		for _, h := range all[from:min(len(all), from+2)] { // and the one behind it
			cmds = append(cmds, m.load(h))
		}
	}
	return tea.Batch(append(cmds, m.render())...)
}

// load reads a picture, unless it is at hand or on its way.
func (m *Model) load(h eval.PictureHash) tea.Cmd {
	g, source, easel := &m.pictures, m.deps.Source, m.theme.Easel
	if _, known := g.seen[h]; known || g.coming[h] {
		return nil
	}
	g.coming[h] = true
	return func() tea.Msg { return loaded{m, h, read(easel, source, h)} }
}

// nextPicture shows the next of the sample's pictures.
func (m *Model) nextPicture(string) tea.Cmd {
	m.picture = (m.picture + 1) % len(m.card().pictures())
	return m.draw()
}

func (m *Model) noPictures() string {
	c := m.card()
	if c == nil {
		return m.noCard()
	}
	if len(c.pictures()) < 2 {
		return "the project holds no other picture of this sample"
	}
	return ""
}

func read(easel *widget.Easel, from Source, h eval.PictureHash) framed {
	pic, err := easel.Open(string(h), func() ([]byte, error) {
		data, err := from.Picture(h)
		if errors.Is(err, eval.ErrNotFound) {
			err = widget.ErrNoPicture
		}
		return data, err
	})
	return framed{pic, err}
}

// render has the picture in front drawn for the room that it has.
func (m *Model) render() tea.Cmd {
	room := m.pictureRoom()
	return m.pictures.viewer.Draw(m.image(), room[0], room[1])
}

// image is the picture in front; nil when it is not there.
func (m *Model) image() *widget.Picture {
	if h := m.shownPicture(); h != "" {
		return m.pictures.seen[h].image
	}
	return nil
}

func (m *Model) hang(msg loaded) tea.Cmd {
	g := &m.pictures
	delete(g.coming, msg.hash)
	g.seen[msg.hash] = msg.pic
	g.order = append(g.order, msg.hash)
	for len(g.order) > most {
		delete(g.seen, g.order[0])
		g.order = g.order[1:]
	}
	return m.render()
}

// pictureRoom is how many cells the picture in front has, across and down.
func (m *Model) pictureRoom() [2]int {
	if m.mode == annotation.Zooming {
		return [2]int{m.width, m.height - 1}
	}
	return [2]int{max(0, m.pictureColumns()-1), m.mainHeight() - 1}
}

// pictureColumns is the width of the column with the picture; 0: the text has
// all the room.
func (m *Model) pictureColumns() int {
	return m.space.Leaves(min(90, (m.width-m.balanceColumns())*2/5))
}

// pictureLines is the picture in front, or what is to be said in its place,
// and its size.
func (m *Model) pictureLines(c *Card, cols int) []string {
	t, h, g := m.theme, m.shownPicture(), &m.pictures
	pic, known := g.seen[h]
	caption := m.caption(c)
	say := func(text string) []string {
		lines := widget.Wrap(strings.TrimSpace(caption+"  "+text), max(1, cols))
		for i := range lines {
			lines[i] = t.Faint.Render(lines[i])
		}
		return lines
	}
	switch {
	case h == "":
		return say("no picture here")
	case !known:
		return say("reading the picture…")
	case pic.err != nil:
		return say("cannot show the picture: " + pic.err.Error())
	}
	room := m.pictureRoom()
	lines := g.viewer.Lines(pic.image, room[0], room[1])
	if len(lines) == 0 {
		return say("drawing the picture…")
	}
	indent := strings.Repeat(" ", max(0, (cols-widget.Width(lines[0]))/2))
	out := make([]string, 0, len(lines)+1)
	for _, l := range lines {
		out = append(out, indent+l)
	}
	return append(out, say(m.about(pic.image))...)
}

// caption says which of several pictures is looked at, and how many the project
// does not hold.
func (m *Model) caption(c *Card) string {
	all, named := len(c.pictures()), len(c.Sample.Pictures)
	text := ""
	if all > 1 {
		text = fmt.Sprintf("%d of %d, %s next", m.picture+1, all, m.Spelled("f"))
	}
	if all > 0 && named > all {
		text = strings.TrimPrefix(fmt.Sprintf("%s, %d not here", text, named-all), ", ")
	}
	return text
}

// about is a picture's size and name, and how far it is zoomed in.
func (m *Model) about(pic *widget.Picture) string {
	text := fmt.Sprintf("%dx%d px", pic.Width, pic.Height)
	if name := m.pictureName(); name != "" {
		text += "  " + widget.Line(name)
	}
	if zoomed := m.pictures.viewer.Zoomed(); zoomed != "" {
		text = zoomed + m.Keyed(", {=} whole  ") + text
	}
	return text
}

// pictureName is what the file of the picture in front was called.
func (m *Model) pictureName() string {
	if c := m.card(); c != nil {
		for _, p := range c.Sample.Pictures {
			if p.Hash != "" && p.Hash == m.shownPicture() {
				return p.Name
			}
		}
	}
	return ""
}

func (m *Model) zoom(string) tea.Cmd {
	if cmd := m.pictures.viewer.Fill(m.image(), m.about(m.image())); cmd != nil {
		return cmd
	}
	m.mode = annotation.Zooming
	return m.draw()
}

func (m *Model) unzoom(string) tea.Cmd {
	m.mode = annotation.Reading
	return m.draw()
}

// Magnify takes a key that zooms or pans.
func (m *Model) Magnify(name string) tea.Cmd {
	room := m.pictureRoom()
	m.pictures.viewer.Press(name, m.image(), room[0], room[1])
	return m.draw()
}

// NotFull is why the keys of a picture that fills the screen mean nothing.
func (m *Model) NotFull() string {
	if m.mode != annotation.Zooming {
		return m.Keyed("{z} shows the picture on the whole screen first")
	}
	return ""
}

// NotZoomed is why there is nothing to move or to go back to.
func (m *Model) NotZoomed() string {
	if m.pictures.viewer.Lens().Whole() {
		return m.Keyed("the whole picture is shown; {+} zooms in")
	}
	return ""
}

// Outside shows the picture outside the terminal.
func (m *Model) Outside(string) tea.Cmd {
	return m.pictures.viewer.Outside(m.image(), m.pictureName())
}

func (m *Model) noPicture() string {
	c := m.card()
	if c == nil {
		return m.noCard()
	}
	if m.pictures.seen[m.shownPicture()].image == nil {
		return "the project holds no picture of this sample that can be shown"
	}
	return ""
}
