package widget

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// MostBar is how wide a bar is useful: a longer one tells no more, and leads the
// eye away from its number.
const MostBar = 40

// drawFilled draws share of width cells to half a cell, thinner than a row, so
// that the bars of neighbouring rows stay apart. A share that is not nothing
// shows at least half a cell, and one that is not all leaves as much.
func drawFilled(width int, share float64) (bar string, cells int) {
	if width <= 0 {
		return "", 0
	}
	n := int(math.Round(clampShare(share) * float64(width*2)))
	switch {
	case n == 0 && share > 0:
		n = 1
	case n == width*2 && share < 1:
		n--
	}
	return strings.Repeat("━", n/2) + strings.Repeat("╸", n%2), n/2 + n%2
}

func clampShare(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return max(0, min(1, f))
}

// DrawBar draws how much of something is done, in width cells.
func (t *Theme) DrawBar(width int, share float64) string {
	return t.DrawBarIn(t.BarFull, width, share)
}

// DrawBarIn draws Bar in a style of its own.
func (t *Theme) DrawBarIn(style CachedStyle, width int, share float64) string {
	width = max(width, 0)
	bar, n := drawFilled(width, share)
	return style.Render(bar) + t.BarEmpty.Render(strings.Repeat("─", width-n))
}

// DrawInterval draws a value between 0 and 1 with its interval in width cells: a
// bar up to the interval, which stands in brackets as in its number.
func (t *Theme) DrawInterval(width int, low, value, high float64) string {
	if width <= 0 {
		return ""
	}
	at := func(f float64) int { return min(width-1, int(clampShare(f)*float64(width))) }
	l, v, h := at(low), at(value), at(high)
	var b strings.Builder
	for i := l; i <= h; i++ {
		b.WriteString(intervalMark(i, l, v, h))
	}
	return t.BarFull.Render(strings.Repeat("━", l)) + t.Strong.Render(b.String()) + t.BarEmpty.Render(strings.Repeat("·", max(0, width-h-1)))
}

func intervalMark(i, l, v, h int) string {
	switch i {
	case v:
		return "●"
	case l:
		return "["
	case h:
		return "]"
	}
	return "─"
}

// DrawAxis draws the scale under or over intervals that are width cells wide.
func (t *Theme) DrawAxis(width int) string {
	const half, full = "50 %", "100 %"
	switch {
	case width < 8:
		return strings.Repeat(" ", max(0, width))
	case width < 24:
		return t.Faint.Render("0" + strings.Repeat(" ", width-1-len(full)) + full)
	}
	left := width/2 - 1 - len(half)/2
	return t.Faint.Render("0" + strings.Repeat(" ", left) + half +
		strings.Repeat(" ", width-1-left-len(half)-len(full)) + full)
}

// stripStyles is s without styles.
func stripStyles(s string) string { return ansi.Strip(s) }
