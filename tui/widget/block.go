package widget

import (
	"image"
	"image/color"
	"image/draw"
	"strconv"

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
	if profile == termenv.ANSI {
		img = inGray(img)
	}
	for y := range h {
		if profile == termenv.Ascii {
			out[y] = shades(img, y, dark)
		} else {
			out[y] = ink.blocks(img, y)
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

// inGray is an image dithered in grays.
func inGray(img *image.RGBA) *image.RGBA {
	b := img.Bounds()
	light := image.NewGray(b)
	draw.Draw(light, b, img, b.Min, draw.Src)
	dithered := image.NewPaletted(b, grays)
	draw.FloydSteinberg.Draw(dithered, b, light, b.Min)
	out := image.NewRGBA(b)
	draw.Draw(out, b, dithered, b.Min, draw.Src)
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

// same is how far two colours may be apart, in each of red, green and blue, to
// be drawn as one: nobody sees it, even side by side, and an even sky or wall
// takes a tenth of the bytes.
const same = 2

// blocks draws two rows of pixels as one line. What a cell has in common with
// the one before it is not said again, and one that is the same above and below
// is a space: terminals take as long over an escape as over a letter, and a
// picture is most of what they are sent.
func (k *ink) blocks(img *image.RGBA, y int) string {
	b := make([]byte, 0, 24*img.Bounds().Dx())
	var top, bottom color.RGBA // as the terminal has them; the zero value: unset
	for x := range img.Bounds().Dx() {
		t, u := img.RGBAAt(x, 2*y), img.RGBAAt(x, 2*y+1)
		even := k.alike(t, u)
		ink, ground := !even && !k.alike(t, top), !k.alike(u, bottom)
		if ink || ground {
			b = append(b, "\x1b["...)
			if ink {
				b, top = k.colour(b, t, false), t
			}
			if ink && ground {
				b = append(b, ';')
			}
			if ground {
				b, bottom = k.colour(b, u, true), u
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

// alike reports whether two colours are drawn as one.
func (k *ink) alike(a, b color.RGBA) bool {
	if a.A != b.A {
		return false
	}
	if k.profile != termenv.TrueColor {
		return a == b || a.A != 0 && k.number(a) == k.number(b)
	}
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= same }
	return near(a.R, b.R) && near(a.G, b.G) && near(a.B, b.B)
}

func (k *ink) colour(b []byte, c color.RGBA, back bool) []byte {
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
		return strconv.AppendInt(b, int64(k.number(c)), 10)
	default:
		n := k.number(c)
		if n >= 8 {
			n += 60 - 8
		}
		return strconv.AppendInt(b, int64(layer-8+n), 10)
	}
}

// number is that of the palette's nearest colour.
func (k *ink) number(c color.RGBA) int {
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
