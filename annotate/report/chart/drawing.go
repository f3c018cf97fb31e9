package chart

import (
	"math"
	"strconv"
)

// Drawing is a chart laid out, in pixels from its upper left.
type Drawing struct {
	Title         string
	Width, Height int
	Rects         []Rect
	Lines         []Line
	Texts         []Text
	Legend        []string // names of the series, by number
}

// Rect is a filled rectangle. Series tells its colour, Opacity how much of it
// is seen, from 0 to 1, and Tip what it stands for.
type Rect struct {
	X, Y, W, H float64
	Series     int
	Opacity    float64
	Tip        string
}

// Line is a straight line: of the scale, or of an interval.
type Line struct {
	X1, Y1, X2, Y2 float64
	Interval       bool
}

// Text is a line of text. Y is its baseline; X is its start, or its end or middle, as Anchor says.
type Text struct {
	X, Y   float64
	Anchor string // start, middle or end
	Strong bool
	Text   string
}

// Series is how many colours there are; further ones begin anew.
const Series = 8

// The measures of all charts.
const (
	width  = 760
	label  = 250 // where names end
	right  = 150 // for figures behind bars
	row    = 22
	bar    = 14
	top    = 8
	axis   = 22 // below the rows
	letter = 7  // about as wide as one is
)

// parts are those of a scale.
const parts = 4

const plot = width - label - right

// xOfShare is where a share of the scale lies; what is beyond it stays at its ends.
func xOfShare(share float64) float64 {
	if math.IsNaN(share) {
		share = 0
	}
	return label + plot*min(max(share, 0), 1)
}

// scaleSpan is what a scale reaches from and to.
type scaleSpan struct{ from, to float64 }

// xOfFigure is where a figure lies on the scale.
func (s scaleSpan) xOfFigure(v float64) float64 { return xOfShare((v - s.from) / (s.to - s.from)) }

// cutToFit cuts a text that takes more than the room.
func cutToFit(s string, room float64) string {
	used := 0.0
	for i, r := range s {
		w := float64(letter)
		if r >= 0x1100 { // about where the wide scripts begin
			w *= 1.8
		}
		if used += w; used > room {
			return s[:i] + "…"
		}
	}
	return s
}

// drawScale draws the lines of a scale and their figures.
func (d *Drawing) drawScale(rows float64, on scaleSpan, unit string) {
	for i := range parts + 1 {
		share := float64(i) / parts
		d.Lines = append(d.Lines, Line{X1: xOfShare(share), Y1: top, X2: xOfShare(share), Y2: top + rows})
		d.Texts = append(d.Texts, Text{X: xOfShare(share), Y: top + rows + 15, Anchor: "middle", Text: strconv.FormatFloat(on.from+(on.to-on.from)*share, 'g', 3, 64) + unit})
	}
}

// Stack is a whole and its parts, which are drawn one behind the other.
type Stack struct {
	Label string
	Parts []int
}

// DrawStacks draws wholes of one length each, cut into the shares of their parts, which names name.
func DrawStacks(title string, names []string, stacks []Stack) Drawing {
	d := Drawing{Title: title, Width: width, Legend: names}
	y := float64(top)
	for _, s := range stacks {
		d.drawStack(&s, names, y)
		y += row
	}
	const whole = 100
	d.drawScale(y-top, scaleSpan{0, whole}, "%")
	d.Height = int(y) + axis
	return d
}

func (d *Drawing) drawStack(s *Stack, names []string, y float64) {
	d.Texts = append(d.Texts, Text{X: label - 8, Y: y + 15, Anchor: "end", Text: cutToFit(s.Label, label-16)})
	total := 0
	for _, n := range s.Parts {
		total += max(n, 0)
	}
	d.Texts = append(d.Texts, Text{X: label + plot + 8, Y: y + 15, Anchor: "start", Text: "n " + strconv.Itoa(total)})
	done := 0
	for i, n := range s.Parts {
		if n <= 0 {
			continue
		}
		from := xOfShare(float64(done) / float64(total))
		done += n
		to := xOfShare(float64(done) / float64(total))
		name := ""
		if i < len(names) {
			name = names[i]
		}
		d.Rects = append(d.Rects, Rect{
			X: from, Y: y + (row-bar)/2, W: to - from, H: bar, Series: i % Series, Opacity: 1, Tip: s.Label + ", " + name + ": " + strconv.Itoa(n),
		})
		if text := strconv.Itoa(n); to-from > float64(letter*(len(text)+1)) {
			d.Texts = append(d.Texts, Text{X: (from + to) / 2, Y: y + 15, Anchor: "middle", Text: text})
		}
	}
}

// Cell is how many items fell where a row and a column meet.
type Cell struct {
	Row, Column string
	N           int
}

// DrawHeatmap draws counts as a matrix: the more, the darker. Rows and columns are in
// the order in which they are named.
func DrawHeatmap(title, rows, columns string, rowNames, columnNames []string, cells []Cell) Drawing {
	const (
		side  = 56
		high  = 28
		names = 44 // above the matrix
		left  = 160
	)
	place := func(names []string) map[string]int {
		out := make(map[string]int, len(names))
		for i, n := range names {
			out[n] = i
		}
		return out
	}
	d := Drawing{Title: title, Width: max(left+side*len(columnNames)+8, width/2), Height: top + names + high*len(rowNames) + 8}
	d.Texts = append(d.Texts,
		Text{X: left, Y: top + 12, Anchor: "start", Strong: true, Text: cutToFit(columns, float64(d.Width-left))},
		Text{X: 4, Y: top + names - 8, Anchor: "start", Strong: true, Text: cutToFit(rows, left-8)})
	for i, n := range columnNames {
		d.Texts = append(d.Texts, Text{X: left + side*(float64(i)+0.5), Y: top + names - 8, Anchor: "middle", Text: cutToFit(n, side)})
	}
	for i, n := range rowNames {
		d.Texts = append(d.Texts, Text{X: left - 8, Y: top + names + high*float64(i) + 19, Anchor: "end", Text: cutToFit(n, left-16)})
	}
	most := 1
	for _, c := range cells {
		most = max(most, c.N)
	}
	atRow, atColumn := place(rowNames), place(columnNames)
	for _, c := range cells {
		i, ok := atRow[c.Row]
		j, also := atColumn[c.Column]
		if !ok || !also {
			continue
		}
		x, y := left+float64(side*j), float64(top+names+high*i)
		d.Rects = append(d.Rects, Rect{
			X: x + 1, Y: y + 1, W: side - 2, H: high - 2, Opacity: 0.08 + 0.72*float64(max(c.N, 0))/float64(most),
			Tip: c.Row + ", " + c.Column + ": " + strconv.Itoa(c.N),
		})
		d.Texts = append(d.Texts, Text{X: x + side/2, Y: y + 19, Anchor: "middle", Text: strconv.Itoa(c.N)})
	}
	return d
}

// Bar is a figure and, where it has one, its interval.
type Bar struct {
	Group            string // bars of one group stand under its name
	Label            string
	Series           int
	Value, Low, High float64
	Interval         bool
	Figure           string // as it is written behind the bar
	Tip              string // all of it
	Missing          string // why there is none; then only this is written
}

// DrawBars draws figures as horizontal bars on a scale from 0 to most, which fits
// the largest of them where most is 0. Figures below 0 have no bar.
func DrawBars(title string, most float64, unit string, bars []Bar) Drawing {
	if most <= 0 {
		for _, b := range bars {
			most = max(most, b.Value, b.High)
		}
		most = roundScaleEnd(most)
	}
	return layOutBars(title, bars, scaleSpan{0, most}, unit)
}

// DrawDivergingBars draws figures as bars to both sides of 0, on a scale that reaches as far to one side as
// to the other and fits the largest of them where most is 0. Where none lies below 0 it is as Bars is.
func DrawDivergingBars(title string, most float64, unit string, bars []Bar) Drawing {
	below := false
	reach := 0.0
	for _, b := range bars {
		if b.Missing == "" {
			below = below || b.Value < 0 || b.Low < 0
			reach = max(reach, math.Abs(b.Value), math.Abs(b.Low), math.Abs(b.High))
		}
	}
	if !below {
		return DrawBars(title, most, unit, bars)
	}
	if most <= 0 {
		most = roundScaleEnd(2*reach) / 2
	}
	d := layOutBars(title, bars, scaleSpan{-most, most}, unit)
	zero := scaleSpan{-most, most}.xOfFigure(0)
	d.Lines = append(d.Lines, Line{X1: zero, Y1: top, X2: zero, Y2: float64(d.Height - axis), Interval: true})
	return d
}

func layOutBars(title string, bars []Bar, on scaleSpan, unit string) Drawing {
	d := Drawing{Title: title, Width: width}
	y := float64(top)
	for i, b := range bars {
		if b.Group != "" && (i == 0 || bars[i-1].Group != b.Group) {
			d.Texts = append(d.Texts, Text{X: 4, Y: y + 15, Anchor: "start", Strong: true, Text: cutToFit(b.Group, width-8)})
			y += row
		}
		d.drawBar(&b, y, on)
		y += row
	}
	d.drawScale(y-top, on, unit)
	d.Height = int(y) + axis
	return d
}

func (d *Drawing) drawBar(b *Bar, y float64, on scaleSpan) {
	d.Texts = append(d.Texts, Text{X: label - 8, Y: y + 15, Anchor: "end", Text: cutToFit(b.Label, label-16)})
	if b.Missing != "" {
		d.Texts = append(d.Texts, Text{X: label + 4, Y: y + 15, Anchor: "start", Text: cutToFit(b.Missing, plot+right-8)})
		return
	}
	middle := y + row/2
	from, end := on.xOfFigure(min(b.Value, 0)), on.xOfFigure(max(b.Value, 0))
	d.Rects = append(d.Rects, Rect{X: from, Y: middle - bar/2, W: end - from, H: bar, Series: b.Series % Series, Opacity: 1, Tip: b.Label + ": " + b.Tip})
	if b.Interval {
		low, high := on.xOfFigure(b.Low), on.xOfFigure(b.High)
		end = max(end, high)
		const tick = 4
		d.Lines = append(d.Lines,
			Line{X1: low, Y1: middle, X2: high, Y2: middle, Interval: true},
			Line{X1: low, Y1: middle - tick, X2: low, Y2: middle + tick, Interval: true},
			Line{X1: high, Y1: middle - tick, X2: high, Y2: middle + tick, Interval: true})
	}
	d.Texts = append(d.Texts, Text{X: end + 6, Y: y + 15, Anchor: "start", Text: cutToFit(b.Figure, width-end-8)})
}

// roundScaleEnd gives the end of a scale of four parts of a round size each, from v on.
func roundScaleEnd(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	part := v / parts
	size := math.Pow(10, math.Floor(math.Log10(part)))
	for _, times := range []float64{1, 2, 2.5, 5, 10} {
		if size*times >= part {
			return parts * size * times
		}
	}
	return v
}
