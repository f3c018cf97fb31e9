package term

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"
)

// shades are how many of red, green and blue a palette has: 240 colours, as
// 256 is what sixel terminals have at least. The encoder's own choice of
// colours takes seconds on a large picture.
var shades = [3]int{6, 8, 5}

// cube is the palette of all shades.
func cube() color.Palette {
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

// dithered is a picture in the colours of cube.
func dithered(img image.Image) *image.Paletted {
	b := img.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), cube())
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, bl, _ := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
			at := 0
			for i, c := range [3]uint32{r, g, bl} {
				steps := shades[i] - 1
				at = at*shades[i] + min(steps, (int(c>>8)*steps*16+bayer[y%4][x%4]*255)/(255*16))
			}
			out.SetColorIndex(x, y, uint8(at))
		}
	}
	return out
}

// asSixel draws a picture from the cursor on.
func asSixel(img image.Image) (string, error) {
	var data bytes.Buffer
	if err := (&sixel.Encoder{}).Encode(&data, dithered(img)); err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	return ansi.SixelGraphics(0, 1, 0, data.Bytes()), nil
}

// asITerm2 draws a picture from the cursor on, as large as it goes into cols by
// rows cells.
func asITerm2(img image.Image, cols, rows int) (string, error) {
	data, err := asPNG(img)
	if err != nil {
		return "", err
	}
	return ansi.ITerm2(iterm2.File{
		Size: int64(len(data)), Width: iterm2.Cells(cols), Height: iterm2.Cells(rows), Inline: true, DoNotMoveCursor: true,
		Content: []byte(base64.StdEncoding.EncodeToString(data)),
	}), nil
}
