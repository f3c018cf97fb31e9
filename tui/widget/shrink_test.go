package widget

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/muesli/termenv"
)

// A picture that is brought down keeps its colours where they were, whatever
// its sides are to each other, and what is transparent is white.
func TestFlatten(t *testing.T) {
	check := func(w, h, wantW, wantH int) {
		t.Helper()
		src := image.NewNRGBA(image.Rect(3, 5, 3+w, 5+h))
		for y := range h {
			for x := range w {
				c := color.NRGBA{R: 200, A: 255}
				if x >= w/2 {
					c = color.NRGBA{}
				}
				src.SetNRGBA(3+x, 5+y, c)
			}
		}
		got := flattenOnWhite(src)
		if b := got.Bounds(); b.Dx() != wantW || b.Dy() != wantH {
			t.Fatalf("%dx%d becomes %v", w, h, b)
		}
		if c := got.RGBAAt(0, wantH-1); c != (color.RGBA{200, 0, 0, 255}) {
			t.Errorf("%dx%d: the left is %v", w, h, c)
		}
		if c := got.RGBAAt(wantW-1, 0); c != (color.RGBA{255, 255, 255, 255}) {
			t.Errorf("%dx%d: the right is %v", w, h, c)
		}
	}
	check(40, 30, 40, 30)
	check(1024, 768, 512, 384)
	check(6400, 640, 640, 64)
	check(2000, 1, 500, 1)
	check(641, 3, 320, 1)
}

// BenchmarkPictureIsDrawn is a photograph of 1024 by 768, from its bytes to the
// half blocks of a pane of 120 by 45 cells.
func BenchmarkPictureIsDrawn(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1024, 768))
	for i := range img.Pix {
		img.Pix[i] = uint8(i*7/5) | 3
	}
	var data bytes.Buffer
	if err := jpeg.Encode(&data, img, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p, err := DecodePicture(data.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		p.RenderBlocks(120, 45, termenv.TrueColor, true)
	}
}
