package widget

import (
	"image"
	"image/color"

	"golang.org/x/image/draw"
)

// flatten lays a picture on white, which is what pictures with transparency
// are drawn for, and brings it down by a whole factor to at most maxSide: the
// mean of whole pixels takes a fifth of the time of a smooth kernel, and what
// is kept is scaled once more before it is seen. It goes through the picture in
// strips, since originals are large.
func flatten(src image.Image) *image.RGBA {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	by := (max(w, h) + maxSide - 1) / maxSide
	if by > 1 {
		return means(src, b, max(1, w/by), max(1, h/by))
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Over)
	return dst
}

// means brings a part of a picture down to w by h, no larger than it is, laid
// on white. It goes through it in strips.
func means(src image.Image, part image.Rectangle, w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	white := image.NewUniform(color.White)
	strip := image.NewRGBA(image.Rect(0, 0, part.Dx(), (part.Dy()+h-1)/h))
	for y := range h {
		from, to := y*part.Dy()/h, (y+1)*part.Dy()/h
		rows := image.Rect(0, 0, part.Dx(), to-from)
		draw.Draw(strip, rows, white, image.Point{}, draw.Src)
		draw.Draw(strip, rows, src, part.Min.Add(image.Pt(0, from)), draw.Over)
		mean(dst, y, strip, rows)
	}
	return dst
}

// mean fills a row of dst with the means of a part of src, which is as high as
// that row stands for.
func mean(dst *image.RGBA, y int, src *image.RGBA, part image.Rectangle) {
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

// shrink brings a part of an opaque picture down by a whole factor when it has
// many more pixels than w by h: a smooth kernel is as good on what is left, and
// its time goes with the pixels.
func shrink(src *image.RGBA, part image.Rectangle, w, h int) (*image.RGBA, image.Rectangle) {
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
		mean(dst, y, src, rows)
	}
	return dst, dst.Bounds()
}
