package chart

import "math"

// Drawing is a chart laid out, in pixels from its upper left.
type Drawing struct {
	Title  string
	Width  int
	Height int
	Rects  []Rect
	Lines  []Line
	Texts  []Text
	Legend []string // names of the series, by number
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

// Text is a line of text. Y is its baseline; X is its start, or its end or
// middle, as Anchor says.
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

// at is where a share of the scale lies; what is beyond it stays at its ends.
func at(share float64) float64 {
	if math.IsNaN(share) {
		share = 0
	}
	return label + plot*min(max(share, 0), 1)
}

// span is what a scale reaches from and to.
type span struct{ from, to float64 }

// at is where a figure lies on the scale.
func (s span) at(v float64) float64 { return at((v - s.from) / (s.to - s.from)) }

// fit cuts a text that takes more than the room.
func fit(s string, room float64) string {
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

// scale draws the lines of a scale and their figures.
func (d *Drawing) scale(rows float64, on span, unit string) {
	for i := range parts + 1 {
		share := float64(i) / parts
		d.Lines = append(d.Lines, Line{X1: at(share), Y1: top, X2: at(share), Y2: top + rows})
		d.Texts = append(d.Texts, Text{X: at(share), Y: top + rows + 15, Anchor: "middle", Text: trim(on.from+(on.to-on.from)*share) + unit})
	}
}
