package bound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime"
)

// ErrImageSize says that a decoded image would be too large.
var ErrImageSize = errors.New("image is too large")

// ImageSize is what an image would take, from the beginning of its file.
type ImageSize struct {
	Width, Height int    // pixels
	Format        string // as image.DecodeConfig names it
	Bytes         int64  // at most, while it is decoded: of two bytes a channel twice as many
}

// MeasureImage reads the size of an image from its head. The formats are those
// that the program registers with package image.
func MeasureImage(data []byte) (ImageSize, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return ImageSize{}, err
	}
	s := ImageSize{Width: c.Width, Height: c.Height, Format: format}
	if c.Width <= 0 || c.Height <= 0 {
		return s, fmt.Errorf("%dx%d px: the image is empty", c.Width, c.Height)
	}
	if c.Width > Image/c.Height { // less than a byte a pixel is in no format
		return s, fmt.Errorf("%dx%d px: %w", c.Width, c.Height, ErrImageSize)
	}
	pixels := int64(c.Width) * int64(c.Height)
	switch format {
	case "png":
		s.Bytes = pixels * channels(c.ColorModel)
		if interlaced(data) {
			s.Bytes += s.Bytes / 2 // the largest pass is decoded beside the whole
		}
	case "jpeg":
		s.Bytes = pixels * jpegBytes(data) / 2
	case "webp":
		s.Bytes = 2 * pixels * channels(c.ColorModel) // its transforms work on copies
	default:
		s.Bytes = pixels * channels(c.ColorModel)
	}
	if s.Bytes > Image {
		return s, fmt.Errorf("%dx%d px, %s decoded: %w (at most %s)", c.Width, c.Height, amount(s.Bytes, ""), ErrImageSize, amount(Image, ""))
	}
	return s, nil
}

// channels is how many bytes a pixel of a colour model takes.
func channels(m color.Model) int64 {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.Gray16Model, color.Alpha16Model:
		return 2
	case color.GrayModel, color.AlphaModel:
		return 1
	case color.YCbCrModel:
		return 3
	}
	if _, ok := m.(color.Palette); ok {
		return 1
	}
	return 4
}

// interlaced reads how a PNG orders its pixels.
func interlaced(data []byte) bool {
	const at = 28 // signature, length, name, size, depth, colour, compression, filter
	return len(data) > at && data[at] != 0
}

// jpegBytes is how many halves of a byte a pixel of a JPEG takes: its channels
// as they are sampled, and of a progressive one the coefficients as well.
func jpegBytes(data []byte) int64 {
	const whole = 2 * (3 + 4*3) // what is not understood counts as the worst
	if len(data) < 2 {
		return whole
	}
	for rest := data[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := rest[1], 2+int(rest[2])<<8+int(rest[3])
		if marker == 0xff { // padding
			rest = rest[1:]
			continue
		}
		if marker < 0xc0 || marker > 0xc2 {
			if size > len(rest) || marker == 0xda {
				break
			}
			rest = rest[size:]
			continue
		}
		return frameBytes(rest[4:min(size, len(rest))], marker == 0xc2)
	}
	return whole
}

// frameBytes reads the header of a JPEG's frame.
func frameBytes(frame []byte, progressive bool) int64 {
	const head = 6 // precision, height, width, components
	if len(frame) < head || len(frame) < head+3*int(frame[5]) {
		return 2 * (3 + 4*3)
	}
	n := int(frame[5])
	var area, largest int64
	for i := range n {
		sampling := frame[head+3*i+1]
		a := int64(sampling>>4) * int64(sampling&15)
		area, largest = area+a, max(largest, a)
	}
	halves := int64(2 * n)
	if largest > 0 {
		halves = (2*area + largest - 1) / largest
	}
	if n == 4 {
		halves = max(halves, 2*4) // CMYK is laid out whole
	}
	if progressive {
		halves *= 5 // a byte, and a coefficient of four
	}
	return halves
}

// largeImage is from how many bytes an image is collected at once when it is
// given back.
const largeImage = 32 << 20

// Decoded is an image that counts in the budget of the process until Release
// or Keep is called, after which it must not be used.
type Decoded struct {
	image.Image
	Size  ImageSize
	share int64
	give  func()
}

// DecodeImage decodes an image within the process's budget: it waits until
// there is room for it, and for so many bytes beside it that working on it
// takes. What needs more than all of the budget waits until it is alone. A
// decoder that panics on a stranger's file has not read it.
func DecodeImage(ctx context.Context, data []byte, beside int64) (d *Decoded, err error) {
	size, err := MeasureImage(data)
	if err != nil {
		return nil, err
	}
	share := min(size.Bytes+max(beside, 0), Images.Most())
	give, err := Images.Take(ctx, "the image", share)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the decoder failed: %v", r)
		}
		if err != nil {
			d = nil
			give()
		}
	}()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return &Decoded{Image: img, Size: size, share: share, give: give}, nil
}

// Release gives the room back.
func (d *Decoded) Release() {
	d.Image = nil
	if d.share >= largeImage {
		runtime.GC() // the next one must not stand beside what is left of this one
	}
	d.give()
}

// Keep keeps a value that holds the image for as long as nobody needs its
// room.
func (d *Decoded) Keep(value any) *Kept {
	d.give()
	return Images.Keep(value, d.Size.Bytes)
}
