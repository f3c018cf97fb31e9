package term

import (
	"fmt"
	"image"
	"slices"
	"strconv"
)

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
