package widget

import (
	"container/list"
	"image"
	"math"
	"sync"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Pixels shows pictures in full resolution in the place of characters, on a
// terminal that can. It is called by several goroutines at a time.
type Pixels interface {
	// Size is the resolution of a room of cols by rows cells.
	Size(cols, rows int) (width, height int)
	// PlaceImage has img shown, as large as it fits, wherever the lines of cols by
	// rows cells stand that it returns, until Drop.
	PlaceImage(img image.Image, cols, rows int) (lines []string, id uint32, err error)
	DropImage(id uint32)
}

// Manner is how pictures are shown on a terminal. The zero value is half
// blocks in its colours, or characters where it has none.
type Manner struct {
	Plain  bool        // by characters alone
	Off    bool        // not at all
	Pixels Pixels      // nil: by characters or half blocks
	Cache  *ImageCache // shared with other terminals; nil: with none
	// Outside shows a picture by a program outside the terminal, and says what it did; nil: there is none.
	Outside func(data []byte, format, name string) (said string, err error)
}

// Bounds on the drawings that are kept: a full-screen one takes 150 kB, and terminals drop pictures.
const (
	maxBytes  = 8 << 20
	maxPlaced = 16
)

// ImageRenderer draws images for one terminal, and keeps what it has drawn. All its methods may be
// called by several goroutines. Those that draw take long, and belong in commands.
type ImageRenderer struct {
	Manner
	renderer *lipgloss.Renderer
	loupe    cropCutter

	kept lruCache[drawingKey, drawing]
}

// drawingKey names a drawing: of what, how large, and for which colours.
type drawingKey struct {
	id      [32]byte
	view    cellView
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
	e.kept = newLRUCache[drawingKey](func(d drawing) int { return countBytes(d.lines) }, func(bytes, n int) bool {
		return bytes > maxBytes || e.Pixels != nil && n > maxPlaced
	}, e.dropDrawing)
	return e
}

// OpenPicture reads and decodes a picture, unless none are shown. key names its bytes in the cache.
func (e *ImageRenderer) OpenPicture(key string, read func() ([]byte, error)) (*Picture, error) {
	switch {
	case e.Off:
		return nil, ErrPicturesOff
	case e.Cache == nil:
		return OpenPicture(read)
	}
	return e.Cache.pictures.getOrBuild(key, func() (*Picture, error) { return OpenPicture(read) })
}

func (e *ImageRenderer) newDrawingKey(p *Picture, l Viewport, cols, rows int) drawingKey {
	profile := e.renderer.ColorProfile()
	if e.Plain {
		profile = termenv.Ascii
	}
	return drawingKey{p.id, l.newCellView(p, cols, rows), profile, e.renderer.HasDarkBackground()}
}

// DrawView draws what a viewport shows of a picture in a room of cols by rows cells, unless it is at hand.
func (e *ImageRenderer) DrawView(p *Picture, l Viewport, cols, rows int) {
	k := e.newDrawingKey(p, l, cols, rows)
	if k.view.cols <= 0 || k.view.rows <= 0 {
		return
	}
	_, _ = e.kept.getOrBuild(k, func() (d drawing, err error) {
		if e.Pixels != nil && !e.Plain {
			d.lines, d.placed = e.placeImage(p, k.view)
		}
		if d.placed == 0 {
			d.lines = e.drawCharacters(p, k)
		}
		if len(d.lines) == 0 {
			err = ErrNoPicture
		}
		return d, err
	})
}

// isGray reports whether images are drawn in gray: the nearest of 16 colours is another one.
func (e *ImageRenderer) isGray() bool {
	return e.Pixels == nil && !e.Plain && !e.Off && e.renderer.ColorProfile() == termenv.ANSI
}

func (e *ImageRenderer) drawCharacters(p *Picture, k drawingKey) []string {
	draw := func() ([]string, error) {
		return renderBlocks(e.loupe.cutPart(p, k.view.crop, k.view.cols, 2*k.view.rows), k.profile, k.dark), nil
	}
	var lines []string
	if e.Cache == nil {
		lines, _ = draw()
	} else {
		lines, _ = e.Cache.drawings.getOrBuild(k, draw)
	}
	return lines
}

// placeImage has the terminal draw; it gives no lines when that fails.
func (e *ImageRenderer) placeImage(p *Picture, v cellView) (lines []string, id uint32) {
	w, h := e.Pixels.Size(v.cols, v.rows)
	lines, id, err := e.Pixels.PlaceImage(e.fitPart(p, v.crop, w, h), v.cols, v.rows)
	if err != nil {
		return nil, 0
	}
	return lines, id
}

// fitPart gives a part of a picture as large as it goes into w by h pixels, but no larger than it is.
func (e *ImageRenderer) fitPart(p *Picture, crop image.Rectangle, w, h int) *image.RGBA {
	w, h = max(1, min(w, crop.Dx())), max(1, min(h, crop.Dy()))
	if w*crop.Dy() > h*crop.Dx() {
		w = max(1, h*crop.Dx()/crop.Dy())
	} else {
		h = max(1, w*crop.Dy()/crop.Dx())
	}
	return e.loupe.cutPart(p, crop, w, h)
}

func (e *ImageRenderer) dropDrawing(d drawing) {
	if d.placed != 0 {
		e.Pixels.DropImage(d.placed)
	}
}

func (e *ImageRenderer) useDrawing(k drawingKey) ([]string, bool) {
	d, ok := e.kept.getBuilt(k)
	return d.lines, ok
}

// findNearDrawing finds a drawing of a picture that can stand in for one that is not there yet: as wide
// at most, and hardly higher, as when a notice takes a line of the screen.
func (e *ImageRenderer) findNearDrawing(want drawingKey) (lines []string) {
	high := 0
	e.kept.eachBuilt(func(k drawingKey, d drawing) {
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

// Viewport is what of a picture is looked at. It is of no picture in particular, so that it can be kept
// from one to the next: what matters is often at the same place. The zero value shows the whole.
type Viewport struct {
	step int
	x, y float64 // the centre, from the picture's, in parts of its sides: -0.5 to 0.5
}

// IsWhole reports whether the whole picture is seen.
func (vp Viewport) IsWhole() bool { return vp.step == 0 }

// ZoomFactor is how much larger things are seen than in the whole picture.
func (vp Viewport) ZoomFactor() float64 { return powers[vp.step] }

// cellView is what a viewport shows of a picture in a room of cells: how many cells
// that takes, and which of the picture's own pixels.
type cellView struct {
	cols, rows int
	crop       image.Rectangle
}

// newCellView lays a viewport over a picture in a room of cols by rows cells.
func (vp Viewport) newCellView(p *Picture, cols, rows int) cellView {
	w, h := p.FitCells(cols, rows)
	whole := image.Rect(0, 0, p.Width, p.Height)
	if w == 0 || vp.IsWhole() {
		return cellView{w, h, whole}
	}
	out := cellView{
		cols: min(cols, int(math.Round(float64(w)*vp.ZoomFactor()))),
		rows: min(rows, int(math.Round(float64(h)*vp.ZoomFactor()))),
	}
	wide, high := vp.visiblePart(p, cols, rows)
	x0, x1 := visiblePixels(vp.x, wide, p.Width)
	y0, y1 := visiblePixels(vp.y, high, p.Height)
	out.crop = image.Rect(x0, y0, x1, y1).Intersect(whole)
	return out
}

// visiblePart is how much of a picture's sides is seen, each at most 1.
func (vp Viewport) visiblePart(p *Picture, cols, rows int) (wide, high float64) {
	w, h := p.FitCells(cols, rows)
	return min(1, float64(cols)/(float64(w)*vp.ZoomFactor())), min(1, float64(rows)/(float64(h)*vp.ZoomFactor()))
}

// visiblePixels are the pixels of a side of size pixels that are seen of a part around a centre.
func visiblePixels(centre, part float64, size int) (from, to int) {
	from = int(math.Round((0.5 + clampCentre(centre, part) - part/2) * float64(size)))
	from = max(0, min(from, size-1))
	return from, max(from+1, from+int(math.Round(part*float64(size))))
}

// clampCentre holds a centre so that nothing beside the picture is seen.
func clampCentre(centre, part float64) float64 {
	free := (1 - part) / 2
	return max(-free, min(centre, free))
}

// zoomBy looks closer or from farther away.
func (vp *Viewport) zoomBy(by int) { vp.step = max(0, min(vp.step+by, len(powers)-1)) }

// panBy moves what is seen by a quarter of itself, as far as the picture goes.
func (vp *Viewport) panBy(p *Picture, cols, rows, dx, dy int) {
	if w, _ := p.FitCells(cols, rows); w == 0 {
		return
	}
	wide, high := vp.visiblePart(p, cols, rows)
	vp.x = clampCentre(clampCentre(vp.x, wide)+float64(dx)*wide/4, wide)
	vp.y = clampCentre(clampCentre(vp.y, high)+float64(dy)*high/4, high)
}

// mostShared is how many bytes of pictures and of drawings the cache keeps each.
const mostShared = 48 << 20

// ImageCache is pictures that were decoded, and what was drawn of them in characters, for all image
// renderers of a process: a team that works through one queue sees the same ones, each on a terminal of
// their own. Who asks for what is under way waits for it. It may be used by several goroutines.
type ImageCache struct {
	pictures lruCache[string, *Picture]
	drawings lruCache[drawingKey, []string]
}

// NewImageCache makes an empty one.
func NewImageCache() *ImageCache {
	full := func(bytes, _ int) bool { return bytes > mostShared }
	return &ImageCache{
		pictures: newLRUCache[string](func(p *Picture) int { return len(p.image.Pix) }, full, nil),
		drawings: newLRUCache[drawingKey](countBytes, full, nil),
	}
}

func countBytes(lines []string) (n int) {
	for _, l := range lines {
		n += len(l)
	}
	return n
}

// lruCache keeps what was made, as far as there is room, that used last the longest.
type lruCache[K comparable, V any] struct {
	size func(V) int
	full func(bytes, n int) bool
	drop func(V) // what is kept no more; may be nil

	mu    *sync.Mutex
	at    map[K]*list.Element
	order *list.List // of *cached, the one used last in front
	bytes int
}

// cacheEntry is one of them. ready is closed once it is made.
type cacheEntry[K comparable, V any] struct {
	key   K
	value V
	err   error
	bytes int
	ready chan struct{}
}

func newLRUCache[K comparable, V any](size func(V) int, full func(bytes, n int) bool, drop func(V)) lruCache[K, V] {
	return lruCache[K, V]{size: size, full: full, drop: drop, mu: new(sync.Mutex), at: make(map[K]*list.Element), order: list.New()}
}

// getOrBuild gives what is kept under a key, or makes it. What could not be made is not kept.
func (s *lruCache[K, V]) getOrBuild(k K, build func() (V, error)) (V, error) {
	s.mu.Lock()
	if e, ok := s.at[k]; ok {
		s.order.MoveToFront(e)
		s.mu.Unlock()
		v := e.Value.(*cacheEntry[K, V])
		<-v.ready
		return v.value, v.err
	}
	v := &cacheEntry[K, V]{key: k, ready: make(chan struct{})}
	e := s.order.PushFront(v)
	s.at[k] = e
	s.mu.Unlock()
	done := false
	defer func() {
		if !done {
			v.err = ErrNoPicture // making it panicked: nobody waits for it for ever
		}
		close(v.ready)
		s.weighEntry(e, v)
	}()
	v.value, v.err = build()
	done = true
	return v.value, v.err
}

// weighEntry weighs what was made, and lets go of what there is no room for.
func (s *lruCache[K, V]) weighEntry(e *list.Element, v *cacheEntry[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.err != nil {
		s.removeEntry(e)
		return
	}
	v.bytes = s.size(v.value)
	s.bytes += v.bytes
	for s.order.Len() > 1 && s.full(s.bytes, s.order.Len()) {
		s.removeEntry(s.order.Back())
	}
}

// getBuilt gives what is kept under a key, if it is made.
func (s *lruCache[K, V]) getBuilt(k K) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.at[k]
	if e == nil || !e.Value.(*cacheEntry[K, V]).isBuilt() {
		return value, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*cacheEntry[K, V]).value, true
}

// eachBuilt goes through what is made, that used longest ago first.
func (s *lruCache[K, V]) eachBuilt(do func(K, V)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Back(); e != nil; e = e.Prev() {
		if v := e.Value.(*cacheEntry[K, V]); v.isBuilt() {
			do(v.key, v.value)
		}
	}
}

func (v *cacheEntry[K, V]) isBuilt() bool {
	select {
	case <-v.ready:
		return v.err == nil
	default:
		return false
	}
}

func (s *lruCache[K, V]) removeEntry(e *list.Element) {
	v := e.Value.(*cacheEntry[K, V])
	s.order.Remove(e)
	delete(s.at, v.key)
	if s.bytes -= v.bytes; s.drop != nil && v.err == nil {
		s.drop(v.value)
	}
}
