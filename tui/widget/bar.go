package widget

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// eighths are the parts of a cell from the left, without and with all of it.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// blocks draws share of width cells to an eighth of a cell. A share that is
// not nothing shows at least an eighth, and one that is not all leaves one.
func blocks(width int, share float64) (bar string, cells int) {
	if width <= 0 {
		return "", 0
	}
	n := int(math.Round(clamp(share) * float64(width*8)))
	if n == 0 && share > 0 {
		n = 1
	}
	if n == width*8 && share < 1 {
		n--
	}
	if n == 0 {
		return "", 0
	}
	bar = strings.Repeat("█", n/8) + eighths[n%8]
	return bar, Width(bar)
}

func clamp(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return max(0, min(1, f))
}

// Bar draws how much of something is done, in width cells.
func (t *Theme) Bar(width int, share float64) string {
	return t.BarOf(t.BarFull, width, share)
}

// BarOf is Bar in a style of its own.
func (t *Theme) BarOf(style CachedStyle, width int, share float64) string {
	width = max(width, 0)
	bar, n := blocks(width, share)
	return style.Render(bar) + t.BarEmpty.Render(strings.Repeat("─", width-n))
}

// Interval draws a value between 0 and 1 with its interval in width cells: a
// bar up to the value and, over it, whiskers from low to high.
func (t *Theme) Interval(width int, low, value, high float64) string {
	if width <= 0 {
		return ""
	}
	at := func(f float64) int { return min(width-1, int(clamp(f)*float64(width))) }
	l, v, h := at(low), at(value), at(high)
	var b strings.Builder
	for i := l; i <= h; i++ {
		b.WriteString(whisker(i, l, v, h))
	}
	return t.BarFull.Render(strings.Repeat("█", l)) + t.Strong.Render(b.String()) + t.BarEmpty.Render(strings.Repeat("·", max(0, width-h-1)))
}

func whisker(i, l, v, h int) string {
	switch i {
	case v:
		return "●"
	case l:
		return "├"
	case h:
		return "┤"
	}
	return "─"
}

// Axis is the scale under or over intervals that are width cells wide.
func (t *Theme) Axis(width int) string {
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

// plainText is s without styles.
func plainText(s string) string { return ansi.Strip(s) }
