package widget

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"

	"concord/eval/bound"
)

// Originals that were looked at closely make room for what others decode, and
// are read again when they are wanted.
func TestOriginalsShareTheBudget(t *testing.T) {
	const side, loupes = 700, 4
	var wg sync.WaitGroup
	all := make([]cropCutter, loupes)
	pictures := make([]*Picture, loupes)
	look := func(i int) {
		if out := all[i].cutPart(pictures[i], image.Rect(0, 0, side, side), 680, 680); out.RGBAAt(340, 340).R != uint8(i) {
			t.Errorf("image %d is %v", i, out.RGBAAt(340, 340))
		}
	}
	for i := range loupes {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for at := 0; at < len(img.Pix); at += 4 {
			copy(img.Pix[at:], []byte{uint8(i), 0, 0, 255})
		}
		img.Set(0, 0, color.NRGBA{1, 2, 3, 4}) // it is not opaque
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		var err error
		if pictures[i], err = OpenPicture(func() ([]byte, error) { return b.Bytes(), nil }); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() { look(i) })
	}
	wg.Wait()
	release, err := bound.Images.Acquire(t.Context(), "all", bound.Images.Capacity())
	if err != nil {
		t.Fatal(err)
	}
	release()
	for i := range loupes {
		look(i)
	}
}
