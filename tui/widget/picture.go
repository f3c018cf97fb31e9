package widget

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"

	_ "golang.org/x/image/webp" // "

	"concord/eval/bound"

	_ "image/gif"  // formats that benchmarks use
	_ "image/jpeg" // "
	_ "image/png"  // "
)

const maxSide = 640 // kept at most; hardly a terminal shows more

// Errors of pictures.
var (
	ErrPictureSize = bound.ErrImageSize
	ErrNoPicture   = errors.New("no such image in the project")
	ErrPicturesOff = errors.New("images are off (--images)")
)

// Picture is a decoded picture, upright and small enough to keep. What it lost
// by that is read again where it is wanted.
type Picture struct {
	Width, Height int    // of the original, upright, in pixels
	Format        string // as image.Decode names it
	id            [sha256.Size]byte
	image         *image.RGBA
	read          func() ([]byte, error) // nil: the bytes are gone
}

// OpenPicture reads and decodes a picture, and keeps how to read it again.
func OpenPicture(read func() ([]byte, error)) (*Picture, error) {
	data, err := read()
	if err != nil {
		return nil, fmt.Errorf("read image: %w", err)
	}
	p, err := DecodePicture(data)
	if err != nil {
		return nil, err
	}
	p.read = read
	return p, nil
}

// DecodePicture reads a JPEG, PNG, GIF (its first frame) or WebP. It looks at the
// size before it decodes, turns the picture as its EXIF orientation says, and
// returns an error for whatever a broken file does to a decoder.
func DecodePicture(data []byte) (*Picture, error) {
	o, err := decodeOriginal(data)
	if err != nil {
		return nil, err
	}
	defer o.Release()
	w, h := o.uprightSize()
	return &Picture{
		Width: w, Height: h, Format: o.Size.Format, id: sha256.Sum256(data),
		image: turnImage(flattenOnWhite(o.Image), o.turn),
	}, nil
}

// originalImage is a picture as its file has it, until it is released or kept.
type originalImage struct {
	*bound.DecodedImage
	turn exifTurn
}

// uprightSize is that of the picture upright.
func (o *originalImage) uprightSize() (w, h int) {
	b := o.Bounds()
	if o.turn.swapsAxes() {
		return b.Dy(), b.Dx()
	}
	return b.Dx(), b.Dy()
}

func decodeOriginal(data []byte) (*originalImage, error) {
	if len(data) == 0 {
		return nil, ErrNoPicture
	}
	d, err := bound.DecodeImage(context.Background(), data, 0)
	if err != nil {
		return nil, fmt.Errorf("decode image: %w", err)
	}
	o := &originalImage{DecodedImage: d, turn: upright}
	if d.Size.Format == "jpeg" {
		o.turn = orientation(data)
	}
	return o, nil
}

// FitCells gives the size, in terminal cells, at which the picture fits a pane
// without distortion. A cell is taken to be twice as high as wide.
func (p *Picture) FitCells(cols, rows int) (int, int) {
	if cols <= 0 || rows <= 0 || p.Width <= 0 || p.Height <= 0 {
		return 0, 0
	}
	w, h := cols, (cols*p.Height+p.Width-1)/p.Width
	if h > 2*rows {
		w, h = max(1, 2*rows*p.Width/p.Height), 2*rows
	}
	return w, max(1, (h+1)/2)
}
