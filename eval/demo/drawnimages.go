package demo

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"sync"

	"concord/eval"
)

// picture is a drawn picture as PNG.
type picture struct {
	hash eval.PictureHash
	png  []byte
}

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

// drawAll draws every picture, on as many goroutines as there are cores: a
// newcomer waits for it.
func drawAll() (map[string]picture, error) {
	all := drawings()
	names := make(chan string, len(all))
	for name := range all {
		names <- name
	}
	close(names)

	var (
		mu    sync.Mutex
		out   = make(map[string]picture, len(all))
		first error
		wg    sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			c, err := newCanvas()
			for name := range names {
				var p picture
				if err == nil {
					p, err = c.render(all[name])
				}
				mu.Lock()
				if err != nil && first == nil {
					first = fmt.Errorf("draw picture %s: %w", name, err)
				}
				out[name] = p
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return out, first
}

// render draws one picture and encodes it. Speed goes over size: the pictures
// are flat and small either way.
func (c *canvas) render(draw func(*canvas)) (picture, error) {
	c.clear(paper)
	draw(c)
	if c.err != nil {
		return picture{}, c.err
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: c}
	if err := enc.Encode(&b, indexed(c.img)); err != nil {
		return picture{}, fmt.Errorf("encode: %w", err)
	}
	sum := sha256.Sum256(b.Bytes())
	return picture{hash: eval.PictureHash(hex.EncodeToString(sum[:])), png: b.Bytes()}, nil
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
