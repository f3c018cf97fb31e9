package widget

import (
	"image"
	"math"
)

// powers are how far a viewport can be zoomed in.
var powers = [...]float64{1, 1.5, 2, 3, 4, 6, 8, 12, 16}

// Viewport is what of a picture is looked at. It is of no picture in particular,
// so that it can be kept from one to the next: what matters is often at the
// same place. The zero value shows the whole.
type Viewport struct {
	step int
	x, y float64 // the centre, from the picture's, in parts of its sides: -0.5 to 0.5
}

// Whole reports whether the whole picture is seen.
func (vp Viewport) Whole() bool { return vp.step == 0 }

// Power is how much larger things are seen than in the whole picture.
func (vp Viewport) Power() float64 { return powers[vp.step] }

// view is what a viewport shows of a picture in a room of cells: how many cells
// that takes, and which of the picture's own pixels.
type view struct {
	cols, rows int
	crop       image.Rectangle
}

// view lays a viewport over a picture in a room of cols by rows cells.
func (vp Viewport) view(p *Picture, cols, rows int) view {
	w, h := p.Cells(cols, rows)
	whole := image.Rect(0, 0, p.Width, p.Height)
	if w == 0 || vp.Whole() {
		return view{w, h, whole}
	}
	out := view{
		cols: min(cols, int(math.Round(float64(w)*vp.Power()))),
		rows: min(rows, int(math.Round(float64(h)*vp.Power()))),
	}
	wide, high := vp.part(p, cols, rows)
	x0, x1 := reach(vp.x, wide, p.Width)
	y0, y1 := reach(vp.y, high, p.Height)
	out.crop = image.Rect(x0, y0, x1, y1).Intersect(whole)
	return out
}

// part is how much of a picture's sides is seen, each at most 1.
func (vp Viewport) part(p *Picture, cols, rows int) (wide, high float64) {
	w, h := p.Cells(cols, rows)
	return min(1, float64(cols)/(float64(w)*vp.Power())), min(1, float64(rows)/(float64(h)*vp.Power()))
}

// reach are the pixels of a side of size pixels that are seen when a part of it
// is seen around a centre.
func reach(centre, part float64, size int) (from, to int) {
	from = int(math.Round((0.5 + within(centre, part) - part/2) * float64(size)))
	from = max(0, min(from, size-1))
	return from, max(from+1, from+int(math.Round(part*float64(size))))
}

// within holds a centre so that nothing beside the picture is seen.
func within(centre, part float64) float64 {
	free := (1 - part) / 2
	return max(-free, min(centre, free))
}

// zoom looks closer or from farther away.
func (vp *Viewport) zoom(by int) { vp.step = max(0, min(vp.step+by, len(powers)-1)) }

// pan moves what is seen by a quarter of itself, as far as the picture goes.
func (vp *Viewport) pan(p *Picture, cols, rows, dx, dy int) {
	if w, _ := p.Cells(cols, rows); w == 0 {
		return
	}
	wide, high := vp.part(p, cols, rows)
	vp.x = within(within(vp.x, wide)+float64(dx)*wide/4, wide)
	vp.y = within(within(vp.y, high)+float64(dy)*high/4, high)
}
