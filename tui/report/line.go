package report

import (
	"math"
	"strings"

	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// line is one line of a view: a figure, or a word in its place.
type line struct {
	id     string // the same after figures were computed again
	run    eval.RunID
	depth  int
	name   string
	label  string // which figure of the name it is
	rate   stat.Rate
	labels bool   // the rate is no share of a count: n is of labels
	note   string // stands in the rate's place; "" when there is a rate
	parent bool   // there are lines below it
	open   bool   // and they are shown
	behind OpenSamples
	pairs  OpenPairs          // behind a figure over votes, in the place of samples
	stack  []widget.Part      // stands in the place of the interval's bar
	other  stat.Rate          // a baseline that is marked over the bar; none when it counts nothing
	plot   []widget.Point     // drawn in the pane, before what is said there
	long   bool               // the name may reach into the columns: there is no rate
	text   string             // the whole line, where it is no figure
	beside func() [][2]string // names and texts of what is said beside the figure
}

// barLeast is the narrowest bar that says something, and barMost the widest
// that still says more. A name keeps nameLeast before there is a bar.
const (
	barLeast  = 12
	barMost   = 100
	nameLeast = 20
)

// measures are the widths of the columns of a view. Where room is short, n
// stands alone; full tells that k/n does not fit.
type measures struct {
	name, label, rate, count, bar int
	full                          bool
}

// measure shares the width out: what a figure must say comes first, then its
// name, then the bar.
func measure(lines []line, width int) measures {
	m := measures{name: 12, rate: widget.Width(rateHead), count: 3}
	n := 1
	for i := range lines {
		l := &lines[i]
		if l.long || l.text != "" {
			continue
		}
		m.name = max(m.name, 2*l.depth+2+widget.Width(l.name))
		m.label = max(m.label, widget.Width(l.label))
		if l.note == "" && l.rate.N > 0 {
			m.rate = max(m.rate, widget.Width(rateText(l.rate)))
			m.count = max(m.count, widget.Width(countText(l.rate, !l.labels)))
			n = max(n, widget.Width(countText(l.rate, false)))
		}
	}
	const gaps = 8
	m.full = m.name+m.label+m.rate+m.count+2*barLeast+gaps <= width
	if !m.full {
		m.count = n
	}
	rest := width - m.label - m.rate - m.count - gaps
	if rest-barLeast < min(m.name, nameLeast) {
		m.name = max(8, min(m.name, rest))
		return m
	}
	m.name = min(m.name, rest-barLeast)
	m.bar = min(barMost, rest-m.name)
	return m
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
	start := strings.Repeat("  ", l.depth) + t.Faint.Render(mark)
	switch {
	case l.text != "":
		return widget.Fit(start+l.text, width)
	case l.long:
		return widget.Fit(start+name.Render(l.name)+t.Faint.Render("  "+l.note), width)
	}
	out := widget.Fit(start+name.Render(l.name), m.name) +
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
	out += right(rateText(l.rate), m.rate) + "  " + t.Faint.Render(right(countText(l.rate, m.full && !l.labels), m.count))
	if m.bar > 0 && l.stack != nil {
		return widget.Fit(out+"  "+t.Stack(m.bar, l.stack...), width)
	}
	if m.bar > 0 {
		other := math.NaN()
		if l.other.N > 0 {
			other = l.other.Value
		}
		out += "  " + t.IntervalBeside(m.bar, l.rate.Low, l.rate.Value, l.rate.High, other)
	}
	return widget.Fit(out, width)
}

func right(s string, width int) string {
	return strings.Repeat(" ", max(0, width-widget.Width(s))) + widget.Cut(s, width)
}
