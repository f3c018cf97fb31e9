package widget

import (
	"math"
	"strings"
)

// levels are the heights of a sparkline's columns; the first is nothing.
var levels = [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// Heights draws shares from 0 to 1 side by side, one cell each: a full cell is
// 1. The one at index here stands out, by more than its colour; -1 for none.
func (t *Theme) Heights(shares []float64, here int) string {
	var b strings.Builder
	for i, v := range shares {
		level := 0
		if v = clamp(v); v > 0 {
			level = max(1, min(len(levels)-2, int(v*float64(len(levels)-1)))) // the top is for all of it
		}
		if v == 1 {
			level = len(levels) - 1
		}
		cell := string(levels[level])
		if i == here {
			b.WriteString(t.Accent.Render("‹") + t.Strong.Render(cell) + t.Accent.Render("›"))
			continue
		}
		b.WriteString(t.BarFull.Render(cell))
	}
	return b.String()
}

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
