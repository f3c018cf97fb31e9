package widget

import (
	"image"
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// ramp is the light that characters give, from none to much, for terminals
// without colours.
const ramp = " .:-=+*#%@"

// Render draws the picture into at most cols by rows cells: as upper half
// blocks with a colour above and one below, or, without colours, as
// characters by their lightness. dark tells the terminal's background for the
// latter. Every line is exactly as wide as Cells says.
func (p *Picture) Render(cols, rows int, profile termenv.Profile, dark bool) []string {
	w, h := p.Cells(cols, rows)
	if w == 0 {
		return nil
	}
	var l loupe
	return render(l.cut(p, image.Rect(0, 0, p.Width, p.Height), w, 2*h), profile, dark)
}

// render draws two pixels to a cell.
func render(img *image.RGBA, profile termenv.Profile, dark bool) []string {
	h := img.Bounds().Dy() / 2
	out := make([]string, h)
	ink := newInk(profile)
	for y := range h {
		if profile == termenv.Ascii {
			out[y] = shades(img, y, dark)
		} else {
			out[y] = ink.blocks(img, y)
		}
	}
	return out
}

func shades(img *image.RGBA, y int, dark bool) string {
	line := make([]byte, img.Bounds().Dx())
	for x := range line {
		light := (luma(img.RGBAAt(x, 2*y)) + luma(img.RGBAAt(x, 2*y+1))) / 2
		if !dark {
			light = 255 - light
		}
		line[x] = ramp[(light*(len(ramp)-1)+127)/255]
	}
	return string(line)
}

// luma is the lightness of a colour, 0 to 255 (ITU-R BT.601).
func luma(c color.RGBA) int {
	return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
}

// ink turns colours into the escapes of one colour depth. It remembers those
// it has met: finding the nearest of a palette is slow.
type ink struct {
	profile termenv.Profile
	met     map[color.RGBA]int
}

func newInk(p termenv.Profile) *ink {
	return &ink{profile: p, met: make(map[color.RGBA]int)}
}

func (k *ink) blocks(img *image.RGBA, y int) string {
	var b strings.Builder
	var top, bottom color.RGBA
	for x := range img.Bounds().Dx() {
		t, u := img.RGBAAt(x, 2*y), img.RGBAAt(x, 2*y+1)
		if x == 0 || t != top || u != bottom {
			b.WriteString("\x1b[")
			k.colour(&b, t, false)
			b.WriteByte(';')
			k.colour(&b, u, true)
			b.WriteByte('m')
			top, bottom = t, u
		}
		b.WriteString("▀")
	}
	b.WriteString("\x1b[m")
	return b.String()
}

func (k *ink) colour(b *strings.Builder, c color.RGBA, back bool) {
	layer := 38
	if back {
		layer = 48
	}
	switch k.profile {
	case termenv.TrueColor:
		b.WriteString(strconv.Itoa(layer) + ";2;" + strconv.Itoa(int(c.R)) + ";" +
			strconv.Itoa(int(c.G)) + ";" + strconv.Itoa(int(c.B)))
	case termenv.ANSI256:
		n := k.nearest(c, func() int { return int(ansi.Convert256(c)) })
		b.WriteString(strconv.Itoa(layer) + ";5;" + strconv.Itoa(n))
	default:
		n := k.nearest(c, func() int { return int(ansi.Convert16(c)) })
		if n >= 8 {
			n += 60 - 8
		}
		b.WriteString(strconv.Itoa(layer - 8 + n))
	}
}

func (k *ink) nearest(c color.RGBA, find func() int) int {
	n, ok := k.met[c]
	if !ok {
		n = find()
		k.met[c] = n
	}
	return n
}
