package widget

import (
	"fmt"
	"strconv"
	"time"

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
	if _, has := e.use(k); has || v.coming[k] || !viewport.Whole() && v.close > 0 {
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

// Level tells how much a notice matters. The zero value is unset.
type Level uint8

// The levels.
const (
	LevelUnset Level = iota
	Info             // fades by itself
	Problem          // stays until it is dismissed
)

// Notify is the message by which any screen shows a notice.
type Notify struct {
	Level Level
	Text  string
}

// Tell shows a notice.
func Tell(level Level, text string) tea.Cmd { return Send(Notify{Level: level, Text: text}) }

// Send is a command that has nothing to do but to give a message.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// fade is how long an Info is shown.
const fade = 4 * time.Second

// Toasts are the notices that are shown: problems until they are dismissed,
// the newest info until it fades.
type Toasts struct {
	Copy string // how the key is written that copies a problem; "" for none

	problems []string
	info     string
	until    time.Time
}

// Add shows a notice, and returns when to look again whether it has faded;
// 0: it stays.
func (ts *Toasts) Add(n Notify, now time.Time) time.Duration {
	if n.Level == Problem {
		for _, p := range ts.problems {
			if p == n.Text {
				return 0
			}
		}
		ts.problems = append(ts.problems, n.Text)
		return 0
	}
	ts.info, ts.until = n.Text, now.Add(fade)
	return fade
}

// Fade takes the info away when its time has come.
func (ts *Toasts) Fade(now time.Time) {
	if !now.Before(ts.until) {
		ts.info = ""
	}
}

// Dismiss takes the oldest problem away, and reports whether there was one.
func (ts *Toasts) Dismiss() bool {
	if len(ts.problems) == 0 {
		return false
	}
	ts.problems = ts.problems[1:]
	return true
}

// Problem is the oldest problem shown, whole, for copying; "" for none.
func (ts *Toasts) Problem() string {
	if len(ts.problems) == 0 {
		return ""
	}
	return ts.problems[0]
}

// most is how many lines of a problem are shown.
const most = 3

// Toasts draws up to three lines of the oldest problem; none when there is
// none.
func (t *Theme) Toasts(ts *Toasts, width int) []string {
	right := t.Key.Render("esc") + t.KeyText.Render(" dismiss")
	if ts.Copy != "" {
		right += "  " + t.Key.Render(ts.Copy) + t.KeyText.Render(" copy")
	}
	p := ts.Problem()
	if p == "" {
		return nil
	}
	lines := Wrap("✗ "+p, max(1, width-Width(right)-2))
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[most-1]+"…")
	}
	for i, l := range lines {
		if i > 0 {
			right = ""
		}
		lines[i] = Ends(t.Bad.Render(l), right, width)
	}
	return lines
}

// Info draws the info in at most width cells; "" when there is none.
func (t *Theme) Info(ts *Toasts, width int) string {
	if ts.info == "" {
		return ""
	}
	return Cut(t.Accent.Render("• ")+Line(ts.info), width)
}
