package review

import (
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// ahead is how many items are kept at hand: the one in front and the next.
const ahead = 5

// kept is how many items stay in memory, with their pictures.
const kept = 8

// page is an item as it was read, with its pictures decoded and its answer
// laid out.
type page struct {
	item     annotate.Item
	choices  []choice
	pictures []picture
	text     *widget.Text // the answer, for the width of its pane
	blank    string       // what to say of an answer that shows nothing
	err      error

	placed   sizes // the size that geometry is for
	geometry geometry
}

// picture is a picture of an item, or why it cannot be shown.
type picture struct {
	hash  eval.PictureHash
	name  string
	image *widget.Picture
	err   error
}

// pages are the items at hand, the one used last at the end.
type pages struct {
	byIndex map[int]*page
	order   []int
	coming  map[int]bool
}

func newPages() pages {
	return pages{byIndex: make(map[int]*page), coming: make(map[int]bool)}
}

func (p *pages) get(index int) *page { return p.byIndex[index] }

// use marks an item as needed, and returns it.
func (p *pages) use(index int) *page {
	pg, ok := p.byIndex[index]
	if ok {
		p.last(index)
	}
	return pg
}

func (p *pages) put(index int, pg *page) {
	delete(p.coming, index)
	p.byIndex[index] = pg
	p.last(index)
}

// trim forgets the items that were used longest ago, but none that is wanted:
// what was asked for may come late and in any order.
func (p *pages) trim(wanted []int) {
	for i := 0; i < len(p.order) && len(p.order) > kept; {
		if index := p.order[i]; !slices.Contains(wanted, index) {
			delete(p.byIndex, index)
			p.order = slices.Delete(p.order, i, i+1)
			continue
		}
		i++
	}
}

func (p *pages) last(index int) {
	p.order = append(slices.DeleteFunc(p.order, func(i int) bool { return i == index }), index)
}

// retry forgets an item that could not be read, so that it is read again.
func (p *pages) retry(index int) {
	if pg := p.byIndex[index]; pg != nil && pg.err != nil {
		delete(p.byIndex, index)
		p.order = slices.DeleteFunc(p.order, func(i int) bool { return i == index })
	}
}

// index puts a text that was laid out to its end in the place of the one that
// was not.
func (p *pages) index(msg indexed) {
	if pg := p.byIndex[msg.index]; pg != nil && pg.text != nil && pg.text.Width() == msg.text.Width() {
		pg.text = msg.text
	}
}

// shot is a picture drawn at a size in cells.
type shot struct {
	hash       eval.PictureHash
	cols, rows int
}

// shot is the picture's drawing for a room of cols by rows.
func (p *picture) shot(cols, rows int) shot {
	cols, rows = p.image.Cells(cols, rows)
	return shot{p.hash, cols, rows}
}

// shots are the drawn pictures, the newest at the end. The profile is that of
// the theme, and one for all.
type shots struct {
	lines  map[shot][]string
	order  []shot
	coming map[shot]bool
}

// maxShots bounds the drawings kept: a full-screen one takes 150 kB.
const maxShots = 48

func newShots() shots {
	return shots{lines: make(map[shot][]string), coming: make(map[shot]bool)}
}

func (s *shots) put(k shot, lines []string) {
	delete(s.coming, k)
	if _, ok := s.lines[k]; !ok {
		s.order = append(s.order, k)
	}
	s.lines[k] = lines
	for len(s.order) > maxShots {
		delete(s.lines, s.order[0])
		s.order = s.order[1:]
	}
}

// near is a drawing that can stand in for one that is not there yet: as wide
// at most, and hardly higher, as when a notice takes a line of the screen.
func (s *shots) near(want shot) []string {
	var best shot
	for k := range s.lines {
		if k.hash == want.hash && k.cols <= want.cols+4 && k.rows <= want.rows+2 && k.rows > best.rows {
			best = k
		}
	}
	lines := s.lines[best]
	return lines[:min(len(lines), want.rows)]
}
