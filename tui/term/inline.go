package term

import (
	"fmt"
	"image"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
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

	mu     sync.Mutex
	next   uint32
	images map[uint32]inlineImage
}

// inlineImage is an image as it is sent.
type inlineImage struct {
	cols, rows int
	draw       string // draws it from the cursor on
	erase      string // removes it, where text over it does not
}

// NewInline makes it for a session's terminal. how is ImagesSixel, ImagesITerm2
// or ImagesPlaced.
func NewInline(s *Session, how Images) *Inline {
	return &Inline{how: how, cell: s.cellSize(), images: make(map[uint32]inlineImage)}
}

// Size is the resolution of a room of cols by rows cells.
func (g *Inline) Size(cols, rows int) (width, height int) { return cols * g.cell.X, rows * g.cell.Y }

// Place takes an image, and gives the lines in the place of which it shows.
func (g *Inline) Place(img image.Image, cols, rows int) ([]string, uint32, error) {
	if cols < 1 || rows < 1 || cols > maxSide || rows > maxSide {
		return nil, 0, errSide(cols, rows)
	}
	g.mu.Lock()
	g.next = g.next%(maxSide-1) + 1
	id := g.next
	_, taken := g.images[id]
	g.images[id] = inlineImage{}
	g.mu.Unlock()
	if taken {
		return nil, 0, fmt.Errorf("%d images are kept, and no more can be", maxSide-1)
	}
	made, err := g.encode(id, img, cols, rows)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		delete(g.images, id)
		return nil, 0, err
	}
	g.images[id] = made
	return imageCells(int(id), cols, rows, "", ""), id, nil
}

func (g *Inline) encode(id uint32, img image.Image, cols, rows int) (inlineImage, error) {
	out := inlineImage{cols: cols, rows: rows}
	var err error
	switch g.how {
	case ImagesSixel:
		out.draw, err = asSixel(scaled(img, cols*g.cell.X, rows*g.cell.Y/sixelRows*sixelRows))
	case ImagesITerm2:
		out.draw, err = asITerm2(img, cols, rows)
	default:
		var data []byte
		if data, err = asPNG(img); err == nil {
			out.draw = strings.Join(transmit(id, data, cols, rows, "C=1"), "")
			out.erase = Delete(id)
		}
	}
	return out, err
}

// sixelRows is how many rows of pixels a sixel has.
const sixelRows = 6

// scaled is an image as large as it goes into width by height pixels.
func scaled(img image.Image, width, height int) image.Image {
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

// Drop forgets an image. The next frame has it no more.
func (g *Inline) Drop(id uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.images, id)
}

func (g *Inline) get(id uint32) (inlineImage, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	img, ok := g.images[id]
	return img, ok && img.draw != ""
}

// cellRun is cells of one row of an image that stand side by side in a line.
type cellRun struct {
	id       uint32
	row, col int // of the first one, in the image
	x, n     int // in the line, in cells
}

// imageRuns are the runs of a line, and the text before each and behind the
// last one.
func imageRuns(line string) (runs []cellRun, texts []string) {
	x := 0
	for {
		at := strings.Index(line, placeholder)
		if at < 0 {
			return runs, append(texts, line)
		}
		texts = append(texts, line[:at])
		x += ansi.StringWidth(line[:at])
		run, rest := firstRun(line[at:])
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

// firstRun reads the run that a line begins with, and gives the rest of it. Cells
// that belong to nothing are a run of the image 0, which there is not.
func firstRun(line string) (cellRun, string) {
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
