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
		s.Bytes = pixels * bytesPerPixel(c.ColorModel)
		const interlace = 28 // behind signature, length, name, size, depth, colour, compression, filter
		if len(data) > interlace && data[interlace] != 0 {
			s.Bytes += s.Bytes / 2 // the largest pass is decoded beside the whole
		}
	case "jpeg":
		s.Bytes = pixels * jpegHalfBytesPerPixel(data) / 2
	case "webp":
		s.Bytes = 2 * pixels * bytesPerPixel(c.ColorModel) // its transforms work on copies
	default:
		s.Bytes = pixels * bytesPerPixel(c.ColorModel)
	}
	if s.Bytes > Image {
		return s, fmt.Errorf("%dx%d px, %s decoded: %w (at most %s)", c.Width, c.Height, formatBytes(s.Bytes, ""), ErrImageSize, formatBytes(Image, ""))
	}
	return s, nil
}

// FindExif finds the segment of a JPEG that says, beside much else, which way is up; nil where there is none.
func FindExif(jpeg []byte) []byte {
	if len(jpeg) < 2 || jpeg[0] != 0xff || jpeg[1] != 0xd8 {
		return nil
	}
	for rest := jpeg[2:]; len(rest) >= 10 && rest[0] == 0xff && rest[1] != 0xda; {
		size := 2 + int(rest[2])<<8 + int(rest[3])
		if size < 4 || size > len(rest) {
			return nil
		}
		if rest[1] == 0xe1 && string(rest[4:10]) == exifHead {
			return rest[:size]
		}
		rest = rest[size:]
	}
	return nil
}

// exifHead is what the body of such a segment begins with.
const exifHead = "Exif\x00\x00"

// ExifPayload is what stands in such a segment behind its head.
func ExifPayload(segment []byte) []byte { return segment[min(4+len(exifHead), len(segment)):] }

// bytesPerPixel is how many bytes a pixel of a colour model takes.
func bytesPerPixel(m color.Model) int64 {
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

// jpegHalfBytesPerPixel is how many halves of a byte a pixel of a JPEG takes: its channels
// as they are sampled, and of a progressive one the coefficients as well.
func jpegHalfBytesPerPixel(data []byte) int64 {
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
		return readFrameHalfBytesPerPixel(rest[4:min(size, len(rest))], marker == 0xc2)
	}
	return whole
}

// readFrameHalfBytesPerPixel reads the header of a JPEG's frame.
func readFrameHalfBytesPerPixel(frame []byte, progressive bool) int64 {
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

// largeImage is from how many bytes an image is collected at once when it is given back.
const largeImage = 32 << 20

// DecodedImage is an image that counts in the budget of the process until Release
// or Keep is called, after which it must not be used.
type DecodedImage struct {
	image.Image
	Size  ImageSize
	share int64
	give  func()
}

// DecodeImage decodes an image within the process's budget: it waits until there is room for
// it, and for so many bytes beside it that working on it takes. What needs more than all of the
// budget waits until it is alone. A decoder that panics on a stranger's file has not read it.
func DecodeImage(ctx context.Context, data []byte, beside int64) (d *DecodedImage, err error) {
	size, err := MeasureImage(data)
	if err != nil {
		return nil, err
	}
	share := min(size.Bytes+max(beside, 0), Images.Capacity())
	give, err := Images.Acquire(ctx, "the image", share)
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
	return &DecodedImage{Image: img, Size: size, share: share, give: give}, nil
}

// Release gives the room back.
func (d *DecodedImage) Release() {
	d.Image = nil
	if d.share >= largeImage {
		runtime.GC() // the next one must not stand beside what is left of this one
	}
	d.give()
}

// CacheValue keeps a value that holds the image for as long as nobody needs its room.
func (d *DecodedImage) CacheValue(value any) *CachedValue {
	d.give()
	return Images.CacheValue(value, d.Size.Bytes)
}

// Budgets of one thing, in bytes where nothing else is said.
const (
	Cell     = 64 << 20      // a cell: a picture in base64 at most
	RowBytes = Cell + Cell/2 // a row, or an object
	Blank    = 16 << 20      // white space between two rows, or two objects
	Line     = 1 << 20       // a line of a text file without columns
	Rows     = 1 << 20       // rows of a file: as Excel has; each takes about 300 bytes while a file is read
	Values   = 4 << 20       // of a column of a parquet file, in one group of rows: lists have several in a row
	Columns  = 1 << 14       // columns of a table, members of an object: as a workbook has
	Depth    = 64            // elements within each other in the XML of a workbook
	Tag      = 64 << 10      // a tag with its attributes
	Results  = 64 << 20      // a file beside a log
	Text     = 1 << 20       // what people read: a prompt, a guideline, a worked example
	Source   = 16 << 20      // a file that is sent along to the process that holds the project
	Image    = 256 << 20     // an image, decoded
	Picture  = 64 << 20      // the file of an image
	Reply    = 16 << 20      // the body of a reply
	Refusal  = 64 << 10      // the body of an error
	Folder   = 1 << 20       // entries of a folder
)

// Budgets of a workbook.
const (
	SheetRows   = 1 << 20   // as Excel has
	SheetCell   = 16 << 20  // bytes of a cell's XML; Excel keeps 32,767 characters
	SheetCells  = 8 << 20   // with the empty ones before the last of each row
	SheetText   = 256 << 20 // of a sheet that is held in memory
	SharedTexts = 2 << 20   // texts that cells share
)

// Budgets of what is compressed: an archive may unpack to Unpacked in all, and
// to no more than Ratio times its own size beyond the first UnpackedFree bytes.
const (
	Unpacked     = 16 << 30
	UnpackedFree = 64 << 20
	Directories  = 16 << 20 // of an archive: the list of its entries; of a parquet file: its footer
	Ratio        = 200
)

// Budgets of the process.
var (
	// Images is how many bytes of decoded images there may be at a time.
	Images = NewPool(Image)
	// Replies is the same of bodies of replies that are large.
	Replies = NewPool(128 << 20)
)
