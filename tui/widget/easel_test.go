package widget

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// ViewLines is what a viewport shows of a picture, when it is at hand.
func (e *ImageRenderer) ViewLines(p *Picture, l Viewport, cols, rows int) ([]string, bool) {
	return e.useDrawing(e.newDrawingKey(p, l, cols, rows))
}

// numbered is a picture in which every pixel differs from its neighbours.
func numbered(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8((x / 8 % 2) * 255), 255})
		}
	}
	return img
}

func testTheme(p termenv.Profile) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(true)
	return NewTheme(r)
}

// opened is a picture that knows how to be read again, and how often it was.
func opened(t testing.TB, img image.Image) (*Picture, *int) {
	t.Helper()
	data, reads := encodePNG(t, img), new(int)
	p, err := OpenPicture(func() ([]byte, error) { *reads++; return data, nil })
	if err != nil {
		t.Fatal(err)
	}
	return p, reads
}

func TestViewport(t *testing.T) {
	p := &Picture{Width: 1600, Height: 800}
	v := NewViewer(testTheme(termenv.Ascii))
	check := func(key string, want cellView) {
		t.Helper()
		if key != "" {
			v.HandleZoomKey(key, p, 80, 30)
		}
		if got := v.viewport.newCellView(p, 80, 30); got != want {
			t.Errorf("after %q: %+v, want %+v", key, got, want)
		}
	}
	whole := cellView{80, 20, image.Rect(0, 0, 1600, 800)}
	check("", whole)
	if v.HandleZoomKey("right", p, 80, 30) {
		t.Error("the whole image moves")
	}
	check("+", cellView{80, 30, image.Rect(267, 0, 1334, 800)}) // 1.5: the room is as high as the picture now
	check("+", cellView{80, 30, image.Rect(400, 100, 1200, 700)})
	check("right", cellView{80, 30, image.Rect(600, 100, 1400, 700)})
	for range 9 {
		v.HandleZoomKey("right", p, 80, 30)
	}
	check("", cellView{80, 30, image.Rect(800, 100, 1600, 700)})
	check("left", cellView{80, 30, image.Rect(600, 100, 1400, 700)}) // at once, however often it was pushed
	check("up", cellView{80, 30, image.Rect(600, 0, 1400, 600)})
	if got := v.FormatViewNote("= whole"); got != "×2, = whole  " {
		t.Errorf("zoomed %q", got)
	}
	small := &Picture{Width: 10, Height: 10} // another picture, in a pane: the same place, held within it
	if got := v.viewport.newCellView(small, 20, 10); got.crop != image.Rect(4, 1, 9, 6) || got.cols != 20 || got.rows != 10 {
		t.Errorf("another image shows %+v", got)
	}
	check("_", cellView{80, 30, image.Rect(467, 0, 1534, 800)})
	check(`\`, whole)
	for range 20 {
		v.HandleZoomKey("+", small, 80, 30)
	}
	if got := v.viewport.newCellView(small, 80, 30).crop; got.Empty() || !got.In(image.Rect(0, 0, 10, 10)) {
		t.Errorf("a small image shows %v", got)
	}
}

func TestZoomShowsWhatTheKeptPictureHasLost(t *testing.T) {
	const size = 1280
	big := image.NewRGBA(image.Rect(0, 0, size, size))
	for i := range big.Pix {
		big.Pix[i] = 255
	}
	for y := 600; y < 680; y++ { // a fine grid in the middle
		for x := 600; x < 680; x++ {
			if x%2 == 0 {
				big.SetRGBA(x, y, color.RGBA{A: 255})
			}
		}
	}
	p, reads := opened(t, big)
	if p.image.Bounds().Dx() != maxSide || *reads != 1 {
		t.Fatalf("kept %v after %d reads", p.image.Bounds(), *reads)
	}
	var l cropCutter
	crop := image.Rect(620, 620, 660, 660)
	got := l.cutPart(p, crop, 40, 40)
	if black, white := got.RGBAAt(10, 10), got.RGBAAt(11, 10); black.R > 40 || white.R < 215 {
		t.Errorf("the grid is %v and %v", black, white)
	}
	l.cutPart(p, image.Rect(500, 500, 540, 540), 40, 40)
	if *reads != 2 {
		t.Errorf("read %d times: the original was not kept", *reads)
	}
	if l.cutPart(p, image.Rect(0, 0, size, size), 300, 300); *reads != 2 {
		t.Error("what the kept image can show was read again")
	}
	p.read = func() ([]byte, error) { return nil, errors.New("gone") }
	if got := new(cropCutter).cutPart(p, crop, 40, 40); got.Bounds().Dx() != 40 {
		t.Errorf("without the original: %v", got.Bounds())
	}
}

func TestCropsOfTurnedPictures(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, numbered(64, 32), &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	for v := uint16(1); v <= 8; v++ {
		data := append(append([]byte{0xFF, 0xD8}, exif(v)...), b.Bytes()[2:]...)
		o, err := decodeOriginal(data)
		if err != nil {
			t.Fatal(err)
		}
		w, h := o.uprightSize()
		whole := o.cutPart(image.Rect(0, 0, w, h), w, h)
		part := o.cutPart(image.Rect(w/4, h/4, w/2, h), w/4, h*3/4)
		for _, at := range []image.Point{{1, 1}, {3, h / 2}, {w/4 - 2, h*3/4 - 2}} {
			a, b := whole.RGBAAt(at.X+w/4, at.Y+h/4), part.RGBAAt(at.X, at.Y)
			if d := lightness(a) - lightness(b); d > 40 || d < -40 {
				t.Errorf("orientation %d: %v is %v in the whole and %v in the part", v, at, a, b)
			}
		}
		o.Release()
	}
}

// wall is a terminal that draws pictures.
type wall struct {
	mu    sync.Mutex
	next  uint32
	hangs map[uint32]image.Point
	sent  int
	full  error
}

func (w *wall) Size(cols, rows int) (int, int) { return 10 * cols, 20 * rows }

func (w *wall) PlaceImage(img image.Image, cols, rows int) ([]string, uint32, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.full != nil {
		return nil, 0, w.full
	}
	w.next++
	w.sent++
	w.hangs[w.next] = img.Bounds().Size()
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = strings.Repeat("#", cols)
	}
	return lines, w.next, nil
}

func (w *wall) DropImage(id uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.hangs, id)
}

func TestEaselSendsEachPictureOnceAndKeepsFew(t *testing.T) {
	theme := testTheme(termenv.TrueColor)
	w := &wall{hangs: make(map[uint32]image.Point)}
	e := NewImageRenderer(theme.Renderer, Manner{Pixels: w})
	p, _ := opened(t, numbered(400, 200))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { e.DrawView(p, Viewport{}, 40, 30) })
	}
	all.Wait()
	lines, ok := e.ViewLines(p, Viewport{}, 40, 30)
	if !ok || len(lines) != 10 || w.sent != 1 || w.hangs[1] != image.Pt(400, 200) {
		t.Errorf("%d lines, sent %d times as %v", len(lines), w.sent, w.hangs)
	}
	for cols := 10; cols < 40; cols++ {
		e.DrawView(p, Viewport{}, cols, 30)
		e.ViewLines(p, Viewport{}, 40, 30) // is in use
	}
	if _, ok := e.ViewLines(p, Viewport{}, 40, 30); !ok || len(w.hangs) != maxPlaced {
		t.Errorf("%d images hang, the one in use: %v", len(w.hangs), ok)
	}
	w.full = errors.New("full")
	e.DrawView(p, Viewport{}, 9, 9)
	if lines, ok := e.ViewLines(p, Viewport{}, 9, 9); !ok || !strings.Contains(lines[0], "▀") {
		t.Errorf("what cannot be sent is %q", lines)
	}
}

func TestEaselIsBoundedInBytes(t *testing.T) {
	theme := testTheme(termenv.TrueColor)
	e := theme.Images
	img := numbered(200, 200)
	for i := range img.Pix { // an even picture takes few bytes
		if i%4 != 3 {
			img.Pix[i] ^= uint8(i * i >> 3 & 0x7f)
		}
	}
	p, _ := opened(t, img)
	for cols := 150; cols < 174; cols++ {
		e.DrawView(p, Viewport{}, cols, 100)
	}
	if e.kept.order.Len() == 24 {
		t.Error("all 24 large drawings are kept")
	}
	sum := 0
	e.kept.eachBuilt(func(_ drawingKey, d drawing) { sum += countBytes(d.lines) })
	if n := e.kept.order.Len(); sum != e.kept.bytes || sum > maxBytes || n != len(e.kept.at) || n < 10 {
		t.Errorf("%d drawings of %d bytes, counted as %d", e.kept.order.Len(), sum, e.kept.bytes)
	}
}

func TestViewerDrawsTheLatestZoomNotEveryOne(t *testing.T) {
	theme := testTheme(termenv.Ascii)
	v := NewViewer(theme)
	p, _ := opened(t, numbered(100, 100))
	first := v.DrawPicture(p, 20, 10)
	v.HandleDrawn(first().(Drawn))
	v.HandleZoomKey("+", p, 20, 10)
	slow := v.DrawPicture(p, 20, 10)
	for range 3 {
		v.HandleZoomKey("+", p, 20, 10)
		if v.DrawPicture(p, 20, 10) != nil {
			t.Fatal("a second zoomed drawing was begun")
		}
	}
	if got := v.PictureLines(p, 20, 10); len(got) != 10 {
		t.Errorf("meanwhile: %q", got)
	}
	if !v.HandleDrawn(slow().(Drawn)) || new(Viewer).HandleDrawn(Drawn{of: v}) {
		t.Error("a message went to the wrong viewer")
	}
	last := v.DrawPicture(p, 20, 10)
	if last == nil {
		t.Fatal("the latest zoom is never drawn")
	}
	v.HandleDrawn(last().(Drawn))
	if v.DrawPicture(p, 20, 10) != nil {
		t.Error("what is at hand is drawn again")
	}
}

func TestPicturesOff(t *testing.T) {
	theme := testTheme(termenv.Ascii)
	e := NewImageRenderer(theme.Renderer, Manner{Off: true})
	if _, err := e.OpenPicture("", func() ([]byte, error) { return nil, nil }); !errors.Is(err, ErrPicturesOff) {
		t.Error(err)
	}
}

// BenchmarkZoom is a key that zooms into a photograph of 12 megapixels, to
// the lines that are painted.
func BenchmarkZoom(b *testing.B) {
	var data bytes.Buffer
	if err := jpeg.Encode(&data, numbered(4000, 3000), nil); err != nil {
		b.Fatal(err)
	}
	p, err := OpenPicture(func() ([]byte, error) { return data.Bytes(), nil })
	if err != nil {
		b.Fatal(err)
	}
	var l cropCutter
	crop := image.Rect(1000, 1000, 2000, 1500)
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			renderBlocks(l.cutPart(p, crop, 200, 100), termenv.TrueColor, true)
		}
	})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			renderBlocks(new(cropCutter).cutPart(p, crop, 200, 100), termenv.TrueColor, true)
		}
	})
}
