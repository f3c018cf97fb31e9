package term

import (
	"encoding/base64"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/kitty"
	"golang.org/x/image/draw"
)

// Inline has images stand beside text on a terminal that draws them from the
// cursor on: by sixels, by iTerm2's protocol, or by kitty's without
// placeholders. It gives lines of cells that belong to an image, as Graphics
// does, and writes nothing itself: the painter finds those cells in a frame and
// draws the image there. Its methods may be called by several goroutines.
type Inline struct {
	how  Images
	cell image.Point // in pixels
	most int         // pixels that a side of a sixel image may have

	mu     sync.Mutex
	next   uint32
	images map[uint32]inlineImage
}

// inlineImage is an image as it is sent.
type inlineImage struct {
	cols, rows int
	draw       string      // draws it from the cursor on
	erase      string      // removes it, where text over it does not
	of         image.Image // of sixels, which are of pixels; else nil
	cell       image.Point // that they are of
}

// NewInline makes it for a session's terminal. how is ImagesSixel, ImagesITerm2
// or ImagesPlaced.
func NewInline(s *Session, how Images) *Inline {
	return &Inline{how: how, cell: s.cellSize(), most: mostPixels(s.Brand), images: make(map[uint32]inlineImage)}
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
	g.next = g.next%(maxSide-1) + 1
	id := g.next
	_, taken := g.images[id]
	g.images[id] = inlineImage{}
	cell := g.cell
	g.mu.Unlock()
	if taken {
		return nil, 0, fmt.Errorf("%d images are kept, and no more can be", maxSide-1)
	}
	made, err := g.encodeImage(id, img, cols, rows, cell)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		delete(g.images, id)
		return nil, 0, err
	}
	g.images[id] = made
	return makeImageCells(int(id), cols, rows, "", ""), id, nil
}

func (g *Inline) encodeImage(id uint32, img image.Image, cols, rows int, cell image.Point) (inlineImage, error) {
	out := inlineImage{cols: cols, rows: rows}
	var err error
	switch g.how {
	case ImagesSixel:
		out.of, out.cell = img, cell
		out.draw = encodeSixel(scaleToFit(img, min(cols*cell.X, g.most), min(rows*cell.Y, g.most)/sixelRows*sixelRows))
	case ImagesITerm2:
		out.draw, err = encodeITerm2(img, cols, rows)
	default:
		var data []byte
		if data, err = encodePNG(img); err == nil {
			out.draw = strings.Join(transmitSequences(id, data, cols, rows, "C=1"), "")
			out.erase = DeleteSequence(id)
		}
	}
	return out, err
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

// DropImage forgets an image. The next frame has it no more.
func (g *Inline) DropImage(id uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.images, id)
}

func (g *Inline) getImage(id uint32) (inlineImage, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	img, ok := g.images[id]
	if ok && img.of != nil && img.cell != g.cell { // the font is another one now
		if again, err := g.encodeImage(id, img.of, img.cols, img.rows, g.cell); err == nil {
			img, g.images[id] = again, again
		}
	}
	return img, ok && img.draw != ""
}

// setCell says how large cells are now, in pixels; zero: it is not known.
func (g *Inline) setCell(cell image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cell.X > 0 && cell.Y > 0 {
		g.cell = cell
	}
}

// cellRun is cells of one row of an image that stand side by side in a line.
type cellRun struct {
	id       uint32
	row, col int // of the first one, in the image
	x, n     int // in the line, in cells
}

// splitImageRuns gives the runs of a line, and the text before each and behind the
// last one.
func splitImageRuns(line string) (runs []cellRun, texts []string) {
	x := 0
	for {
		at := strings.Index(line, placeholder)
		if at < 0 {
			return runs, append(texts, line)
		}
		texts = append(texts, line[:at])
		x += ansi.StringWidth(line[:at])
		run, rest := readFirstRun(line[at:])
		run.x = x
		x += run.n
		runs, line = append(runs, run), rest
	}
}

var (
	placeholder = string(kitty.Placeholder)
	diacritics  = func() map[rune]int {
		out := make(map[rune]int, maxSide)
		for i := range maxSide {
			out[kitty.Diacritic(i)] = i
		}
		return out
	}()
)

// readFirstRun reads the run that a line begins with, and gives the rest of it. Cells
// that belong to nothing are a run of the image 0, which there is not.
func readFirstRun(line string) (cellRun, string) {
	var run cellRun
	for {
		rest, ok := strings.CutPrefix(line, placeholder)
		if !ok {
			return run, line
		}
		var marks [3]int
		found := 0
		for i, c := range rest {
			n, ok := diacritics[c]
			if !ok || found == len(marks) {
				rest = rest[i:]
				break
			}
			marks[found] = n
			found++
			if i+len(string(c)) == len(rest) {
				rest = ""
				break
			}
		}
		cell := cellRun{id: uint32(marks[2]), row: marks[0], col: marks[1], n: 1} //nolint:gosec // under maxSide
		switch {
		case run.n == 0:
			run = cell
		case cell.id != run.id || cell.row != run.row || cell.col != run.col+run.n:
			return run, line
		default:
			run.n++
		}
		line = rest
	}
}

// encodeSixel draws a picture from the cursor on.
func encodeSixel(img image.Image) string {
	return ansi.SixelGraphics(0, 1, 0, appendSixels(nil, ditherImage(img)))
}

// encodeITerm2 draws a picture from the cursor on, as large as it goes into cols by
// rows cells.
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

// inlinePainter is what a painter knows of the images that stand at their cells
// on the screen. An image is drawn when all its cells are in a frame; where some
// are covered the others are blank. nil draws none.
type inlinePainter struct {
	images *Inline
	drawn  map[uint32]image.Rectangle // on the screen, in cells

	want  map[uint32]image.Rectangle // in the frame that is painted
	stale map[int]bool               // lines from which an image goes
}

// DrawInline has the painter draw images at their cells. It is called before the
// program runs.
func (p *Painter) DrawInline(g *Inline) {
	p.inline = &inlinePainter{images: g, drawn: make(map[uint32]image.Rectangle)}
}

// beginFrame compares a frame with what is drawn, and appends what removes the images
// that it has no more. known is whether the screen shows what was painted last.
func (ip *inlinePainter) beginFrame(out []byte, lines []string, width, height int, known bool) []byte {
	if ip == nil {
		return out
	}
	ip.want, ip.stale = ip.wholeImages(lines, width, height), make(map[int]bool)
	for id, at := range ip.drawn {
		if known && ip.want[id] == at {
			continue
		}
		if img, ok := ip.images.getImage(id); ok {
			out = append(out, img.erase...)
		} else if ip.images.how == ImagesPlaced {
			out = append(out, DeleteSequence(id)...)
		}
		delete(ip.drawn, id)
		for y := at.Min.Y; y < at.Max.Y; y++ {
			ip.stale[y] = true
		}
	}
	return out
}

// wholeImages are the images all cells of which are in a frame. None reaches the last
// line, on which a terminal would scroll.
func (ip *inlinePainter) wholeImages(lines []string, width, height int) map[uint32]image.Rectangle {
	type seen struct {
		at   image.Point
		rows int
	}
	found := make(map[uint32]seen)
	for y, line := range lines {
		if !strings.Contains(line, placeholder) {
			continue
		}
		runs, _ := splitImageRuns(line)
		for _, run := range runs {
			img, ok := ip.images.getImage(run.id)
			s := found[run.id]
			at := image.Pt(run.x, y-run.row)
			if ok && run.col == 0 && run.n == img.cols && (s.rows == 0 || s.at == at) {
				found[run.id] = seen{at, s.rows + 1}
			}
		}
	}
	out := make(map[uint32]image.Rectangle)
	screen := image.Rect(0, 0, width, height-1)
	for id, s := range found {
		img, ok := ip.images.getImage(id)
		at := image.Rectangle{s.at, s.at.Add(image.Pt(img.cols, img.rows))}
		if ok && s.rows == img.rows && at.In(screen) {
			out[id] = at
		}
	}
	return out
}

// appendLine appends a line with cells of images. Those of an image that is drawn
// already are passed over, all others are blank.
func (ip *inlinePainter) appendLine(out []byte, line string, y int) []byte {
	runs, texts := splitImageRuns(line)
	for i, run := range runs {
		out = append(out, texts[i]...)
		if _, ok := ip.drawn[run.id]; ok {
			out = append(out, ansi.CursorPosition(run.x+run.n+1, y+1)...)
		} else {
			out = append(out, strings.Repeat(" ", run.n)...)
		}
	}
	return append(append(out, ansi.EraseLineRight...), texts[len(runs)]...)
}

// appendImages appends the images that are not drawn yet.
func (ip *inlinePainter) appendImages(out []byte) []byte {
	if ip == nil {
		return out
	}
	for _, id := range slices.Sorted(maps.Keys(ip.want)) {
		if _, ok := ip.drawn[id]; ok {
			continue
		}
		if img, ok := ip.images.getImage(id); ok {
			at := ip.want[id]
			out = append(append(out, ansi.CursorPosition(at.Min.X+1, at.Min.Y+1)...), img.draw...)
			ip.drawn[id] = at
		}
	}
	return out
}
