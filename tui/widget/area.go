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

// densities are the marks of a heat, from hardly anything to nearly all.
var densities = [...]string{"░", "▒", "▓", "█"}

// Cool is the mark of what lies under the lowest step of a heat.
const Cool = "·"

// Shade is the mark of how high a value is: the shade of the highest step that
// it reaches, and Cool under the lowest. Its density says what a colour would,
// so that a matrix reads as heat without colours, too; the number stands beside
// it and not on it, so that it can be read.
func Shade(value float64, steps [4]float64) string {
	mark := Cool
	for i, from := range steps {
		if value >= from {
			mark = densities[i]
		}
	}
	return mark
}
