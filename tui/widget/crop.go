package widget

import (
	"image"
	"image/color"
	"sync"

	"concord/eval/bound"

	"golang.org/x/image/draw"
)

// loupe cuts parts out of pictures. Whole originals are large: it decodes one
// at a time, and keeps the last one, if it is of a usual size and nobody else
// needs the room, since who looks closer at a picture does so more than once.
type loupe struct {
	mu   sync.Mutex
	id   [32]byte
	last *bound.Kept // of *original
}

// maxKept is how many bytes a kept original may have.
const maxKept = 64 << 20

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
	kernel(part, w).Scale(dst, dst.Bounds(), src, part, draw.Src, nil)
	return dst
}

// sharp cuts from the original; nil when that cannot be read any more.
func (l *loupe) sharp(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.id == p.id {
		if kept, done := l.last.Use(); kept != nil {
			defer done()
			return kept.(*original).cut(crop, w, h)
		}
	}
	l.last.Drop()
	data, err := p.read()
	if err != nil {
		return nil
	}
	o, err := decode(data)
	if err != nil {
		return nil
	}
	out := o.cut(crop, w, h)
	if o.Size.Bytes > maxKept {
		o.Release()
	} else {
		l.id, l.last = p.id, o.Keep(o)
	}
	return out
}

// cut scales a part of the upright picture to w by h, laid on white.
func (o *original) cut(crop image.Rectangle, w, h int) *image.RGBA {
	width, height := o.size()
	stored := o.turn.back(crop, width, height).Add(o.Bounds().Min)
	if o.turn.swaps() {
		w, h = h, w
	}
	src := o.Image
	if by := min(stored.Dx()/max(1, w), stored.Dy()/max(1, h)); by > 1 {
		small := means(src, stored, max(1, stored.Dx()/by), max(1, stored.Dy()/by))
		src, stored = small, small.Bounds()
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	kernel(stored, w).Scale(dst, dst.Bounds(), src, stored, draw.Over, nil)
	return turned(dst, o.turn)
}

// kernelBytes is what a smooth kernel may take to scale a picture; beyond it
// one that takes nothing is as good.
const kernelBytes = 48 << 20

// kernel scales a part to a width: smoothly, where that takes little memory.
func kernel(part image.Rectangle, w int) draw.Scaler {
	if w*part.Dy()*4*8 > kernelBytes {
		return draw.ApproxBiLinear
	}
	return draw.CatmullRom
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
