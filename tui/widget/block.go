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

// renderBlocks draws two pixels to a cell.
func renderBlocks(img *image.RGBA, profile termenv.Profile, dark bool) []string {
	h := img.Bounds().Dy() / 2
	out := make([]string, h)
	ink := newInk(profile)
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

// ditherGray is an image dithered in grays.
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

func newInk(p termenv.Profile) *colorWriter {
	return &colorWriter{profile: p, met: make(map[color.RGBA]int)}
}

// same is how far two colours may be apart, in each of red, green and blue, to
// be drawn as one: nobody sees it, even side by side, and an even sky or wall
// takes a tenth of the bytes.
const same = 2

// drawBlocks draws two rows of pixels as one line. What a cell has in common with
// the one before it is not said again, and one that is the same above and below
// is a space: terminals take as long over an escape as over a letter, and a
// picture is most of what they are sent.
func (k *colorWriter) drawBlocks(img *image.RGBA, y int) string {
	b := make([]byte, 0, 24*img.Bounds().Dx())
	var top, bottom color.RGBA // as the terminal has them; the zero value: unset
	for x := range img.Bounds().Dx() {
		t, u := img.RGBAAt(x, 2*y), img.RGBAAt(x, 2*y+1)
		even := k.isAlike(t, u)
		ink, ground := !even && !k.isAlike(t, top), !k.isAlike(u, bottom)
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

// isAlike reports whether two colours are drawn as one.
func (k *colorWriter) isAlike(a, b color.RGBA) bool {
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
