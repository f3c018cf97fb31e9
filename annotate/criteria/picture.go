package criteria

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats that benchmarks' pictures come in
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/webp"
)

// Size is a picture's width and height in pixels.
type Size struct{ Width, Height int }

// ShortEdge is the length of the short edge.
func (s Size) ShortEdge() int { return min(s.Width, s.Height) }

// IsClear reports whether the picture passes the point Clarity of the
// checklist, as far as its size tells.
func (s Size) IsClear() bool { return s.ShortEdge() >= ShortEdge }

// ReadSize reads the size of a picture from its head.
func ReadSize(data []byte) (Size, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Size{}, fmt.Errorf("measure image: %w", err)
	}
	return Size{c.Width, c.Height}, nil
}
