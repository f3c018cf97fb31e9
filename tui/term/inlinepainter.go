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

// inlinePainter is what a painter knows of the images that stand at their cells on the screen. An image is
// drawn when all its cells are in a frame; where some are covered the others are blank. nil draws none.
type inlinePainter struct {
	images *Inline
	drawn  map[uint32]drawnImage // on the screen

	want  map[uint32]image.Rectangle // in the frame that is painted
	over  map[uint32]bool            // of those, what is drawn over one of the same size
	stale map[int]bool               // lines from which an image goes
}

// drawnImage is an image on the screen, and what removes it.
type drawnImage struct {
	at    image.Rectangle // in cells
	size  image.Point
	erase string
}

// UseInline has the painter draw images at their cells. It is called before the program runs.
func (p *Painter) UseInline(g *Inline) {
	if g.how == ImagesPlaced {
		g.out = p
	}
	p.inline = &inlinePainter{images: g, drawn: make(map[uint32]drawnImage)}
}

// beginImageFrame compares a frame with what is drawn, and appends what removes the images
// that it has no more. known is whether the screen shows what was painted last.
func (ip *inlinePainter) beginImageFrame(out []byte, lines []string, width, height int, known bool) []byte {
	if ip == nil {
		return out
	}
	gone := ip.images.takeDroppedImages(known)
	ip.want, ip.over, ip.stale = ip.wholeImages(lines, width, height), make(map[uint32]bool), make(map[int]bool)
	for id, was := range ip.drawn {
		if known && ip.want[id] == was.at {
			continue
		}
		out = append(out, was.erase...)
		if was.erase == DeleteSequence(id) {
			ip.images.forgetSentImages()
		}
		delete(ip.drawn, id)
		ip.noteCoveringImage(was, known)
		for y := was.at.Min.Y; y < was.at.Max.Y; y++ {
			ip.stale[y] = true
		}
	}
	ip.images.freeIDs(gone)
	return out
}

// noteCoveringImage notes which image is drawn over one that goes and covers it. Blank cells between
// the two would be seen, and take a terminal half as long as the image.
func (ip *inlinePainter) noteCoveringImage(was drawnImage, known bool) {
	for id, at := range ip.want {
		if img, ok := ip.images.imageForCellSize(id); ok && known && at == was.at && img.size == was.size && ip.images.how != ImagesITerm2 {
			ip.over[id] = true
		}
	}
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
			img, ok := ip.images.imageForCellSize(run.id)
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
		img, ok := ip.images.imageForCellSize(id)
		at := image.Rectangle{s.at, s.at.Add(image.Pt(img.cols, img.rows))}
		if ok && s.rows == img.rows && at.In(screen) {
			out[id] = at
		}
	}
	return out
}

// appendLine appends a line with cells of images. Those of an image that is drawn already, or
// over another one, are passed over, all others are blank.
func (ip *inlinePainter) appendLine(out []byte, line string, y int) []byte {
	runs, texts := splitImageRuns(line)
	for i, run := range runs {
		out = append(out, texts[i]...)
		if _, ok := ip.drawn[run.id]; ok || ip.over[run.id] {
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
		if img, ok := ip.images.imageForCellSize(id); ok {
			at := ip.want[id]
			spot := at.Min.Add(img.inset)
			out = ip.images.appendDrawing(append(out, ansi.CursorPosition(spot.X+1, spot.Y+1)...), id)
			ip.drawn[id] = drawnImage{at, img.size, img.erase}
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

// mostColours is how many colours a picture of sixels has: as many as terminals have at least.
const mostColours = 256

// colourBin is the pixels of a picture whose red, green and blue have the same five upper bits.
type colourBin struct {
	n   int
	sum [3]int
}

func (b colourBin) mean(channel int) int { return b.sum[channel] / b.n }

func colourBinIndex(r, g, b uint8) int { return int(r)>>3<<10 | int(g)>>3<<5 | int(b)>>3 }

// colourBox is bins that have one colour between them.
type colourBox struct {
	bins    []colourBin
	channel int     // in which they differ most
	spread  float64 // how much: the sum of squares from the mean
	colour  color.RGBA
}

func newColourBox(bins []colourBin) colourBox {
	out := colourBox{bins: bins}
	var mean [3]uint8
	for i := range mean {
		var n, sum, squares int
		for _, b := range bins {
			n, sum, squares = n+b.n, sum+b.sum[i], squares+b.sum[i]*b.mean(i)
		}
		mean[i] = uint8(sum / n) //nolint:gosec // a mean of bytes
		if spread := float64(squares) - float64(sum)*float64(sum)/float64(n); spread > out.spread {
			out.channel, out.spread = i, spread
		}
	}
	out.colour = color.RGBA{mean[0], mean[1], mean[2], 255}
	return out
}

// split divides a box at its mean, so that both halves hold something.
func (box colourBox) split() (colourBox, colourBox) {
	i := box.channel
	slices.SortFunc(box.bins, func(a, b colourBin) int { return cmp.Compare(a.mean(i), b.mean(i)) })
	at := [3]uint8{box.colour.R, box.colour.G, box.colour.B}[i]
	half := slices.IndexFunc(box.bins, func(b colourBin) bool { return b.mean(i) > int(at) })
	return newColourBox(box.bins[:half]), newColourBox(box.bins[half:])
}

// reduceColours is a picture in the colours that lie nearest to its own: what differs most is divided
// first. Nothing is dithered: woven of two others, a flat area looks like a texture and a thin line is
// torn; and a terminal takes longer for it. The encoder's own choice takes seconds on a large picture.
func reduceColours(of image.Image) *image.Paletted {
	b := of.Bounds()
	img := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(img, img.Rect, of, b.Min, draw.Src)
	bins := make([]colourBin, 1<<15)
	for pix := img.Pix; len(pix) > 0; pix = pix[4:] {
		bin := &bins[colourBinIndex(pix[0], pix[1], pix[2])]
		bin.n++
		for i := range bin.sum {
			bin.sum[i] += int(pix[i])
		}
	}
	boxes := []colourBox{newColourBox(slices.DeleteFunc(bins, func(b colourBin) bool { return b.n == 0 }))}
	for len(boxes) < mostColours {
		widest := 0
		for i := range boxes {
			if boxes[i].spread > boxes[widest].spread {
				widest = i
			}
		}
		if boxes[widest].spread < 1 {
			break
		}
		a, b := boxes[widest].split()
		boxes[widest], boxes = a, append(boxes, b)
	}
	out := image.NewPaletted(img.Rect, nil)
	var numbers [1 << 15]uint8
	for i, box := range boxes {
		out.Palette = append(out.Palette, box.colour)
		for _, b := range box.bins {
			numbers[colourBinIndex(uint8(b.mean(0)), uint8(b.mean(1)), uint8(b.mean(2)))] = uint8(i) //nolint:gosec // means of bytes
		}
	}
	for i := range out.Pix {
		out.Pix[i] = numbers[colourBinIndex(img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2])]
	}
	return out
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
		out = fmt.Appendf(out, "#%d;2;%d;%d;%d", i, toHundredths(r), toHundredths(g), toHundredths(b))
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

// toHundredths is a share of 16 bits in hundredths, as sixels have colours.
func toHundredths(v uint32) uint32 { return (v*100 + 0x7fff) / 0xffff }

// appendSixelRow appends the sixels of one colour, repeated ones by their number, and none behind the last.
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
