package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"concord/eval/stat"
)

// BarGroup is a group of rates drawn one below the other.
type BarGroup struct {
	Title string
	lines []barLine
	left  []string // what has no bar, and why
}

type barLine struct {
	name     string
	rate     stat.Rate
	baseline stat.Rate
}

// Add draws a rate below the others, or says why it has none.
func (b *BarGroup) Add(name string, rate, baseline stat.Rate) {
	if rate.N == 0 {
		b.left = append(b.left, name+": "+rate.Undefined)
		return
	}
	b.lines = append(b.lines, barLine{name, rate, baseline})
}

// BarChart draws the groups for a terminal of some width; nothing where there is no
// room.
func BarChart(all []BarGroup, width int) []byte {
	const (
		indent, gap = 2, 2
		least, most = 16, 60
		longest     = 32
	)
	name, figure := 0, 0
	for _, g := range all {
		for _, l := range g.lines {
			name = max(name, uniseg.StringWidth(Short(visible(l.name))))
			figure = max(figure, len(barFigure(l.rate)))
		}
	}
	name = min(name, longest)
	wide := min(most, width-indent-name-figure-2*gap)
	if name == 0 || wide < least {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", indent+name+gap), scaleOf(wide))
	for _, g := range all {
		fmt.Fprintf(&b, "%s\n", visible(g.Title))
		for _, l := range g.lines {
			label := fitted(visible(l.name), name)
			fmt.Fprintf(&b, "%*s%s  %s  %s\n", indent, "", label, whiskers(&l, wide), barFigure(l.rate))
		}
		for _, s := range g.left {
			fmt.Fprintf(&b, "%*sleft out: %s\n", indent, "", visible(s))
		}
	}
	b.WriteString("├─●─┤ the alignment and its interval, ▽ always people's most frequent class (▼ the same as the alignment)\n")
	return b.Bytes()
}

func barFigure(r stat.Rate) string { return Percent(r.Value) + "%  n " + Grouped(r.N) }

// fitted is a name in so many cells.
func fitted(s string, width int) string {
	for uniseg.StringWidth(s) > width {
		r := []rune(strings.TrimSuffix(s, "…"))
		s = string(r[:len(r)-1]) + "…"
	}
	return s + strings.Repeat(" ", width-uniseg.StringWidth(s))
}

func scaleOf(width int) string {
	return "0" + strings.Repeat(" ", width/2-3) + "50%" + strings.Repeat(" ", width-width/2-5) + "100%"
}

// whiskers draws a rate with its interval and its baseline.
func whiskers(l *barLine, width int) string {
	at := func(v float64) int { return min(width-1, int(v*float64(width))) }
	low, value, high := at(l.rate.Low), at(l.rate.Value), at(l.rate.High)
	cells := make([]rune, width)
	for i := range cells {
		switch {
		case i < low:
			cells[i] = '█'
		case i > high:
			cells[i] = '·'
		default:
			cells[i] = '─'
		}
	}
	cells[low], cells[high] = '├', '┤'
	cells[value] = '●'
	if l.baseline.N > 0 {
		mark := '▽'
		if at(l.baseline.Value) == value {
			mark = '▼'
		}
		cells[at(l.baseline.Value)] = mark
	}
	return string(cells)
}
