package term

import (
	"encoding/base64"
	"fmt"
	"image"
	"io"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"golang.org/x/image/draw"
)

// Inline has images stand beside text on a terminal that draws them from the cursor on: by sixels, by
// iTerm2's protocol, or by kitty's without placeholders. It gives lines of cells that belong to an
// image, as Graphics does: the painter finds those cells in a frame and draws the image there. Images
// of kitty's protocol are sent as soon as they are made, and decoded while a person looks at the one
// before. Its methods may be called by several goroutines.
type Inline struct {
	how  Images
	cell image.Point // in pixels
	most int         // pixels that a side of a sixel image may have
	out  io.Writer   // where images are sent before they are drawn; nil: nowhere

	mu     sync.Mutex
	last   uint32   // of the ids that were ever taken
	gone   []uint32 // ids that were dropped since the last frame
	free   []uint32 // ids that no frame has any more
	images map[uint32]inlineImage
	clears int // how often the terminal may have lost what it was sent
}

// inlineImage is an image as it is sent.
type inlineImage struct {
	cols, rows int
	draw       string      // draws it from the cursor on
	put        string      // draws one that the terminal has; "" where it is to keep none
	has        bool        // the terminal has it
	erase      string      // removes it, where text over it does not
	of         image.Image // of sixels, which are of pixels; else nil
	cell, size image.Point // that they are of, and theirs in pixels
	inset      image.Point // in cells, of what does not fill its room
}

// NewInline makes it for a session's terminal. how is ImagesSixel, ImagesITerm2 or ImagesPlaced.
func NewInline(s *Session, how Images) *Inline {
	return &Inline{how: how, cell: s.cellSizeOrUsual(), most: maxImageSide(s.Brand), images: make(map[uint32]inlineImage)}
}

// Size is the resolution of a room of cols by rows cells.
func (g *Inline) Size(cols, rows int) (width, height int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return cols * g.cell.X, rows * g.cell.Y
}

// PlaceImage takes an image, and gives the lines in the place of which it shows.
func (g *Inline) PlaceImage(img image.Image, cols, rows int) ([]string, uint32, error) {
	if cols < 1 || rows < 1 || cols > maxSide || rows > maxSide {
		return nil, 0, newSideError(cols, rows)
	}
	g.mu.Lock()
	id := g.takeID()
	cell, clears := g.cell, g.clears
	g.mu.Unlock()
	if id == 0 {
		return nil, 0, fmt.Errorf("%d images are kept, and no more can be", maxSide-1)
	}
	made, send, err := g.encodeImage(id, img, cols, rows, cell)
	has := send != "" && g.sendImage(send)
	g.mu.Lock()
	defer g.mu.Unlock()
	if made.has = has && g.clears == clears; err != nil {
		g.free = append(g.free, id)
		return nil, 0, err
	}
	g.images[id] = made
	return makeImageCells(int(id), cols, rows, "", ""), id, nil
}

// mostAhead is how many bytes an image has at most that is sent before it is drawn. Kitty
// keeps 320 MB, and drops those that are not drawn first, without a word.
const mostAhead = 8 << 20

// sendImage sends an image that is not drawn yet, in one go: no other image may come between its parts.
func (g *Inline) sendImage(sequences string) bool {
	if g.out == nil {
		return false
	}
	_, err := io.WriteString(g.out, sequences)
	return err == nil
}

// encodeImage makes an image, and what sends it without drawing it.
func (g *Inline) encodeImage(id uint32, img image.Image, cols, rows int, cell image.Point) (out inlineImage, send string, err error) {
	out = inlineImage{cols: cols, rows: rows}
	switch g.how {
	case ImagesSixel:
		out.of, out.cell = img, cell
		fit := scaleToFit(img, min(cols*cell.X, g.most), min(rows*cell.Y, g.most)/sixelRows*sixelRows)
		out.size, out.draw = fit.Bounds().Size(), encodeSixel(fit)
		out.inset = image.Pt((cols-1-(out.size.X-1)/cell.X)/2, (rows-1-(out.size.Y-1)/cell.Y)/2)
	case ImagesITerm2:
		out.draw, err = encodeITerm2(padToRoom(img, cols*cell.X, rows*cell.Y), cols, rows)
	default:
		var data []byte
		img = padToRoom(img, cols*cell.X, rows*cell.Y)
		if data, err = encodePNG(img); err == nil {
			name := fmt.Sprintf("i=%d", id)
			out.draw = strings.Join(makeTransmitSequences(id, data, cols, rows, "C=1"), "")
			if b := img.Bounds(); 4*b.Dx()*b.Dy() > mostAhead {
				out.erase = DeleteSequence(id)
				break
			}
			send = strings.Join(chunkSequences(data, "a=t", "q=2", "f=100", "t=d", name), "")
			out.put = ansi.KittyGraphics(nil, "a=p", "C=1", "q=2", name, fmt.Sprintf("c=%d", cols), fmt.Sprintf("r=%d", rows))
			out.erase = ansi.KittyGraphics(nil, "a=d", "d=i", "q=2", name) // the terminal keeps the image
		}
	}
	return out, send, err
}

// padToRoom gives an image sides in the ratio of its room in pixels, transparent where it is
// not: a terminal stretches it over the cells of the room, which are seldom 1 to 2.
func padToRoom(img image.Image, width, height int) image.Image {
	b := img.Bounds()
	w, h := max(b.Dx(), b.Dy()*width/max(1, height)), max(b.Dy(), b.Dx()*height/max(1, width))
	if w == b.Dx() && h == b.Dy() || width < 1 || height < 1 {
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, b.Sub(b.Min).Add(image.Pt((w-b.Dx())/2, (h-b.Dy())/2)), img, b.Min, draw.Src)
	return out
}

// scaleToFit gives an image as large as it goes into width by height pixels.
func scaleToFit(img image.Image, width, height int) image.Image {
	b := img.Bounds()
	if width*b.Dy() > height*b.Dx() {
		width = max(1, height*b.Dx()/max(1, b.Dy()))
	} else {
		height = max(1, width*b.Dy()/max(1, b.Dx()))
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), img, b, draw.Src, nil)
	return out
}

// rested is how many ids are free before the first is taken again: a frame that was
// made before its image was dropped would show the next one.
const rested = 8

// takeID takes an id that no image has: one that is free before a new one, since what
// is sent under it replaces what the terminal keeps. 0: there is none.
func (g *Inline) takeID() (id uint32) {
	switch {
	case len(g.free) > rested:
		id, g.free = g.free[0], g.free[1:]
	case g.last < maxSide-1:
		g.last++
		id = g.last
	}
	return id
}

// DropImage forgets an image. The next frame has it no more. It is not deleted on the
// terminal: kitty would delete all that are not drawn with it.
func (g *Inline) DropImage(id uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.images[id]; ok {
		delete(g.images, id)
		g.gone = append(g.gone, id)
	}
}

// takeDroppedImages gives the ids of the images that were dropped since the last frame. known
// is whether the terminal still has what it was sent: one that was cleared does not.
func (g *Inline) takeDroppedImages(known bool) (gone []uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	gone, g.gone = g.gone, nil
	if !known {
		g.forgetSentLocked()
	}
	return gone
}

// forgetSentImages notes that an image was deleted, and with it all that are not drawn.
func (g *Inline) forgetSentImages() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgetSentLocked()
}

// forgetSentLocked notes that the terminal has lost what is not drawn.
func (g *Inline) forgetSentLocked() {
	g.clears++
	for id, img := range g.images {
		img.has = false
		g.images[id] = img
	}
}

// freeIDs takes ids back of which nothing is drawn any more.
func (g *Inline) freeIDs(ids []uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free = append(g.free, ids...)
}

// appendDrawing appends what draws an image from the cursor on.
func (g *Inline) appendDrawing(out []byte, id uint32) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	img := g.images[id]
	if img.has {
		return append(out, img.put...)
	}
	if img.has = img.put != ""; img.has {
		g.images[id] = img
	}
	return append(out, img.draw...)
}

func (g *Inline) imageForCellSize(id uint32) (inlineImage, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	img, ok := g.images[id]
	if ok && img.of != nil && img.cell != g.cell { // the font is another one now
		if again, _, err := g.encodeImage(id, img.of, img.cols, img.rows, g.cell); err == nil {
			img, g.images[id] = again, again
		}
	}
	return img, ok && img.draw != ""
}

// setCellSize says how large cells are now, in pixels; zero: it is not known.
func (g *Inline) setCellSize(cell image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cell.X > 0 && cell.Y > 0 {
		g.cell = cell
	}
}

// encodeSixel draws a picture from the cursor on.
func encodeSixel(img image.Image) string {
	return ansi.SixelGraphics(0, 1, 0, appendSixels(nil, reduceColours(img)))
}

// encodeITerm2 draws a picture from the cursor on, as large as it goes into cols by rows cells.
func encodeITerm2(img image.Image, cols, rows int) (string, error) {
	data, err := encodePNG(img)
	if err != nil {
		return "", err
	}
	return ansi.ITerm2(iterm2.File{
		Size: int64(len(data)), Width: iterm2.Cells(cols), Height: iterm2.Cells(rows), Inline: true, DoNotMoveCursor: true,
		Content: []byte(base64.StdEncoding.EncodeToString(data)),
	}), nil
}
