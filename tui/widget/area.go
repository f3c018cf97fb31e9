package widget

import (
	"math"
	"strings"
)

// Area draws values over time as a filled area of width by height cells, the
// oldest at the left: floor is nothing, top a full column. A value stands until
// the next one. Without values, or between equal ends, it is empty.
func (t *Theme) Area(values []float64, floor, top float64, width, height int) []string {
	if width <= 0 || height <= 0 || len(values) == 0 || top <= floor {
		return Block(nil, max(0, width), max(0, height))
	}
	steps := len(levels) // of a cell
	full := make([]int, width)
	for x := range full {
		v := values[x*len(values)/width]
		if x == width-1 {
			v = values[len(values)-1]
		}
		share := clamp((v - floor) / (top - floor))
		full[x] = int(math.Round(share * float64(height*steps)))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		for _, n := range full {
			switch n -= (height - 1 - y) * steps; {
			case n <= 0:
				b.WriteByte(' ')
			default:
				b.WriteRune(levels[min(n, steps)-1])
			}
		}
		out[y] = t.BarFull.Render(b.String())
	}
	return out
}
