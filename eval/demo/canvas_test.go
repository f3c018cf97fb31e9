package demo

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The size of every picture, in pixels.
const (
	width  = 420
	height = 300
)

// The palette: flat, few, and far apart when shown by half blocks.
var (
	paper  = rgb(0xf7f3e8)
	ink    = rgb(0x2f3640)
	grey   = rgb(0x9aa5b1)
	white  = rgb(0xffffff)
	red    = rgb(0xd64541)
	orange = rgb(0xef8e38)
	yellow = rgb(0xf5c945)
	green  = rgb(0x3f9d5c)
	blue   = rgb(0x3571b8)
	sky    = rgb(0xaedcf2)
	purple = rgb(0x8457a6)
	brown  = rgb(0x8a5a3b)
	night  = rgb(0x1c2541)
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// canvas draws antialiased flat shapes, one picture after another. It keeps
// its buffers and font faces, so one canvas serves one goroutine.
type canvas struct {
	img   *image.RGBA
	font  *opentype.Font
	faces map[float64]font.Face
	ras   *vector.Rasterizer
	zip   *png.EncoderBuffer
	err   error // the first that drawing met
}

func newCanvas() (*canvas, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("parse font: %w", err)
	}
	return &canvas{
		img: image.NewRGBA(image.Rect(0, 0, width, height)), ras: vector.NewRasterizer(width, height),
		font: f, faces: map[float64]font.Face{},
	}, nil
}

// Get and Put make the canvas its encoder's pool of one buffer.
func (c *canvas) Get() *png.EncoderBuffer  { return c.zip }
func (c *canvas) Put(b *png.EncoderBuffer) { c.zip = b }

// clear starts a new picture on a plain ground.
func (c *canvas) clear(ground color.Color) {
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
}

// polygon fills the shape of the points x0, y0, x1, y1, ... It rasterizes
// no more than the shape's bounds: whole pictures took several times as long.
func (c *canvas) polygon(col color.Color, xy ...float64) {
	box := bounds(xy).Intersect(c.img.Bounds())
	if box.Empty() {
		return
	}
	at := func(i int) (x, y float32) {
		return float32(xy[i] - float64(box.Min.X)), float32(xy[i+1] - float64(box.Min.Y))
	}
	c.ras.Reset(box.Dx(), box.Dy())
	c.ras.MoveTo(at(0))
	for i := 2; i+1 < len(xy); i += 2 {
		c.ras.LineTo(at(i))
	}
	c.ras.ClosePath()
	c.ras.Draw(c.img, box, image.NewUniform(col), image.Point{})
}

func bounds(xy []float64) image.Rectangle {
	x0, y0, x1, y1 := xy[0], xy[1], xy[0], xy[1]
	for i := 2; i+1 < len(xy); i += 2 {
		x0, x1 = min(x0, xy[i]), max(x1, xy[i])
		y0, y1 = min(y0, xy[i+1]), max(y1, xy[i+1])
	}
	return image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1)))
}

func (c *canvas) rect(col color.Color, x, y, w, h float64) {
	c.polygon(col, x, y, x+w, y, x+w, y+h, x, y+h)
}

// line draws a straight stroke of width w.
func (c *canvas) line(col color.Color, w, x0, y0, x1, y1 float64) {
	length := math.Hypot(x1-x0, y1-y0)
	dx, dy := (x1-x0)/length*w/2, (y1-y0)/length*w/2
	c.polygon(col, x0-dy, y0+dx, x1-dy, y1+dx, x1+dy, y1-dx, x0+dy, y0-dx)
}

func (c *canvas) circle(col color.Color, x, y, r float64) { c.wedge(col, x, y, r, 0, 1) }

// wedge fills a slice of a circle, from and to in turns, clockwise from the
// top.
func (c *canvas) wedge(col color.Color, x, y, r, from, to float64) {
	var xy []float64
	if to-from < 1 {
		xy = append(xy, x, y)
	}
	steps := max(int((to-from)*72), 2)
	for i := range steps + 1 {
		a := 2 * math.Pi * (from + (to-from)*float64(i)/float64(steps))
		xy = append(xy, x+r*math.Sin(a), y-r*math.Cos(a))
	}
	c.polygon(col, xy...)
}

// regular fills a regular polygon with a corner at turn turns from the top.
func (c *canvas) regular(col color.Color, n int, x, y, r, turn float64) {
	xy := make([]float64, 0, 2*n)
	for i := range n {
		a := 2 * math.Pi * (turn + float64(i)/float64(n))
		xy = append(xy, x+r*math.Sin(a), y-r*math.Cos(a))
	}
	c.polygon(col, xy...)
}

// star fills a five-pointed star.
func (c *canvas) star(col color.Color, x, y, r float64) {
	xy := make([]float64, 0, 20)
	for i := range 10 {
		a, d := 2*math.Pi*float64(i)/10, r
		if i%2 == 1 {
			d = r * 0.42
		}
		xy = append(xy, x+d*math.Sin(a), y-d*math.Cos(a))
	}
	c.polygon(col, xy...)
}

// arrow draws a thick arrow around x, y that points turn turns from the top.
func (c *canvas) arrow(col color.Color, x, y, size, turn float64) {
	outline := []float64{0, -1, 0.75, -0.1, 0.28, -0.1, 0.28, 1, -0.28, 1, -0.28, -0.1, -0.75, -0.1}
	sin, cos := math.Sincos(2 * math.Pi * turn)
	xy := make([]float64, len(outline))
	for i := 0; i < len(outline); i += 2 {
		px, py := outline[i]*size, outline[i+1]*size
		xy[i], xy[i+1] = x+px*cos-py*sin, y+px*sin+py*cos
	}
	c.polygon(col, xy...)
}

// text writes s centred on x with its capitals centred on y.
func (c *canvas) text(col color.Color, s string, size, x, y float64) {
	face, ok := c.faces[size]
	if !ok {
		var err error
		face, err = opentype.NewFace(c.font, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			c.err = errors.Join(c.err, fmt.Errorf("make font face: %w", err))
			return
		}
		c.faces[size] = face
	}
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(col), Face: face}
	d.Dot = fixed.Point26_6{
		X: fixed.Int26_6(x*64) - d.MeasureString(s)/2,
		Y: fixed.Int26_6((y + size*0.36) * 64),
	}
	d.DrawString(s)
}
