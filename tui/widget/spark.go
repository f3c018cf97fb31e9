package widget

import (
	"math"
	"strings"
)

// levels are the heights of a sparkline's columns; the first is nothing.
var levels = [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// Spark draws the last values, one cell each, the newest at the right: the
// highest of them is a full cell. It is exactly width cells wide.
func (t *Theme) Spark(width int, values []float64) string {
	if width <= 0 {
		return ""
	}
	values = values[max(0, len(values)-width):]
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		level := 0
		if top > 0 && v > 0 {
			level = max(1, int(math.Round(v/top*float64(len(levels)-1))))
		}
		b.WriteRune(levels[level])
	}
	return strings.Repeat(" ", width-len(values)) + t.BarFull.Render(b.String())
}
