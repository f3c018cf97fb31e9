package widget

import (
	"image"
	"image/color"
	"sync"

	"golang.org/x/image/draw"
)

// loupe cuts parts out of pictures. Whole originals are large: it decodes one
// at a time, and keeps the last one, if it is of a usual size, since who looks
// closer at a picture does so more than once.
type loupe struct {
	mu   sync.Mutex
	id   [32]byte
	last *original
}

// maxKept is how many pixels a kept original may have.
const maxKept = 16 << 20

// cut is a part of a picture, in its own pixels, scaled to w by h. It takes
// the original when the kept picture has too few pixels.
func (l *loupe) cut(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	kept := p.image.Bounds()
	part := image.Rect(
		crop.Min.X*kept.Dx()/p.Width, crop.Min.Y*kept.Dy()/p.Height,
		(crop.Max.X*kept.Dx()+p.Width-1)/p.Width, (crop.Max.Y*kept.Dy()+p.Height-1)/p.Height,
	)
	enough := part.Dx() >= min(w, crop.Dx()) && part.Dy() >= min(h, crop.Dy())
	if !enough && p.read != nil {
		if out := l.sharp(p, crop, w, h); out != nil {
			return out
		}
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	src, part := shrink(p.image, part, w, h)
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, part, draw.Src, nil)
	return dst
}

// sharp cuts from the original; nil when that cannot be read any more.
func (l *loupe) sharp(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.last
	if o == nil || l.id != p.id {
		data, err := p.read()
		if err != nil {
			return nil
		}
		l.last = nil
		if o, err = decode(data); err != nil {
			return nil
		}
		if b := o.image.Bounds(); b.Dx()*b.Dy() <= maxKept {
			l.id, l.last = p.id, o
		}
	}
	return o.cut(crop, w, h)
}

// cut scales a part of the upright picture to w by h, laid on white.
func (o *original) cut(crop image.Rectangle, w, h int) *image.RGBA {
	width, height := o.size()
	stored := o.turn.back(crop, width, height).Add(o.image.Bounds().Min)
	if o.turn.swaps() {
		w, h = h, w
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(dst, dst.Bounds(), o.image, stored, draw.Over, nil)
	return turned(dst, o.turn)
}

// back is where a part of the upright picture, of width by height, is stored.
func (t turn) back(r image.Rectangle, width, height int) image.Rectangle {
	switch t { // a quarter's turn is taken back by the other one
	case 6:
		t = 8
	case 8:
		t = 6
	default:
	}
	x0, y0 := t.move(r.Min.X, r.Min.Y, width, height)
	x1, y1 := t.move(r.Max.X-1, r.Max.Y-1, width, height)
	out := image.Rect(x0, y0, x1, y1)
	out.Max.X++
	out.Max.Y++
	return out
}
