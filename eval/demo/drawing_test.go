package demo

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"
)

// drawings are the pictures by the name that questions use.
func drawings() map[string]func(*canvas) {
	return map[string]func(*canvas){
		"row": drawRow, "balls": drawBalls, "overlap": drawOverlap, "stripes": drawStripes,
		"fish": drawFish, "tictactoe": drawTicTacToe, "arrows": drawArrows, "towers": drawTowers,
		"bars": drawBars, "pie": drawPie, "line": drawLine, "venn": drawVenn,
		"thermometer": drawThermometer, "prices": drawPrices, "clock": drawClock,
		"calendar": drawCalendar, "dice": drawDice, "dots": drawDots, "sequence": drawSequence,
		"scale": drawScale, "glasses": drawGlasses, "house": drawHouse, "boat": drawBoat,
		"moon": drawMoon, "cake": drawCake, "apples": drawApples, "faces": drawFaces,
		"race": drawRace, "shadow": drawShadow, "stop": drawStop, "exit": drawExit,
		"lights": drawLights, "town": drawTown,
	}
}

var update = flag.Bool("update", false, "draw data/images anew")

// TestImagesAreDrawn: every image of the demo is what its drawing gives.
func TestImagesAreDrawn(t *testing.T) {
	kept, err := loadImages()
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCanvas()
	if err != nil {
		t.Fatal(err)
	}
	for name, draw := range drawings() {
		drawn, err := c.render(draw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if *update {
			if err := os.WriteFile("data/images/"+name+".png", drawn, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !alike(t, kept[name].png, drawn) {
			t.Errorf("%s is not what its drawing gives", name)
		}
		delete(kept, name)
	}
	for name := range kept {
		if !*update {
			t.Errorf("nothing draws %s", name)
		}
	}
}

// alike compares two images by their pixels: processors round differently.
func alike(t *testing.T, a, b []byte) bool {
	t.Helper()
	var img [2]image.Image
	for i, data := range [][]byte{a, b} {
		var err error
		if img[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			t.Error(err)
			return false
		}
	}
	for y := range height {
		for x := range width {
			r, g, b, _ := img[0].At(x, y).RGBA()
			r2, g2, b2, _ := img[1].At(x, y).RGBA()
			for _, d := range []uint32{r - r2, g - g2, b - b2} {
				if int32(d) > 16<<8 || int32(d) < -16<<8 {
					return false
				}
			}
		}
	}
	return true
}

// render draws one picture and encodes it. Speed goes over size: the pictures
// are flat and small either way.
func (c *canvas) render(draw func(*canvas)) ([]byte, error) {
	c.clear(paper)
	draw(c)
	if c.err != nil {
		return nil, c.err
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: c}
	if err := enc.Encode(&b, indexed(c.img)); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return b.Bytes(), nil
}

// indexed is the picture with a palette of the colours in it, those that
// differ by less than 8 in each channel taken as one: a third of the bytes to
// compress, and none to filter. A picture with more than 256 stays as it is.
func indexed(img *image.RGBA) image.Image {
	out := image.NewPaletted(img.Bounds(), nil)
	var known [1 << 15]uint16 // index + 1
	for i := range out.Pix {
		px := img.Pix[4*i : 4*i+4]
		at := &known[int(px[0]>>3)<<10|int(px[1]>>3)<<5|int(px[2]>>3)]
		if *at == 0 {
			if len(out.Palette) == 256 {
				return img
			}
			out.Palette = append(out.Palette, color.RGBA{R: px[0], G: px[1], B: px[2], A: 255})
			*at = uint16(len(out.Palette))
		}
		out.Pix[i] = uint8(*at - 1)
	}
	return out
}
