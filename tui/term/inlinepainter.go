package term

import (
	"image"
	"maps"
	"slices"
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

// DrawInline has the painter draw images at their cells. It is called before the
// program runs.
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
