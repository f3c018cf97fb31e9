package curate

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// gallery holds the pictures of the cards at hand, and draws that of the card in
// front which is looked at.
type gallery struct {
	*keymap.Spelling
	theme  *widget.Theme
	source Source
	cards  *candidates
	at     int // which of those of the card in front
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
	of   *gallery
	hash eval.PictureHash
	pic  framed
}

// most is how many pictures stay in memory, and ahead how many are read before
// they are in front.
const (
	most  = 12
	ahead = 3
)

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

func newGallery(g gallery) *gallery {
	g.viewer = widget.NewViewer(g.theme)
	g.seen, g.coming = make(map[eval.PictureHash]framed), make(map[eval.PictureHash]bool)
	return &g
}

// Update takes a picture that was read, or drawn, and reports whether it is to be
// drawn anew.
func (g *gallery) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case loaded:
		if msg.of == g {
			g.hang(msg)
			return true
		}
	case widget.Drawn:
		return g.viewer.Took(msg)
	}
	return false
}

func (g *gallery) hang(msg loaded) {
	delete(g.coming, msg.hash)
	g.seen[msg.hash] = msg.pic
	g.order = append(g.order, msg.hash)
	for len(g.order) > most {
		delete(g.seen, g.order[0])
		g.order = g.order[1:]
	}
}

// draw has the pictures of the next cards read, and that in front drawn.
func (g *gallery) draw(room [2]int) tea.Cmd {
	var cmds []tea.Cmd
	cards := g.cards
	for at := cards.at; at < min(len(cards.shown), cards.at+ahead); at++ {
		all, from := cards.open.Cards[cards.shown[at]].pictures(), 0
		if at == cards.at {
			from = min(g.at, len(all))
		}
		for _, h := range all[from:min(len(all), from+2)] { // and the one behind it
			cmds = append(cmds, g.load(h))
		}
	}
	return tea.Batch(append(cmds, g.viewer.Draw(g.image(), room[0], room[1]))...)
}

// load reads a picture, unless it is at hand or on its way.
func (g *gallery) load(h eval.PictureHash) tea.Cmd {
	source, images := g.source, g.theme.Images
	if _, known := g.seen[h]; known || g.coming[h] {
		return nil
	}
	g.coming[h] = true
	return func() tea.Msg { return loaded{g, h, read(images, source, h)} }
}

func read(images *widget.ImageRenderer, from Source, h eval.PictureHash) framed {
	pic, err := images.Open(string(h), func() ([]byte, error) {
		data, err := from.Picture(h)
		if errors.Is(err, eval.ErrNotFound) {
			err = widget.ErrNoPicture
		}
		return data, err
	})
	return framed{pic, err}
}

// lines are the picture in front, or what is to be said in its place,
// and its size.
func (g *gallery) lines(c *Card, cols int, room [2]int) []string {
	t, h := g.theme, g.hash()
	pic, known := g.seen[h]
	caption := g.caption(c)
	say := func(text string) []string {
		lines := widget.Wrap(strings.TrimSpace(caption+"  "+text), max(1, cols))
		for i := range lines {
			lines[i] = t.Faint.Render(lines[i])
		}
		return lines
	}
	switch {
	case h == "":
		return say("no image here")
	case !known:
		return say("loading the image…")
	case pic.err != nil:
		return say("cannot show the image: " + pic.err.Error())
	}
	lines := g.viewer.Lines(pic.image, room[0], room[1])
	if len(lines) == 0 {
		return say("drawing the image…")
	}
	indent := strings.Repeat(" ", max(0, (cols-widget.Width(lines[0]))/2))
	out := make([]string, 0, len(lines)+1)
	for _, l := range lines {
		out = append(out, indent+l)
	}
	return append(out, say(g.about(pic.image))...)
}

// hash is the picture of the card in front that is looked at; "" without
// one.
func (g *gallery) hash() eval.PictureHash {
	if c := g.cards.card(); c != nil {
		if all := c.pictures(); g.at < len(all) {
			return all[g.at]
		}
	}
	return ""
}

func (g *gallery) noPictures() string {
	c := g.cards.card()
	if c == nil {
		return g.cards.noCard()
	}
	if len(c.pictures()) < 2 {
		return "the project holds no other image of this sample"
	}
	return ""
}

// image is the picture in front; nil when it is not there.
func (g *gallery) image() *widget.Picture {
	if h := g.hash(); h != "" {
		return g.seen[h].image
	}
	return nil
}

// caption says which of several pictures is looked at, and how many the project
// does not hold.
func (g *gallery) caption(c *Card) string {
	all, named := len(c.pictures()), len(c.Sample.Pictures)
	text := ""
	if all > 1 {
		text = fmt.Sprintf("%d of %d, %s next", g.at+1, all, g.Spelled("next_image"))
	}
	if all > 0 && named > all {
		text = strings.TrimPrefix(fmt.Sprintf("%s, %d not here", text, named-all), ", ")
	}
	return text
}

// about is a picture's size and name, and how far it is zoomed in.
func (g *gallery) about(pic *widget.Picture) string {
	text := fmt.Sprintf("%dx%d px", pic.Width, pic.Height)
	if name := g.name(); name != "" {
		text += "  " + widget.Line(name)
	}
	return g.viewer.Note(g.Keyed("{whole_picture} whole")) + text
}

// name is what the file of the picture in front was called.
func (g *gallery) name() string {
	if c := g.cards.card(); c != nil {
		for _, p := range c.Sample.Pictures {
			if p.Hash != "" && p.Hash == g.hash() {
				return p.Name
			}
		}
	}
	return ""
}

func (g *gallery) noPicture() string {
	c := g.cards.card()
	if c == nil {
		return g.cards.noCard()
	}
	if g.seen[g.hash()].image == nil {
		return "the project holds no image of this sample that can be shown"
	}
	return ""
}
