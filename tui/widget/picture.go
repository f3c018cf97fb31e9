package widget

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	_ "image/gif"  // formats that benchmarks use
	_ "image/jpeg" // "
	_ "image/png"  // "

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // "
)

const (
	maxPixels = 64 << 20 // decoded at most; a small file can claim any size
	maxSide   = 640      // kept at most; hardly a terminal shows more
)

// Errors of pictures.
var (
	ErrPictureSize = errors.New("picture is too large to show")
	ErrNoPicture   = errors.New("no such picture in the project")
)

// Picture is a decoded picture, upright and small enough to keep.
type Picture struct {
	Width, Height int // of the original, upright, in pixels
	image         image.Image
}

// Decode reads a JPEG, PNG, GIF (its first frame) or WebP. It looks at the
// size before it decodes, turns the picture as its EXIF orientation says, and
// returns an error for whatever a broken file does to a decoder.
func Decode(data []byte) (p *Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("decode picture: %v", r)
		}
	}()
	if len(data) == 0 {
		return nil, ErrNoPicture
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return nil, fmt.Errorf("%dx%d px: %w", c.Width, c.Height, ErrPictureSize)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", format, err)
	}
	turn := upright
	if format == "jpeg" {
		turn = orientation(data)
	}
	small := flatten(img)
	p = &Picture{Width: c.Width, Height: c.Height, image: turned(small, turn)}
	if turn.swaps() {
		p.Width, p.Height = p.Height, p.Width
	}
	return p, nil
}

// flatten lays a picture on white, which is what pictures with transparency
// are drawn for, and brings it down to at most maxSide.
func flatten(src image.Image) *image.RGBA {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	if long := max(w, h); long > maxSide {
		w, h = max(1, w*maxSide/long), max(1, h*maxSide/long)
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	if w == b.Dx() && h == b.Dy() {
		draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Over)
	} else {
		draw.BiLinear.Scale(dst, dst.Bounds(), src, b, draw.Over, nil)
	}
	return dst
}

// Cells is the size, in terminal cells, at which the picture fits a pane
// without distortion. A cell is taken to be twice as high as wide.
func (p *Picture) Cells(cols, rows int) (int, int) {
	if cols <= 0 || rows <= 0 || p.Width <= 0 || p.Height <= 0 {
		return 0, 0
	}
	w, h := cols, (cols*p.Height+p.Width-1)/p.Width
	if h > 2*rows {
		w, h = max(1, 2*rows*p.Width/p.Height), 2*rows
	}
	return w, max(1, (h+1)/2)
}

// scaled is the picture at w by h pixels.
func (p *Picture) scaled(w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(dst, dst.Bounds(), p.image, p.image.Bounds(), draw.Src, nil)
	return dst
}
