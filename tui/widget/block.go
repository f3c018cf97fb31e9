package widget

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// ramp is the light that characters give, from none to much, for terminals without colours.
const ramp = " .:-=+*#%@"

// renderBlocks draws two pixels to a cell.
func renderBlocks(img *image.RGBA, profile termenv.Profile, dark bool) []string {
	h := img.Bounds().Dy() / 2
	out := make([]string, h)
	ink := newColorWriter(profile)
	if profile == termenv.ANSI {
		img = ditherGray(img)
	}
	for y := range h {
		if profile == termenv.Ascii {
			out[y] = drawShades(img, y, dark)
		} else {
			out[y] = ink.drawBlocks(img, y)
		}
	}
	return out
}

// grays are those of the 16 colours, with the number of each: black, bright
// black, white, bright white. Terminals differ in the two in the middle.
var (
	grays       = color.Palette{color.Gray{Y: 0}, color.Gray{Y: 0x6a}, color.Gray{Y: 0xc8}, color.Gray{Y: 255}}
	grayNumbers = map[uint8]int{0: 0, 0x6a: 8, 0xc8: 7, 255: 15}
)

func ditherGray(img *image.RGBA) *image.RGBA {
	b := img.Bounds()
	light := image.NewGray(b)
	draw.Draw(light, b, img, b.Min, draw.Src)
	dithered := image.NewPaletted(b, grays)
	draw.FloydSteinberg.Draw(dithered, b, light, b.Min)
	out := image.NewRGBA(b)
	draw.Draw(out, b, dithered, b.Min, draw.Src)
	return out
}

func drawShades(img *image.RGBA, y int, dark bool) string {
	line := make([]byte, img.Bounds().Dx())
	for x := range line {
		light := (lightness(img.RGBAAt(x, 2*y)) + lightness(img.RGBAAt(x, 2*y+1))) / 2
		if !dark {
			light = 255 - light
		}
		line[x] = ramp[(light*(len(ramp)-1)+127)/255]
	}
	return string(line)
}

// lightness is the lightness of a colour, 0 to 255 (ITU-R BT.601).
func lightness(c color.RGBA) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }

// colorWriter turns colours into the escapes of one colour depth. It remembers those
// it has met: finding the nearest of a palette is slow.
type colorWriter struct {
	profile termenv.Profile
	met     map[color.RGBA]int
}

func newColorWriter(p termenv.Profile) *colorWriter {
	return &colorWriter{profile: p, met: make(map[color.RGBA]int)}
}

// same is how far two colours may be apart, in each of red, green and blue, to be drawn as one: nobody
// sees it, even side by side, and an even sky or wall takes a tenth of the bytes.
const same = 2

// drawBlocks draws two rows of pixels as one line. What a cell has in common with the one before it is
// not said again, and one that is the same above and below is a space: terminals take as long over an
// escape as over a letter, and a picture is most of what they are sent.
func (k *colorWriter) drawBlocks(img *image.RGBA, y int) string {
	b := make([]byte, 0, 24*img.Bounds().Dx())
	var top, bottom color.RGBA // as the terminal has them; the zero value: unset
	for x := range img.Bounds().Dx() {
		t, u := img.RGBAAt(x, 2*y), img.RGBAAt(x, 2*y+1)
		even := k.drawsAlike(t, u)
		ink, ground := !even && !k.drawsAlike(t, top), !k.drawsAlike(u, bottom)
		if ink || ground {
			b = append(b, "\x1b["...)
			if ink {
				b, top = k.appendColor(b, t, false), t
			}
			if ink && ground {
				b = append(b, ';')
			}
			if ground {
				b, bottom = k.appendColor(b, u, true), u
			}
			b = append(b, 'm')
		}
		if even {
			b = append(b, ' ')
		} else {
			b = append(b, "▀"...)
		}
	}
	return string(append(b, "\x1b[m"...))
}

// drawsAlike reports whether two colours are drawn as one.
func (k *colorWriter) drawsAlike(a, b color.RGBA) bool {
	if a.A != b.A {
		return false
	}
	if k.profile != termenv.TrueColor {
		return a == b || a.A != 0 && k.paletteNumber(a) == k.paletteNumber(b)
	}
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= same }
	return near(a.R, b.R) && near(a.G, b.G) && near(a.B, b.B)
}

func (k *colorWriter) appendColor(b []byte, c color.RGBA, back bool) []byte {
	layer := 38
	if back {
		layer = 48
	}
	switch k.profile {
	case termenv.TrueColor:
		b = append(strconv.AppendInt(b, int64(layer), 10), ";2"...)
		for _, part := range [...]uint8{c.R, c.G, c.B} {
			b = strconv.AppendInt(append(b, ';'), int64(part), 10)
		}
		return b
	case termenv.ANSI256:
		b = append(strconv.AppendInt(b, int64(layer), 10), ";5;"...)
		return strconv.AppendInt(b, int64(k.paletteNumber(c)), 10)
	default:
		n := k.paletteNumber(c)
		if n >= 8 {
			n += 60 - 8
		}
		return strconv.AppendInt(b, int64(layer-8+n), 10)
	}
}

// paletteNumber is that of the palette's nearest colour.
func (k *colorWriter) paletteNumber(c color.RGBA) int {
	n, ok := k.met[c]
	if !ok {
		if k.profile == termenv.ANSI256 {
			n = int(ansi.Convert256(c))
		} else {
			n = grayNumbers[c.R]
		}
		k.met[c] = n
	}
	return n
}

// ParseFilter takes a filter apart: the words that a row must have, in lower case,
// and whether it is turned around by an exclamation mark at its beginning.
func ParseFilter(filter string) (words []string, not bool) {
	text, not := strings.CutPrefix(strings.ToLower(strings.TrimSpace(filter)), "!")
	return strings.Fields(text), not
}

// ContainsWords reports whether a text in lower case has all words in it.
func ContainsWords(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// longestFilter is how many characters a filter has at most.
const longestFilter = 200

// Filter narrows a list down in place, to the rows that have all its words in what is seen of them: a
// row that is sealed gives nothing away. The zero value leaves every row.
type Filter struct {
	text   []rune
	typing bool
	words  []string
	not    bool
}

// StartTyping has the filter typed.
func (f *Filter) StartTyping() { f.typing = true }

// StartByKey does so where nothing else comes of a key.
func (f *Filter) StartByKey(string) tea.Cmd {
	f.typing = true
	return nil
}

// IsTyping reports whether keys are the filter's text.
func (f *Filter) IsTyping() bool { return f.typing }

// IsOn reports whether it may leave rows out.
func (f *Filter) IsOn() bool { return len(f.words) > 0 }

// FilterWords gives the words that rows must have, in lower case, and whether the filter is turned around.
func (f *Filter) FilterWords() (words []string, not bool) { return f.words, f.not }

// ClearText leaves every row again, and reports whether there was anything to clear.
func (f *Filter) ClearText() bool {
	was := f.typing || len(f.text) > 0
	*f = Filter{}
	return was
}

// HandleKey takes a key while the filter is typed, and reports whether other words
// stand there now. Enter and down leave it as it is and go back to the list.
func (f *Filter) HandleKey(msg tea.KeyMsg) bool {
	was := string(f.text)
	switch msg.Type {
	case tea.KeyEnter, tea.KeyDown:
		f.typing = false
	case tea.KeyBackspace:
		f.text = f.text[:max(0, len(f.text)-1)]
	case tea.KeyCtrlU:
		f.text = nil
	case tea.KeyCtrlW:
		at := strings.LastIndex(strings.TrimRight(was, " "), " ") + 1
		f.text = []rune(was[:at])
	case tea.KeyRunes, tea.KeySpace:
		if !msg.Alt {
			f.text = append(f.text, []rune(CleanLine(string(msg.Runes)))...)
			f.text = f.text[:min(len(f.text), longestFilter)]
		}
	default:
	}
	f.words, f.not = ParseFilter(string(f.text))
	return string(f.text) != was
}

// FilterRows gives the rows that a filter leaves, in their order; without words all, and the same slice.
func FilterRows[R any](f *Filter, rows []R, cells func(*R) []string) []R {
	if !f.IsOn() {
		return rows
	}
	var out []R
	for i := range rows {
		text := strings.ToLower(stripStyles(strings.Join(cells(&rows[i]), "\n")))
		if ContainsWords(text, f.words) != f.not {
			out = append(out, rows[i])
		}
	}
	return out
}

// DrawFilter draws what a list is narrowed down to, which stays to be seen; ""
// when it is not. Its end is where one types.
func (t *Theme) DrawFilter(f *Filter, width int) string {
	text := string(f.text)
	for room := width - 4; text != "" && TextWidth(text) > room; {
		text = string([]rune(text)[1:])
	}
	switch {
	case f.typing && text == "":
		return CutWidth(t.Key.Render("/")+" ▏"+t.Faint.Render("words; ! turns it around"), width)
	case f.typing:
		return CutWidth(t.Key.Render("/")+" "+text+"▏", width)
	case len(f.text) > 0:
		return CutWidth(t.Key.Render("/")+" "+t.Accent.Render(text)+"  "+t.Key.Render("esc")+t.Faint.Render(" clears"), width)
	}
	return ""
}

// FilterKeys gives the keys while a filter is typed.
func FilterKeys() []key.Binding {
	return []key.Binding{
		NewBinding("enter", "keep it", "enter"), NewBinding("esc", "clear it", "esc"), NewBinding("!", "first: turns it around", "!"), NewBinding("ctrl+u", "no words", "ctrl+u"),
	}
}

// NewBinding makes a binding: how help writes its keys, what they do, and the keys.
func NewBinding(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

// SaveKey is the key that saves what is written, in every editor. ctrl+s, which
// stops the output of some terminals, saves where it arrives.
func SaveKey() key.Binding { return NewBinding("ctrl+k", "save", "ctrl+k", "ctrl+s") }

// Moves are the keys that move through a list or a text, the same everywhere.
type Moves struct {
	Up, Down, Top, Bottom, PageUp, PageDown key.Binding
}

// NewMoves makes the bindings of the conventions: arrows, vi's letters, pages.
func NewMoves() Moves {
	return Moves{
		Up:       NewBinding("↑/k", "up", "up", "k"),
		Down:     NewBinding("↓/j", "down", "down", "j"),
		Top:      NewBinding("g", "first", "g", "home"),
		Bottom:   NewBinding("G", "last", "G", "end"),
		PageUp:   NewBinding("ctrl+u", "page up", "ctrl+u", "pgup"),
		PageDown: NewBinding("ctrl+d", "page down", "ctrl+d", "pgdown"),
	}
}

// Bindings are the bindings in the order of help.
func (m Moves) Bindings() []key.Binding {
	return []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.PageUp, m.PageDown}
}

// MoveBy is how far a key moves: a line, a page, or all the way; false for a key that does not move.
func (m Moves) MoveBy(msg tea.KeyMsg, page, all int) (by int, ok bool) {
	switch {
	case key.Matches(msg, m.Up):
		return -1, true
	case key.Matches(msg, m.Down):
		return 1, true
	case key.Matches(msg, m.PageUp):
		return -page, true
	case key.Matches(msg, m.PageDown):
		return page, true
	case key.Matches(msg, m.Top):
		return -all, true
	case key.Matches(msg, m.Bottom):
		return all, true
	}
	return 0, false
}
