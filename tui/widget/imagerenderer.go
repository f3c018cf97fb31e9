package widget

import (
	"image"
	"math"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Pixels shows pictures in full resolution in the place of characters, on a
// terminal that can. It is called by several goroutines at a time.
type Pixels interface {
	// Size is the resolution of a room of cols by rows cells.
	Size(cols, rows int) (width, height int)
	// Place has img shown, as large as it fits, wherever the lines of cols by
	// rows cells stand that it returns, until Drop.
	Place(img image.Image, cols, rows int) (lines []string, id uint32, err error)
	Drop(id uint32)
}

// Manner is how pictures are shown on a terminal. The zero value is half
// blocks in its colours, or characters where it has none.
type Manner struct {
	Plain  bool        // by characters alone
	Off    bool        // not at all
	Pixels Pixels      // nil: by characters or half blocks
	Cache  *ImageCache // shared with other terminals; nil: with none
	// Outside shows a picture by a program outside the terminal, and says what
	// it did; nil: there is none.
	Outside func(data []byte, format, name string) (said string, err error)
}

// Bounds on the drawings that are kept: a full-screen one takes 150 kB, and
// terminals do not keep pictures for ever.
const (
	maxBytes  = 8 << 20
	maxPlaced = 16
)

// ImageRenderer draws images for one terminal, and keeps what it has drawn. All
// its methods may be called by several goroutines. Those that draw take long, and
// belong in commands.
type ImageRenderer struct {
	Manner
	renderer *lipgloss.Renderer
	loupe    loupe

	kept cache[proof, drawing]
}

// proof names a drawing: of what, how large, and for which colours.
type proof struct {
	id      [32]byte
	view    view
	profile termenv.Profile
	dark    bool
}

type drawing struct {
	lines  []string
	placed uint32 // of Pixels; 0: none
}

// NewImageRenderer makes the image renderer of a terminal.
func NewImageRenderer(r *lipgloss.Renderer, m Manner) *ImageRenderer {
	e := &ImageRenderer{Manner: m, renderer: r}
	e.kept = newCache[proof](func(d drawing) int { return bytesOf(d.lines) }, func(bytes, n int) bool {
		return bytes > maxBytes || e.Pixels != nil && n > maxPlaced
	}, e.drop)
	return e
}

// Open reads and decodes a picture, unless none are shown. key names its bytes,
// for all who share the cache.
func (e *ImageRenderer) Open(key string, read func() ([]byte, error)) (*Picture, error) {
	switch {
	case e.Off:
		return nil, ErrPicturesOff
	case e.Cache == nil:
		return Open(read)
	}
	return e.Cache.pictures.get(key, func() (*Picture, error) { return Open(read) })
}

func (e *ImageRenderer) proof(p *Picture, l Viewport, cols, rows int) proof {
	profile := e.renderer.ColorProfile()
	if e.Plain {
		profile = termenv.Ascii
	}
	return proof{p.id, l.view(p, cols, rows), profile, e.renderer.HasDarkBackground()}
}

// Draw draws what a viewport shows of a picture in a room of cols by rows cells,
// unless it is at hand.
func (e *ImageRenderer) Draw(p *Picture, l Viewport, cols, rows int) {
	k := e.proof(p, l, cols, rows)
	if k.view.cols <= 0 || k.view.rows <= 0 {
		return
	}
	_, _ = e.kept.get(k, func() (d drawing, err error) {
		if e.Pixels != nil && !e.Plain {
			d.lines, d.placed = e.place(p, k.view)
		}
		if d.placed == 0 {
			d.lines = e.paint(p, k)
		}
		if len(d.lines) == 0 {
			err = ErrNoPicture
		}
		return d, err
	})
}

// gray reports whether images are drawn in gray: the nearest of 16 colours is
// another one.
func (e *ImageRenderer) gray() bool {
	return e.Pixels == nil && !e.Plain && !e.Off && e.renderer.ColorProfile() == termenv.ANSI
}

// paint draws in characters.
func (e *ImageRenderer) paint(p *Picture, k proof) []string {
	draw := func() ([]string, error) {
		return render(e.loupe.cut(p, k.view.crop, k.view.cols, 2*k.view.rows), k.profile, k.dark), nil
	}
	var lines []string
	if e.Cache == nil {
		lines, _ = draw()
	} else {
		lines, _ = e.Cache.drawings.get(k, draw)
	}
	return lines
}

// place has the terminal draw; it gives no lines when that fails.
func (e *ImageRenderer) place(p *Picture, v view) (lines []string, id uint32) {
	w, h := e.Pixels.Size(v.cols, v.rows)
	lines, id, err := e.Pixels.Place(e.fit(p, v.crop, w, h), v.cols, v.rows)
	if err != nil {
		return nil, 0
	}
	return lines, id
}

// fit is a part of a picture as large as it goes into w by h pixels, but no
// larger than it is.
func (e *ImageRenderer) fit(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	w, h = max(1, min(w, crop.Dx())), max(1, min(h, crop.Dy()))
	if w*crop.Dy() > h*crop.Dx() {
		w = max(1, h*crop.Dx()/crop.Dy())
	} else {
		h = max(1, w*crop.Dy()/crop.Dx())
	}
	return e.loupe.cut(p, crop, w, h)
}

func (e *ImageRenderer) drop(d drawing) {
	if d.placed != 0 {
		e.Pixels.Drop(d.placed)
	}
}

// Lines is what a viewport shows of a picture, when it is at hand.
func (e *ImageRenderer) Lines(p *Picture, l Viewport, cols, rows int) ([]string, bool) {
	return e.use(e.proof(p, l, cols, rows))
}

func (e *ImageRenderer) use(k proof) ([]string, bool) {
	d, ok := e.kept.use(k)
	return d.lines, ok
}

// near is a drawing of a picture that can stand in for one that is not there
// yet: as wide at most, and hardly higher, as when a notice takes a line of the
// screen.
func (e *ImageRenderer) near(want proof) (lines []string) {
	high := 0
	e.kept.each(func(k proof, d drawing) {
		v := k.view
		if k.id == want.id && k.profile == want.profile && k.dark == want.dark &&
			v.cols <= want.view.cols+4 && v.rows <= want.view.rows+2 && v.rows >= high {
			high, lines = v.rows, d.lines[:min(len(d.lines), want.view.rows)]
		}
	})
	return lines
}

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
