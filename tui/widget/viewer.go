package widget

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Viewer is how one screen looks at pictures: through one viewport, which stays as
// it is from picture to picture and from a pane to the whole screen and back.
type Viewer struct {
	images   *ImageRenderer
	viewport Viewport
	coming   map[proof]bool
	close    int // of those that are coming, how many are zoomed in
}

// Drawn tells a viewer that a picture is drawn.
type Drawn struct {
	of    *Viewer
	k     proof
	whole bool
}

// NewViewer makes the viewer of a screen.
func NewViewer(t *Theme) *Viewer {
	return &Viewer{images: t.Images, coming: make(map[proof]bool)}
}

// Viewport is what is looked at, for a drawing made beside the screen.
func (v *Viewer) Viewport() Viewport { return v.viewport }

// Draw has a picture drawn for a room, unless that is done or under way. Of
// those that are zoomed in one is drawn at a time: a key that is held down
// would ask for many that nobody sees. The screen asks again when Took says
// that one has come.
func (v *Viewer) Draw(p *Picture, cols, rows int) tea.Cmd {
	if p == nil || cols <= 0 || rows <= 0 {
		return nil
	}
	e, viewport := v.images, v.viewport
	k := e.proof(p, viewport, cols, rows)
	if v.coming[k] || e.has(k) || !viewport.Whole() && v.close > 0 {
		return nil
	}
	v.coming[k] = true
	if !viewport.Whole() {
		v.close++
	}
	whole := viewport.Whole()
	return func() tea.Msg {
		e.Draw(p, viewport, cols, rows)
		return Drawn{v, k, whole}
	}
}

// Took takes a message that a picture is drawn, and reports whether it was
// this viewer's.
func (v *Viewer) Took(msg Drawn) bool {
	if msg.of != v {
		return false
	}
	delete(v.coming, msg.k)
	if !msg.whole {
		v.close--
	}
	return true
}

// Lines is the picture in a room, or what is nearest to it while it is drawn;
// nil when there is nothing yet.
func (v *Viewer) Lines(p *Picture, cols, rows int) []string {
	if p == nil || cols <= 0 || rows <= 0 {
		return nil
	}
	k := v.images.proof(p, v.viewport, cols, rows)
	if lines, ok := v.images.use(k); ok {
		return lines
	}
	return v.images.near(k)
}

// Press takes the keys of a picture that fills a room: it zooms and pans. Keys
// that pan mean nothing before the whole picture.
func (v *Viewer) Press(name string, p *Picture, cols, rows int) bool {
	switch name {
	case "+":
		v.viewport.zoom(1)
		return true
	case "_":
		v.viewport.zoom(-1)
		return true
	case `\`:
		v.viewport = Viewport{}
		return true
	}
	way, ok := ways[name]
	if !ok || v.viewport.Whole() || p == nil {
		return false
	}
	v.viewport.pan(p, cols, rows, way[0], way[1])
	return true
}

// ways are where keys pan to.
var ways = map[string][2]int{
	"left": {-1, 0}, "right": {1, 0}, "up": {0, -1}, "down": {0, 1},
}

// Looks are the keys of a picture that fills the screen: zoom, pan, and back
// to the whole.
func Looks() (zoom, pan, whole, outside key.Binding) {
	return Bind("+ _", "zoom", "+", "_"),
		Bind("←↓↑→", "move", "left", "down", "up", "right"),
		Bind(`\`, "whole", `\`),
		Bind("ctrl+o", "outside", "ctrl+o")
}

// LookKeys are those keys in the order of help; full is whether a picture
// fills the screen.
func LookKeys(full bool) []key.Binding {
	zoom, pan, whole, outside := Looks()
	out := []key.Binding{zoom, pan, whole, outside}
	for i := range out {
		out[i] = When(out[i], full, "no image fills the screen")
	}
	return out
}

// Note is what has to be known of what is shown, before its caption: how far it
// is zoomed in, with whole, which names the key that ends it, and that it is gray.
// "" for nothing.
func (v *Viewer) Note(whole string) string {
	var note string
	if !v.viewport.Whole() {
		note = "×" + strconv.FormatFloat(v.viewport.Power(), 'g', -1, 64) + ", " + whole + "  "
	}
	if v.images.gray() {
		note += "in gray: 16 colours would show wrong ones  "
	}
	return note
}

// Size is a picture's size in words.
func (p *Picture) Size() string { return fmt.Sprintf("%d×%d px", p.Width, p.Height) }

// Outside has a picture shown by a program outside the terminal, and tells
// what came of it.
func (v *Viewer) Outside(p *Picture, name string) tea.Cmd {
	open := v.images.Outside
	if p == nil || open == nil || p.read == nil {
		return func() tea.Msg { return Notify{Info, "there is no program here that opens the image"} }
	}
	return func() tea.Msg {
		data, err := p.read()
		if err == nil {
			var said string
			if said, err = open(data, p.Format, name); err == nil {
				return Notify{Info, said}
			}
		}
		return Notify{Problem, "open the image: " + err.Error()}
	}
}
