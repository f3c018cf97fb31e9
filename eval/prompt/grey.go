package prompt

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // sizes are read from the headers of these formats
	_ "image/jpeg"
	"image/png"
	"sync"
)

const (
	plainEdge   = 336  // of a picture whose size is not known: what CLIP-based models see
	largestEdge = 4096 // a header may lie
	keptGreys   = 512  // distinct sizes kept; a benchmark has some hundreds
)

// grayPictures draws plain grey pictures, each size once. Its zero value is ready.
type grayPictures struct {
	mu   sync.Mutex
	kept map[image.Point][]byte
}

// makeLike makes a grey picture of the size of the encoded picture data, scaled down
// to the longer edge (0: as it is) as that one would be.
func (g *grayPictures) makeLike(data []byte, edge int) ([]byte, error) {
	at := image.Pt(plainEdge, plainEdge)
	if w, h, ok := ReadPictureSize(data); ok {
		at = image.Pt(w, h)
	}
	if edge <= 0 || edge > largestEdge {
		edge = largestEdge
	}
	if long := max(at.X, at.Y); long > edge {
		at.X, at.Y = max(at.X*edge/long, 1), max(at.Y*edge/long, 1)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.kept[at]; p != nil {
		return p, nil
	}
	p, err := drawGray(at)
	if err != nil {
		return nil, err
	}
	if g.kept == nil || len(g.kept) >= keptGreys {
		g.kept = make(map[image.Point][]byte)
	}
	g.kept[at] = p
	return p, nil
}

func drawGray(size image.Point) ([]byte, error) {
	img := image.NewGray(image.Rectangle{Max: size})
	for i := range img.Pix {
		img.Pix[i] = color.Gray{Y: 0x80}.Y
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("draw grey picture: %w", err)
	}
	return b.Bytes(), nil
}

// ReadPictureSize reads a picture's size in pixels from the header of its file; a few
// kilobytes of it are usually enough.
func ReadPictureSize(data []byte) (w, h int, ok bool) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return 0, 0, false
	}
	return c.Width, c.Height, true
}
