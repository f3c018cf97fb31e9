package widget

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// Viewer is how one screen looks at pictures: through one viewport, which stays as
// it is from picture to picture and from a pane to the whole screen and back.
type Viewer struct {
	images   *ImageRenderer
	viewport Viewport
	coming   map[drawingKey]bool
	close    int // of those that are coming, how many are zoomed in
}

// Drawn tells a viewer that a picture is drawn.
type Drawn struct {
	of    *Viewer
	k     drawingKey
	whole bool
}

// Left tells a screen that something in front of its text was left: its picture may not be drawn.
type Left struct{}

// NewViewer makes the viewer of a screen.
func NewViewer(t *Theme) *Viewer { return &Viewer{images: t.Images, coming: make(map[drawingKey]bool)} }

// Viewport is what is looked at, for a drawing made beside the screen.
func (v *Viewer) Viewport() Viewport { return v.viewport }

// DrawPicture has a picture drawn for a room, unless that is done or under way. Of those that are
// zoomed in one is drawn at a time: a key that is held down would ask for many that nobody sees. The
// screen asks again when Took says that one has come.
func (v *Viewer) DrawPicture(p *Picture, cols, rows int) tea.Cmd {
	if p == nil || cols <= 0 || rows <= 0 {
		return nil
	}
	e, viewport := v.images, v.viewport
	k := e.newDrawingKey(p, viewport, cols, rows)
	if _, has := e.useDrawing(k); has || v.coming[k] || !viewport.IsWhole() && v.close > 0 {
		return nil
	}
	v.coming[k] = true
	if !viewport.IsWhole() {
		v.close++
	}
	whole := viewport.IsWhole()
	return func() tea.Msg {
		e.DrawView(p, viewport, cols, rows)
		return Drawn{v, k, whole}
	}
}

// HandleDrawn takes a message that a picture is drawn, and reports whether it was this viewer's.
func (v *Viewer) HandleDrawn(msg Drawn) bool {
	if msg.of != v {
		return false
	}
	delete(v.coming, msg.k)
	if !msg.whole {
		v.close--
	}
	return true
}

// PictureLines is the picture in a room, or what is nearest to it while it is drawn; nil: nothing yet.
func (v *Viewer) PictureLines(p *Picture, cols, rows int) []string {
	if p == nil || cols <= 0 || rows <= 0 {
		return nil
	}
	k := v.images.newDrawingKey(p, v.viewport, cols, rows)
	if lines, ok := v.images.useDrawing(k); ok {
		return lines
	}
	return v.images.findNearDrawing(k)
}

// HandleZoomKey takes the keys of a picture that fills a room: it zooms and pans. Keys
// that pan mean nothing before the whole picture.
func (v *Viewer) HandleZoomKey(name string, p *Picture, cols, rows int) bool {
	switch name {
	case "+":
		v.viewport.zoomBy(1)
		return true
	case "_":
		v.viewport.zoomBy(-1)
		return true
	case `\`:
		v.viewport = Viewport{}
		return true
	}
	way, ok := ways[name]
	if !ok || v.viewport.IsWhole() || p == nil {
		return false
	}
	v.viewport.panBy(p, cols, rows, way[0], way[1])
	return true
}

// ways are where keys pan to.
var ways = map[string][2]int{
	"left": {-1, 0}, "right": {1, 0}, "up": {0, -1}, "down": {0, 1},
}

// ZoomKeys are the keys of a picture that fills the screen: zoom, pan, and back to the whole.
func ZoomKeys() (zoom, pan, whole, outside key.Binding) {
	return NewBinding("+ _", "zoom", "+", "_"),
		NewBinding("←↓↑→", "move", "left", "down", "up", "right"),
		NewBinding(`\`, "whole", `\`),
		NewBinding("ctrl+o", "outside", "ctrl+o")
}

// FullPictureKeys are those keys in the order of help; full is whether a picture fills the screen.
func FullPictureKeys(full bool) []key.Binding {
	zoom, pan, whole, outside := ZoomKeys()
	out := []key.Binding{zoom, pan, whole, outside}
	for i := range out {
		out[i] = BindingWhen(out[i], full, "no image fills the screen")
	}
	return out
}

// FormatViewNote gives what has to be known of what is shown, before its caption: how far it is zoomed in,
// with whole, which names the key that ends it, and that it is gray. "" for nothing.
func (v *Viewer) FormatViewNote(whole string) string {
	var note string
	if !v.viewport.IsWhole() {
		note = "×" + strconv.FormatFloat(v.viewport.ZoomFactor(), 'g', -1, 64) + ", " + whole + "  "
	}
	if v.images.isGray() {
		note += "in gray: 16 colours would show wrong ones  "
	}
	return note
}

// FormatColours gives what stands behind the caption of a picture that is shown without
// colours; "" where there are some.
func (v *Viewer) FormatColours() string {
	if e := v.images; e.Off || !e.Plain && (e.Pixels != nil || e.renderer.ColorProfile() != termenv.Ascii) {
		return ""
	}
	return "  no colours"
}

// FormatSize gives a picture's size in words.
func (p *Picture) FormatSize() string { return fmt.Sprintf("%dx%d px", p.Width, p.Height) }

// OpenViewer has a picture shown by a program outside the terminal, and tells what came of it.
func (v *Viewer) OpenViewer(p *Picture, name string) tea.Cmd {
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

// NotifyCmd shows a notice.
func NotifyCmd(level Level, text string) tea.Cmd { return SendCmd(Notify{Level: level, Text: text}) }

// SendCmd gives a command that has nothing to do but to give a message.
func SendCmd(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// fade is how long an Info is shown.
const fade = 4 * time.Second

// Toasts are the notices that are shown: problems until they are dismissed, the newest info until it fades.
type Toasts struct {
	Copy string // how the key is written that copies a problem; "" for none

	problems []string
	info     string
	until    time.Time
}

// AddNotice shows a notice, and returns when to look again whether it has faded; 0: it stays.
func (ts *Toasts) AddNotice(n Notify, now time.Time) time.Duration {
	if n.Level == Problem {
		if slices.ContainsFunc(ts.problems, func(p string) bool { return p == n.Text }) {
			return 0
		}
		ts.problems = append(ts.problems, n.Text)
		return 0
	}
	ts.info, ts.until = n.Text, now.Add(fade)
	return fade
}

// FadeInfo takes the info away when its time has come.
func (ts *Toasts) FadeInfo(now time.Time) {
	if !now.Before(ts.until) {
		ts.info = ""
	}
}

// DismissOldest takes the oldest problem away, and reports whether there was one.
func (ts *Toasts) DismissOldest() bool {
	if len(ts.problems) == 0 {
		return false
	}
	ts.problems = ts.problems[1:]
	return true
}

// OldestProblem is the oldest problem shown, whole, for copying; "" for none.
func (ts *Toasts) OldestProblem() string {
	if len(ts.problems) == 0 {
		return ""
	}
	return ts.problems[0]
}

// most is how many lines of a problem are shown.
const most = 3

// DrawToasts draws up to three lines of the oldest problem; none when there is none.
func (t *Theme) DrawToasts(ts *Toasts, width int) []string {
	right := t.Key.Render("esc") + t.KeyText.Render(" dismiss")
	if ts.Copy != "" {
		right += "  " + t.Key.Render(ts.Copy) + t.KeyText.Render(" copy")
	}
	p := ts.OldestProblem()
	if p == "" {
		return nil
	}
	lines := WrapText("✗ "+p, max(1, width-TextWidth(right)-2))
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[most-1]+"…")
	}
	for i, l := range lines {
		if i > 0 {
			right = ""
		}
		lines[i] = JoinEnds(t.Bad.Render(l), right, width)
	}
	return lines
}

// DrawInfo draws the info in at most width cells; "" when there is none.
func (t *Theme) DrawInfo(ts *Toasts, width int) string {
	if ts.info == "" {
		return ""
	}
	return CutWidth(t.Accent.Render("• ")+CleanLine(ts.info), width)
}
