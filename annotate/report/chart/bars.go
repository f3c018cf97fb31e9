package chart

import (
	"math"
	"strconv"
)

// Bar is a figure and, where it has one, its interval.
type Bar struct {
	Group     string // bars of one group stand under its name
	Label     string
	Series    int
	Value     float64
	Low, High float64
	Interval  bool
	Figure    string // as it is written behind the bar
	Tip       string // all of it
	Missing   string // why there is none; then only this is written
}

// Bars draws figures as horizontal bars on a scale from 0 to most, which fits
// the largest of them where most is 0. Figures below 0 have no bar.
func Bars(title string, most float64, unit string, bars []Bar) Drawing {
	free := most <= 0
	if free {
		for _, b := range bars {
			most = max(most, b.Value, b.High)
		}
	}
	if free {
		most = round(most)
	}
	return drawn(title, bars, span{0, most}, unit)
}

// Diverging draws figures as bars to both sides of 0, on a scale that reaches as
// far to one side as to the other and fits the largest of them where most is 0.
// Where none lies below 0 it is as Bars is.
func Diverging(title string, most float64, unit string, bars []Bar) Drawing {
	below := false
	reach := 0.0
	for _, b := range bars {
		if b.Missing == "" {
			below = below || b.Value < 0 || b.Low < 0
			reach = max(reach, math.Abs(b.Value), math.Abs(b.Low), math.Abs(b.High))
		}
	}
	if !below {
		return Bars(title, most, unit, bars)
	}
	if most <= 0 {
		most = round(2*reach) / 2
	}
	d := drawn(title, bars, span{-most, most}, unit)
	zero := span{-most, most}.at(0)
	d.Lines = append(d.Lines, Line{X1: zero, Y1: top, X2: zero, Y2: float64(d.Height - axis), Interval: true})
	return d
}

// drawn lays bars out on a scale.
func drawn(title string, bars []Bar, on span, unit string) Drawing {
	d := Drawing{Title: title, Width: width}
	y := float64(top)
	for i, b := range bars {
		if b.Group != "" && (i == 0 || bars[i-1].Group != b.Group) {
			d.Texts = append(d.Texts, Text{X: 4, Y: y + 15, Anchor: "start", Strong: true, Text: fit(b.Group, width-8)})
			y += row
		}
		d.bar(&b, y, on)
		y += row
	}
	d.scale(y-top, on, unit)
	d.Height = int(y) + axis
	return d
}

func (d *Drawing) bar(b *Bar, y float64, on span) {
	d.Texts = append(d.Texts, Text{X: label - 8, Y: y + 15, Anchor: "end", Text: fit(b.Label, label-16)})
	if b.Missing != "" {
		d.Texts = append(d.Texts, Text{X: label + 4, Y: y + 15, Anchor: "start", Text: fit(b.Missing, plot+right-8)})
		return
	}
	middle := y + row/2
	from, end := on.at(min(b.Value, 0)), on.at(max(b.Value, 0))
	d.Rects = append(d.Rects, Rect{
		X: from, Y: middle - bar/2, W: end - from, H: bar, Series: b.Series % Series, Opacity: 1, Tip: b.Label + ": " + b.Tip,
	})
	if b.Interval {
		low, high := on.at(b.Low), on.at(b.High)
		end = max(end, high)
		const tick = 4
		d.Lines = append(d.Lines,
			Line{X1: low, Y1: middle, X2: high, Y2: middle, Interval: true},
			Line{X1: low, Y1: middle - tick, X2: low, Y2: middle + tick, Interval: true},
			Line{X1: high, Y1: middle - tick, X2: high, Y2: middle + tick, Interval: true})
	}
	d.Texts = append(d.Texts, Text{X: end + 6, Y: y + 15, Anchor: "start", Text: fit(b.Figure, width-end-8)})
}

// round is the end of a scale of four parts of a round size each, from v on.
func round(v float64) float64 {
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

// trim writes a number of a scale without needless places.
func trim(v float64) string {
	const places = 3
	return strconv.FormatFloat(v, 'g', places, 64)
}
