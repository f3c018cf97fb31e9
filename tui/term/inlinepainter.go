package term

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// inlinePainter is what a painter knows of the images that stand at their cells
// on the screen. An image is drawn when all its cells are in a frame; where some
// are covered the others are blank. nil draws none.
type inlinePainter struct {
	images *Inline
	drawn  map[uint32]drawnImage // on the screen

	want  map[uint32]image.Rectangle // in the frame that is painted
	stale map[int]bool               // lines from which an image goes
}

// drawnImage is an image on the screen, and what removes it.
type drawnImage struct {
	at    image.Rectangle // in cells
	erase string
}

// DrawInline has the painter draw images at their cells. It is called before the program runs.
func (p *Painter) DrawInline(g *Inline) {
	if g.how == ImagesPlaced {
		g.out = p
	}
	p.inline = &inlinePainter{images: g, drawn: make(map[uint32]drawnImage)}
}

// beginFrame compares a frame with what is drawn, and appends what removes the images
// that it has no more. known is whether the screen shows what was painted last.
func (ip *inlinePainter) beginFrame(out []byte, lines []string, width, height int, known bool) []byte {
	if ip == nil {
		return out
	}
	gone := ip.images.beginFrame(known)
	ip.want, ip.stale = ip.wholeImages(lines, width, height), make(map[int]bool)
	for id, was := range ip.drawn {
		if known && ip.want[id] == was.at {
			continue
		}
		out = append(out, was.erase...)
		if was.erase == DeleteSequence(id) {
			ip.images.loseSent()
		}
		delete(ip.drawn, id)
		for y := was.at.Min.Y; y < was.at.Max.Y; y++ {
			ip.stale[y] = true
		}
	}
	ip.images.freeIDs(gone)
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
			out = ip.images.appendDrawing(append(out, ansi.CursorPosition(at.Min.X+1, at.Min.Y+1)...), id)
			ip.drawn[id] = drawnImage{at, img.erase}
		}
	}
	return out
}

// cellRun is cells of one row of an image that stand side by side in a line.
type cellRun struct {
	id       uint32
	row, col int // of the first one, in the image
	x, n     int // in the line, in cells
}

// splitImageRuns gives the runs of a line, and the text before each and behind the last one.
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

// shades are how many of red, green and blue a palette has: 180 colours, and those of
// flat areas beside them, as 256 is what sixel terminals have at least. The encoder's
// own choice of colours takes seconds on a large picture.
var shades = [3]int{6, 6, 5}

func newCubePalette() color.Palette {
	var out color.Palette
	for r := range shades[0] {
		for g := range shades[1] {
			for b := range shades[2] {
				out = append(out, color.RGBA{
					uint8(r * 255 / (shades[0] - 1)), uint8(g * 255 / (shades[1] - 1)), uint8(b * 255 / (shades[2] - 1)), 255,
				})
			}
		}
	}
	return out
}

// bayer is the matrix of ordered dithering, 4 by 4.
var bayer = [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// ditherImage is a picture in the colours of the cube, and flat areas in their own: woven
// of two others they would look like a texture.
func ditherImage(of image.Image) *image.Paletted {
	b := of.Bounds()
	img, ok := of.(*image.RGBA)
	if !ok {
		img = image.NewRGBA(b)
		draw.Draw(img, b, of, b.Min, draw.Src)
	}
	colours := newCubePalette()
	own := make(map[[3]uint8]uint8)
	for _, c := range findFlatColours(img, 256-len(colours)) {
		own[c] = uint8(len(colours)) //nolint:gosec // at most 255
		colours = append(colours, color.RGBA{c[0], c[1], c[2], 255})
	}
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), colours)
	for y := range b.Dy() {
		var last [3]uint8
		var flat uint8
		ok := false
		for x := range b.Dx() {
			c := colourAt(img, b.Min.X+x, b.Min.Y+y)
			if c != last || x == 0 {
				flat, ok = own[c]
				last = c
			}
			if ok {
				out.Pix[y*out.Stride+x] = flat
				continue
			}
			at := 0
			for i, v := range c {
				steps := shades[i] - 1
				at = at*shades[i] + min(steps, (int(v)*steps*16+bayer[y%4][x%4]*255)/(255*16))
			}
			out.Pix[y*out.Stride+x] = uint8(at) //nolint:gosec // in the cube
		}
	}
	return out
}

func colourAt(img *image.RGBA, x, y int) [3]uint8 {
	i := img.PixOffset(x, y)
	return [3]uint8(img.Pix[i : i+3])
}

// sparse is how far apart the pixels are that flat colours are found by.
const sparse = 3

// findFlatColours finds the colours that stand in one of 500 pixels or more, the most frequent first.
func findFlatColours(img *image.RGBA, most int) [][3]uint8 {
	counts, n, b := make(map[[3]uint8]int), 0, img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += sparse {
		for x := b.Min.X; x < b.Max.X; x += sparse {
			counts[colourAt(img, x, y)]++
			n++
		}
	}
	maps.DeleteFunc(counts, func(_ [3]uint8, k int) bool { return k*500 < n })
	out := slices.SortedFunc(maps.Keys(counts), func(a, b [3]uint8) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), slices.Compare(a[:], b[:]))
	})
	return out[:min(len(out), most)]
}

// sixelRows is how many rows of pixels a sixel has.
const sixelRows = 6

// appendSixels appends an image as sixels: its size, its colours, and a band of rows
// at a time, one colour after the other. The encoder of x/ansi asks of each pixel by
// its colour which one it is, and takes six times as long.
func appendSixels(out []byte, img *image.Paletted) []byte {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	out = fmt.Appendf(out, "\"1;1;%d;%d", width, height)
	for i, c := range img.Palette {
		r, g, b, _ := c.RGBA()
		out = fmt.Appendf(out, "#%d;2;%d;%d;%d", i, percent(r), percent(g), percent(b))
	}
	bits := make([]byte, len(img.Palette)*width)
	for top := 0; top < height; top += sixelRows {
		var used [256]bool
		clear(bits)
		for y := top; y < min(top+sixelRows, height); y++ {
			for x, c := range img.Pix[y*img.Stride : y*img.Stride+width] {
				bits[int(c)*width+x] |= 1 << (y - top)
				used[c] = true
			}
		}
		next := byte('-') // a line of sixels down
		for c := range img.Palette {
			if !used[c] {
				continue
			}
			if top > 0 || next == '$' {
				out = append(out, next)
			}
			next = '$' // back to its beginning
			out = strconv.AppendInt(append(out, '#'), int64(c), 10)
			out = appendSixelRow(out, bits[c*width:(c+1)*width])
		}
	}
	return out
}

// percent is a share of 16 bits in hundredths, as sixels have colours.
func percent(v uint32) uint32 { return (v*100 + 0x7fff) / 0xffff }

// appendSixelRow appends the sixels of one colour, repeated ones by their number, and
// none behind the last.
func appendSixelRow(out, row []byte) []byte {
	end := len(row)
	for end > 0 && row[end-1] == 0 {
		end--
	}
	for from := 0; from < end; {
		n := 1
		for from+n < end && row[from+n] == row[from] {
			n++
		}
		c := '?' + row[from]
		if from += n; n > 3 {
			out = append(strconv.AppendInt(append(out, '!'), int64(n), 10), c)
		} else {
			out = append(out, slices.Repeat([]byte{c}, n)...)
		}
	}
	return out
}
