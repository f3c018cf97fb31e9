package curate

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/sitting"
	"concord/tui/widget"
)

// gallery is pictures of the cards at hand, and how they are drawn.
type gallery struct {
	seen   map[eval.PictureHash]framed
	coming map[eval.PictureHash]bool
	order  []eval.PictureHash
	hash   eval.PictureHash // what is drawn
	room   [2]int           // for how much room
	lines  []string
}

// framed is a picture that was read, or why it cannot be shown.
type framed struct {
	image *widget.Picture
	err   error
}

type (
	loaded struct {
		of   *Model
		hash eval.PictureHash
		pic  framed
	}
	drawn struct {
		of    *Model
		hash  eval.PictureHash
		room  [2]int
		lines []string
	}
)

// most is how many pictures stay in memory, and ahead how many are read before
// they are in front.
const (
	most  = 12
	ahead = 3
)

func newGallery() gallery {
	return gallery{seen: make(map[eval.PictureHash]framed), coming: make(map[eval.PictureHash]bool)}
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
	g, source := &m.pictures, m.deps.Source
	if _, known := g.seen[h]; known || g.coming[h] {
		return nil
	}
	g.coming[h] = true
	return func() tea.Msg { return loaded{m, h, read(source, h)} }
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

func read(from Source, h eval.PictureHash) framed {
	data, err := from.Picture(h)
	if errors.Is(err, eval.ErrNotFound) {
		err = widget.ErrNoPicture
	}
	if err != nil {
		return framed{err: err}
	}
	pic, err := widget.Decode(data)
	return framed{pic, err}
}

// render has the picture in front drawn for the room that it has.
func (m *Model) render() tea.Cmd {
	g := &m.pictures
	h, room := m.shownPicture(), m.pictureRoom()
	pic := g.seen[h].image
	if pic == nil || g.hash == h && g.room == room || room[0] < 1 || room[1] < 1 {
		return nil
	}
	profile, dark := m.theme.Profile(), m.theme.Dark()
	return func() tea.Msg {
		cols, rows := pic.Cells(room[0], room[1])
		return drawn{m, h, room, pic.Render(cols, rows, profile, dark)}
	}
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

func (g *gallery) drawn(msg drawn) { g.hash, g.room, g.lines = msg.hash, msg.room, msg.lines }

// pictureRoom is how many cells the picture in front has, across and down.
func (m *Model) pictureRoom() [2]int {
	if m.mode == sitting.Zooming {
		return [2]int{m.width, m.height - 1}
	}
	return [2]int{m.pictureColumns() - 1, m.mainHeight() - 1}
}

// pictureColumns is the width of the column with the picture.
func (m *Model) pictureColumns() int { return min(90, (m.width-m.balanceColumns())*2/5) }

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
	case g.hash != h || len(g.lines) == 0 || widget.Width(g.lines[0]) > cols:
		return say("drawing the picture…")
	}
	indent := strings.Repeat(" ", max(0, (cols-widget.Width(g.lines[0]))/2))
	out := make([]string, 0, len(g.lines)+1)
	for _, l := range g.lines {
		out = append(out, indent+l)
	}
	size := fmt.Sprintf("%dx%d px", pic.image.Width, pic.image.Height)
	return append(out, say(size)...)
}

// caption says which of several pictures is looked at, and how many the project
// does not hold.
func (m *Model) caption(c *Card) string {
	all, named := len(c.pictures()), len(c.Sample.Pictures)
	text := ""
	if all > 1 {
		text = fmt.Sprintf("%d of %d, f next", m.picture+1, all)
	}
	if all > 0 && named > all {
		text = strings.TrimPrefix(fmt.Sprintf("%s, %d not here", text, named-all), ", ")
	}
	return text
}

func (m *Model) zoom(string) tea.Cmd {
	m.mode = sitting.Zooming
	return m.draw()
}

func (m *Model) unzoom(string) tea.Cmd {
	m.mode = sitting.Reading
	return m.draw()
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
