package report

import (
	"strings"

	"concord/eval"
	"concord/eval/metric"
	"concord/tui/widget"
)

// line is one line of a view: a figure, or a word in its place.
type line struct {
	id     string // the same after figures were computed again
	run    eval.RunID
	depth  int
	name   string
	label  string // which figure of the name it is
	rate   metric.Rate
	note   string // stands in the rate's place; "" when there is a rate
	parent bool   // there are lines below it
	open   bool   // and they are shown
	behind OpenSamples
	beside func() [][2]string // names and texts of what is said beside the figure
}

// barLeast is the narrowest bar that says something.
const barLeast = 10

// measures are the widths of the columns of a view.
type measures struct{ name, label, bar int }

const (
	rateWidth  = 22 // "100.0 % [100.0, 100.0]"
	countWidth = 17 // "123,456/1,234,567"
)

// measure shares the width out: names and bars take what is left.
func measure(lines []line, width int) measures {
	m := measures{name: 12, label: 0}
	for i := range lines {
		l := &lines[i]
		m.name = max(m.name, 2*l.depth+2+widget.Width(l.name))
		m.label = max(m.label, widget.Width(l.label))
	}
	rest := width - 2 - m.label - 2 - rateWidth - 2 - countWidth - 2 - 2
	if rest < m.name+barLeast {
		rest += countWidth - countNarrow
	}
	m.name = min(m.name, max(14, rest-barLeast-2), max(14, rest/2))
	m.bar = min(100, rest-m.name-2)
	if m.bar < barLeast {
		m.bar = 0
	}
	return m
}

// countNarrow is the width of the counts where room is short: n alone.
const countNarrow = 9

func (m measures) count(width int) int {
	if m.name+m.label+m.bar+rateWidth+countWidth+10 > width {
		return countNarrow
	}
	return countWidth
}

// draw draws the line.
func (l *line) draw(t *widget.Theme, m measures, width int, here bool) string {
	mark := "  "
	switch {
	case l.parent && l.open:
		mark = "▾ "
	case l.parent:
		mark = "▸ "
	}
	name, label := t.Text, t.Faint
	if here {
		name, label = t.Strong, t.Strong
	}
	out := widget.Fit(strings.Repeat("  ", l.depth)+t.Faint.Render(mark)+name.Render(l.name), m.name) +
		"  " + label.Render(widget.Fit(l.label, m.label)) + "  "
	if l.note != "" {
		return widget.Fit(out+t.Faint.Render(l.note), width)
	}
	if l.rate.N == 0 {
		why := l.rate.Undefined
		if why == "" {
			why = "nothing to count"
		}
		return widget.Fit(out+t.Faint.Render("– "+widget.Line(why)), width)
	}
	cw := m.count(width)
	out += right(rateText(l.rate), rateWidth) + "  " + t.Faint.Render(right(countText(l.rate, cw), cw))
	if m.bar > 0 {
		out += "  " + t.Interval(m.bar, l.rate.Low, l.rate.Value, l.rate.High)
	}
	return widget.Fit(out, width)
}

func right(s string, width int) string {
	return strings.Repeat(" ", max(0, width-widget.Width(s))) + widget.Cut(s, width)
}
