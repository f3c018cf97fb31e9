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
	d := Drawing{Title: title, Width: width}
	y := float64(top)
	for i, b := range bars {
		if b.Group != "" && (i == 0 || bars[i-1].Group != b.Group) {
			d.Texts = append(d.Texts, Text{X: 4, Y: y + 15, Anchor: "start", Strong: true, Text: fit(b.Group, width-8)})
			y += row
		}
		d.bar(&b, y, most)
		y += row
	}
	d.scale(y-top, most, unit)
	d.Height = int(y) + axis
	return d
}

func (d *Drawing) bar(b *Bar, y, most float64) {
	d.Texts = append(d.Texts, Text{X: label - 8, Y: y + 15, Anchor: "end", Text: fit(b.Label, label-16)})
	if b.Missing != "" {
		d.Texts = append(d.Texts, Text{X: label + 4, Y: y + 15, Anchor: "start", Text: fit(b.Missing, plot+right-8)})
		return
	}
	middle := y + row/2
	end := at(b.Value / most)
	d.Rects = append(d.Rects, Rect{
		X: label, Y: middle - bar/2, W: end - label, H: bar, Series: b.Series % Series, Opacity: 1, Tip: b.Label + ": " + b.Tip,
	})
	if b.Interval {
		low, high := at(b.Low/most), at(b.High/most)
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
