package term

import (
	"image"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

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

// begin compares a frame with what is drawn, and appends what removes the images
// that it has no more. known is whether the screen shows what was painted last.
func (ip *inlinePainter) begin(out []byte, lines []string, width, height int, known bool) []byte {
	if ip == nil {
		return out
	}
	ip.want, ip.stale = ip.whole(lines, width, height), make(map[int]bool)
	for id, at := range ip.drawn {
		if known && ip.want[id] == at {
			continue
		}
		if img, ok := ip.images.get(id); ok {
			out = append(out, img.erase...)
		} else if ip.images.how == ImagesPlaced {
			out = append(out, Delete(id)...)
		}
		delete(ip.drawn, id)
		for y := at.Min.Y; y < at.Max.Y; y++ {
			ip.stale[y] = true
		}
	}
	return out
}

// whole are the images all cells of which are in a frame. None reaches the last
// line, on which a terminal would scroll.
func (ip *inlinePainter) whole(lines []string, width, height int) map[uint32]image.Rectangle {
	type seen struct {
		at   image.Point
		rows int
	}
	found := make(map[uint32]seen)
	for y, line := range lines {
		if !strings.Contains(line, placeholder) {
			continue
		}
		runs, _ := imageRuns(line)
		for _, run := range runs {
			img, ok := ip.images.get(run.id)
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
		img, ok := ip.images.get(id)
		at := image.Rectangle{s.at, s.at.Add(image.Pt(img.cols, img.rows))}
		if ok && s.rows == img.rows && at.In(screen) {
			out[id] = at
		}
	}
	return out
}

// leaves reports whether an image goes from a line, which is written anew then.
func (ip *inlinePainter) leaves(y int) bool { return ip != nil && ip.stale[y] }

// holds reports whether a line has cells of images.
func (ip *inlinePainter) holds(line string) bool {
	return ip != nil && strings.Contains(line, placeholder)
}

// line appends a line with cells of images. Those of an image that is drawn
// already are passed over, all others are blank.
func (ip *inlinePainter) line(out []byte, line string, y int) []byte {
	runs, texts := imageRuns(line)
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

// end appends the images that are not drawn yet.
func (ip *inlinePainter) end(out []byte) []byte {
	if ip == nil {
		return out
	}
	for _, id := range slices.Sorted(maps.Keys(ip.want)) {
		if _, ok := ip.drawn[id]; ok {
			continue
		}
		if img, ok := ip.images.get(id); ok {
			at := ip.want[id]
			out = append(append(out, ansi.CursorPosition(at.Min.X+1, at.Min.Y+1)...), img.draw...)
			ip.drawn[id] = at
		}
	}
	return out
}
