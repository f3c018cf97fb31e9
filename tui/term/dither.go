package term

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"slices"
	"strconv"
)

// shades are how many of red, green and blue a palette has: 180 colours, and those of
// flat areas beside them, as 256 is what sixel terminals have at least. The encoder's
// own choice of colours takes seconds on a large picture.
var shades = [3]int{6, 6, 5}

func newCubePalette() color.Palette {
	var out color.Palette
	for r := range shades[0] {
		for g := range shades[1] {
			for b := range shades[2] {
				out = append(out, color.RGBA{
					uint8(r * 255 / (shades[0] - 1)), uint8(g * 255 / (shades[1] - 1)), uint8(b * 255 / (shades[2] - 1)), 255,
				})
			}
		}
	}
	return out
}

// bayer is the matrix of ordered dithering, 4 by 4.
var bayer = [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// ditherImage is a picture in the colours of the cube, and flat areas in their own: woven
// of two others they would look like a texture.
func ditherImage(of image.Image) *image.Paletted {
	b := of.Bounds()
	img, ok := of.(*image.RGBA)
	if !ok {
		img = image.NewRGBA(b)
		draw.Draw(img, b, of, b.Min, draw.Src)
	}
	colours := newCubePalette()
	own := make(map[[3]uint8]uint8)
	for _, c := range findFlatColours(img, 256-len(colours)) {
		own[c] = uint8(len(colours)) //nolint:gosec // at most 255
		colours = append(colours, color.RGBA{c[0], c[1], c[2], 255})
	}
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), colours)
	for y := range b.Dy() {
		var last [3]uint8
		var flat uint8
		ok := false
		for x := range b.Dx() {
			c := colourAt(img, b.Min.X+x, b.Min.Y+y)
			if c != last || x == 0 {
				flat, ok = own[c]
				last = c
			}
			if ok {
				out.Pix[y*out.Stride+x] = flat
				continue
			}
			at := 0
			for i, v := range c {
				steps := shades[i] - 1
				at = at*shades[i] + min(steps, (int(v)*steps*16+bayer[y%4][x%4]*255)/(255*16))
			}
			out.Pix[y*out.Stride+x] = uint8(at) //nolint:gosec // in the cube
		}
	}
	return out
}

func colourAt(img *image.RGBA, x, y int) [3]uint8 {
	i := img.PixOffset(x, y)
	return [3]uint8(img.Pix[i : i+3])
}

// sparse is how far apart the pixels are that flat colours are found by.
const sparse = 3

// findFlatColours finds the colours that stand in one of 500 pixels or more, the most
// frequent first.
func findFlatColours(img *image.RGBA, most int) [][3]uint8 {
	counts, n, b := make(map[[3]uint8]int), 0, img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += sparse {
		for x := b.Min.X; x < b.Max.X; x += sparse {
			counts[colourAt(img, x, y)]++
			n++
		}
	}
	maps.DeleteFunc(counts, func(_ [3]uint8, k int) bool { return k*500 < n })
	out := slices.SortedFunc(maps.Keys(counts), func(a, b [3]uint8) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), slices.Compare(a[:], b[:]))
	})
	return out[:min(len(out), most)]
}

// sixelRows is how many rows of pixels a sixel has.
const sixelRows = 6

// appendSixels appends an image as sixels: its size, its colours, and a band of rows
// at a time, one colour after the other. The encoder of x/ansi asks of each pixel by
// its colour which one it is, and takes six times as long.
func appendSixels(out []byte, img *image.Paletted) []byte {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	out = fmt.Appendf(out, "\"1;1;%d;%d", width, height)
	for i, c := range img.Palette {
		r, g, b, _ := c.RGBA()
		out = fmt.Appendf(out, "#%d;2;%d;%d;%d", i, percent(r), percent(g), percent(b))
	}
	bits := make([]byte, len(img.Palette)*width)
	for top := 0; top < height; top += sixelRows {
		var used [256]bool
		clear(bits)
		for y := top; y < min(top+sixelRows, height); y++ {
			for x, c := range img.Pix[y*img.Stride : y*img.Stride+width] {
				bits[int(c)*width+x] |= 1 << (y - top)
				used[c] = true
			}
		}
		next := byte('-') // a line of sixels down
		for c := range img.Palette {
			if !used[c] {
				continue
			}
			if top > 0 || next == '$' {
				out = append(out, next)
			}
			next = '$' // back to its beginning
			out = strconv.AppendInt(append(out, '#'), int64(c), 10)
			out = appendSixelRow(out, bits[c*width:(c+1)*width])
		}
	}
	return out
}

// percent is a share of 16 bits in hundredths, as sixels have colours.
func percent(v uint32) uint32 { return (v*100 + 0x7fff) / 0xffff }

// appendSixelRow appends the sixels of one colour, repeated ones by their number, and
// none behind the last.
func appendSixelRow(out, row []byte) []byte {
	end := len(row)
	for end > 0 && row[end-1] == 0 {
		end--
	}
	for from := 0; from < end; {
		n := 1
		for from+n < end && row[from+n] == row[from] {
			n++
		}
		c := '?' + row[from]
		if from += n; n > 3 {
			out = append(strconv.AppendInt(append(out, '!'), int64(n), 10), c)
		} else {
			out = append(out, slices.Repeat([]byte{c}, n)...)
		}
	}
	return out
}
