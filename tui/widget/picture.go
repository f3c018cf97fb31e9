package widget

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // formats that benchmarks use
	_ "image/jpeg" // "
	_ "image/png"  // "
	"sync"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // "

	"concord/eval/bound"
)

const maxSide = 640 // kept at most; hardly a terminal shows more

// Errors of pictures.
var (
	ErrPictureSize = bound.ErrImageSize
	ErrNoPicture   = errors.New("no such image in the project")
	ErrPicturesOff = errors.New("images are off (--images)")
)

// Picture is decoded, upright and small enough to keep. What it lost by that is read again where wanted.
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
		o.turn = findTurn(data)
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

// cropCutter cuts parts out of pictures. Whole originals are large: it decodes one
// at a time, and keeps the last one, if it is of a usual size and nobody else
// needs the room, since who looks closer at a picture does so more than once.
type cropCutter struct {
	mu   sync.Mutex
	id   [32]byte
	last *bound.CachedValue // of *original
}

// maxKept is how many bytes a kept original may have.
const maxKept = 64 << 20

// cutPart gives a part of a picture, in its own pixels, scaled to w by h. It takes
// the original when the kept picture has too few pixels.
func (l *cropCutter) cutPart(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	kept := p.image.Bounds()
	part := image.Rect(
		crop.Min.X*kept.Dx()/p.Width, crop.Min.Y*kept.Dy()/p.Height,
		(crop.Max.X*kept.Dx()+p.Width-1)/p.Width, (crop.Max.Y*kept.Dy()+p.Height-1)/p.Height,
	)
	enough := part.Dx() >= min(w, crop.Dx()) && part.Dy() >= min(h, crop.Dy())
	if !enough && p.read != nil {
		if out := l.cutFromOriginal(p, crop, w, h); out != nil {
			return out
		}
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	src, part := shrinkByFactor(p.image, part, w, h)
	chooseScaler(part, w).Scale(dst, dst.Bounds(), src, part, draw.Src, nil)
	return dst
}

// cutFromOriginal cuts from the original; nil when that cannot be read any more.
func (l *cropCutter) cutFromOriginal(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.id == p.id {
		if kept, done := l.last.TakeUntilDone(); kept != nil {
			defer done()
			return kept.(*originalImage).cutPart(crop, w, h)
		}
	}
	l.last.Drop()
	data, err := p.read()
	if err != nil {
		return nil
	}
	o, err := decodeOriginal(data)
	if err != nil {
		return nil
	}
	out := o.cutPart(crop, w, h)
	if o.Size.Bytes > maxKept {
		o.Release()
	} else {
		l.id, l.last = p.id, o.CacheValue(o)
	}
	return out
}

// cutPart scales a part of the upright picture to w by h, laid on white.
func (o *originalImage) cutPart(crop image.Rectangle, w, h int) *image.RGBA {
	width, height := o.uprightSize()
	stored := o.turn.toStoredRect(crop, width, height).Add(o.Bounds().Min)
	if o.turn.swapsAxes() {
		w, h = h, w
	}
	src := o.Image
	if by := min(stored.Dx()/max(1, w), stored.Dy()/max(1, h)); by > 1 {
		small := shrinkByAveraging(src, stored, max(1, stored.Dx()/by), max(1, stored.Dy()/by))
		src, stored = small, small.Bounds()
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	chooseScaler(stored, w).Scale(dst, dst.Bounds(), src, stored, draw.Over, nil)
	return turnImage(dst, o.turn)
}

// kernelBytes is what a smooth kernel may take to scale a picture; beyond it one without any is as good.
const kernelBytes = 48 << 20

// chooseScaler scales a part to a width: smoothly, where that takes little memory.
func chooseScaler(part image.Rectangle, w int) draw.Scaler {
	if w*part.Dy()*4*8 > kernelBytes {
		return draw.ApproxBiLinear
	}
	return draw.CatmullRom
}

// toStoredRect gives where a part of the upright picture, of width by height, is stored.
func (t exifTurn) toStoredRect(r image.Rectangle, width, height int) image.Rectangle {
	switch t { // a quarter's turn is taken back by the other one
	case 6:
		t = 8
	case 8:
		t = 6
	default:
	}
	x0, y0 := t.turnPixel(r.Min.X, r.Min.Y, width, height)
	x1, y1 := t.turnPixel(r.Max.X-1, r.Max.Y-1, width, height)
	out := image.Rect(x0, y0, x1, y1)
	out.Max.X++
	out.Max.Y++
	return out
}

// flattenOnWhite lays a picture on white, which is what pictures with transparency are drawn for, and
// brings it down by a whole factor to at most maxSide: the mean of whole pixels takes a fifth of the
// time of a smooth kernel, and what is kept is scaled once more before it is seen. It goes through the
// picture in strips, since originals are large.
func flattenOnWhite(src image.Image) *image.RGBA {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	by := (max(w, h) + maxSide - 1) / maxSide
	if by > 1 {
		return shrinkByAveraging(src, b, max(1, w/by), max(1, h/by))
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Over)
	return dst
}

// shrinkByAveraging brings a part of a picture down to w by h, no larger than it is, laid
// on white. It goes through it in strips.
func shrinkByAveraging(src image.Image, part image.Rectangle, w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	white := image.NewUniform(color.White)
	strip := image.NewRGBA(image.Rect(0, 0, part.Dx(), (part.Dy()+h-1)/h))
	for y := range h {
		from, to := y*part.Dy()/h, (y+1)*part.Dy()/h
		rows := image.Rect(0, 0, part.Dx(), to-from)
		draw.Draw(strip, rows, white, image.Point{}, draw.Src)
		draw.Draw(strip, rows, src, part.Min.Add(image.Pt(0, from)), draw.Over)
		averageRow(dst, y, strip, rows)
	}
	return dst
}

// averageRow fills a row of dst with the means of a part of src, which is as high as that row stands for.
func averageRow(dst *image.RGBA, y int, src *image.RGBA, part image.Rectangle) {
	w, wide := dst.Bounds().Dx(), part.Dx()
	for x := range w {
		from, to := x*wide/w, (x+1)*wide/w
		var r, g, b, n uint32
		for row := part.Min.Y; row < part.Max.Y; row++ {
			at := src.PixOffset(part.Min.X+from, row)
			for pix := src.Pix[at : at+4*(to-from)]; len(pix) >= 4; pix = pix[4:] {
				r += uint32(pix[0])
				g += uint32(pix[1])
				b += uint32(pix[2])
				n++
			}
		}
		if n > 0 {
			dst.SetRGBA(x, y, color.RGBA{uint8((r + n/2) / n), uint8((g + n/2) / n), uint8((b + n/2) / n), 255}) //nolint:gosec // means of bytes
		}
	}
}

// shrinkByFactor brings a part of an opaque picture down by a whole factor when it has many more pixels
// than w by h: a smooth kernel is as good on what is left, and its time goes with the pixels.
func shrinkByFactor(src *image.RGBA, part image.Rectangle, w, h int) (*image.RGBA, image.Rectangle) {
	const spare = 3 // halves of a pixel that the kernel still has for each
	by := 2 * min(part.Dx()/max(1, w), part.Dy()/max(1, h)) / spare
	part = part.Intersect(src.Bounds())
	if by < 2 || part.Empty() {
		return src, part
	}
	dst := image.NewRGBA(image.Rect(0, 0, max(1, part.Dx()/by), max(1, part.Dy()/by)))
	height := dst.Bounds().Dy()
	for y := range height {
		rows := part
		rows.Min.Y, rows.Max.Y = part.Min.Y+y*part.Dy()/height, part.Min.Y+(y+1)*part.Dy()/height
		averageRow(dst, y, src, rows)
	}
	return dst, dst.Bounds()
}

// exifTurn is the orientation tag of EXIF, 1 to 8: how the stored rows and
// columns lie in the picture (EXIF 2.3, 4.6.4 A).
type exifTurn uint16

const upright exifTurn = 1

// swapsAxes reports whether rows become columns.
func (t exifTurn) swapsAxes() bool { return t >= 5 && t <= 8 }

// findTurn finds the tag in a JPEG; upright when there is none.
func findTurn(jpeg []byte) exifTurn { return parseTIFFTurn(bound.ExifPayload(bound.FindExif(jpeg))) }

// parseTIFFTurn reads the orientation out of the TIFF structure of an EXIF block.
func parseTIFFTurn(tiff []byte) exifTurn {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := int64(order.Uint16(tiff[at:]))
	for i := range entries {
		e := at + 2 + 12*i
		if e+12 > int64(len(tiff)) {
			break
		}
		if order.Uint16(tiff[e:]) == 0x0112 {
			if v := exifTurn(order.Uint16(tiff[e+8:])); v >= 1 && v <= 8 {
				return v
			}
			break
		}
	}
	return upright
}

// turnImage gives the picture as it is meant to be seen.
func turnImage(src *image.RGBA, t exifTurn) *image.RGBA {
	if t <= upright || t > 8 {
		return src
	}
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if t.swapsAxes() {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := t.turnPixel(x, y, w, h)
			dst.SetRGBA(tx, ty, src.RGBAAt(x, y))
		}
	}
	return dst
}

// turnPixel gives where the stored pixel (x, y) of w by h goes.
func (t exifTurn) turnPixel(x, y, w, h int) (int, int) {
	switch t { // the numbers of the standard
	case upright:
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
