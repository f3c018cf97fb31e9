package sitting

import "concord/eval"

// shot is a picture drawn at a size in cells.
type shot struct {
	hash       eval.PictureHash
	cols, rows int
}

// shot is the picture's drawing for a room of cols by rows.
func (p *Picture) shot(cols, rows int) shot {
	cols, rows = p.Image.Cells(cols, rows)
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
