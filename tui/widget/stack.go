package widget

import (
	"strings"
)

// Part is one part of a stacked bar. Its Glyph fills it, so that parts are told
// apart without colours.
type Part struct {
	N     int
	Glyph string // one cell
	Style Ink
}

// Stack draws parts side by side in width cells, each as wide as its share. A
// part that is not nothing has a cell, and its number stands in it where there
// is room.
func (t *Theme) Stack(width int, parts ...Part) string {
	var out strings.Builder
	cells := share(width, parts)
	for i, p := range parts {
		number := " " + Count(p.N) + " "
		fill := cells[i] - Width(number)
		if fill < 2 {
			out.WriteString(p.Style.Render(strings.Repeat(p.Glyph, cells[i])))
			continue
		}
		out.WriteString(p.Style.Render(strings.Repeat(p.Glyph, fill/2)))
		out.WriteString(t.Strong.Render(number))
		out.WriteString(p.Style.Render(strings.Repeat(p.Glyph, fill-fill/2)))
	}
	if Width(out.String()) == 0 {
		return t.BarEmpty.Render(strings.Repeat("·", max(0, width)))
	}
	return out.String()
}

// share gives each part its cells: one to each that is not nothing, and the
// rest by what they lack most of their share.
func share(width int, parts []Part) []int {
	cells := make([]int, len(parts))
	total, left := 0, max(0, width)
	for i, p := range parts {
		total += max(0, p.N)
		if p.N > 0 && left > 0 {
			cells[i] = 1
			left--
		}
	}
	for ; total > 0 && left > 0; left-- {
		best, lack := 0, -1.0
		for i, p := range parts {
			if is := float64(max(0, p.N))*float64(width)/float64(total) - float64(cells[i]); p.N > 0 && is > lack {
				best, lack = i, is
			}
		}
		cells[best]++
	}
	return cells
}
