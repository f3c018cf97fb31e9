package widget

import (
	"fmt"
	"math"
	"strings"
)

// Point is one value of a Trend, between 0 and 1, with its interval.
type Point struct {
	Label            string
	Low, Value, High float64
	Hollow           bool // it no longer holds: drawn as a ring
}

// The signs of a trend's points.
const (
	Holds  = "●"
	Hollow = "○"
)

// scale is how wide the numbers at the side of a trend are.
const scale = 6

// Trend draws values over time, the oldest at the left, in width by height
// cells: each with its interval, joined by dots. The numbers at the side go
// from the tens below the lowest interval to those above the highest one, so
// that a small movement is seen. Where there is no room for all, the last ones
// are drawn.
func (t *Theme) Trend(points []Point, width, height int) []string {
	const least = 4 // cells a point
	rows := height - 1
	fit := (width - scale) / least
	if rows < 2 || fit < 1 || len(points) == 0 {
		return Block(nil, width, max(0, height))
	}
	points = points[max(0, len(points)-fit):]
	floor, top := span(points)
	c := &canvas{cells: make([]dot, rows*(width-scale)), width: width - scale}
	at := func(v float64) int {
		return rows - 1 - int(math.Round((clamp(v)-floor)/(top-floor)*float64(rows-1)))
	}
	step := float64(c.width) / float64(len(points))
	column := func(i int) int { return int((float64(i) + 0.5) * step) }
	for i := 1; i < len(points); i++ {
		c.join(column(i-1), at(points[i-1].Value), column(i), at(points[i].Value), dot{"·", &t.BarFull})
	}
	for i := range points {
		c.point(t, &points[i], column(i), at)
	}
	out := make([]string, 0, height)
	for y := range rows {
		out = append(out, t.Faint.Render(side(y, rows, floor, top))+c.line(y))
	}
	var labels strings.Builder
	for i := range points {
		from, to := int(float64(i)*step), int(float64(i+1)*step)
		label := Cut(points[i].Label, to-from-1)
		before := max(0, min(column(i)-from-Width(label)/2, to-from-Width(label)))
		labels.WriteString(Fit(strings.Repeat(" ", before)+label, to-from))
	}
	return Block(append(out, t.Faint.Render(strings.Repeat(" ", scale)+labels.String())), width, height)
}

// span is what the numbers at the side go from and to.
func span(points []Point) (floor, top float64) {
	floor, top = 1, 0
	for _, p := range points {
		floor, top = min(floor, p.Low), max(top, p.High)
	}
	floor, top = math.Floor(10*clamp(floor))/10, math.Ceil(10*clamp(top))/10
	if floor >= top {
		floor, top = max(0, floor-0.1), min(1, floor+0.1)
	}
	return floor, top
}

// side is the number beside a row: at the ends, and in the middle where it falls
// on a row.
func side(y, rows int, floor, top float64) string {
	switch y {
	case 0:
		return fmt.Sprintf("%3.0f %% ", 100*top)
	case rows - 1:
		return fmt.Sprintf("%3.0f %% ", 100*floor)
	}
	if 2*y == rows-1 {
		return fmt.Sprintf("%3.0f %% ", 50*(top+floor))
	}
	return strings.Repeat(" ", scale)
}

// dot is a cell of a canvas; the zero value is empty.
type dot struct {
	sign  string
	style *Ink
}

// canvas is cells that are drawn on, later dots over earlier ones.
type canvas struct {
	cells []dot
	width int
}

func (c *canvas) set(x, y int, d dot) {
	if i := y*c.width + x; x >= 0 && x < c.width && i >= 0 && i < len(c.cells) {
		c.cells[i] = d
	}
}

// point draws a value over its interval.
func (c *canvas) point(t *Theme, p *Point, x int, at func(float64) int) {
	high, value, low := at(p.High), at(p.Value), at(p.Low)
	for y := high; y <= low; y++ {
		c.set(x, y, dot{"│", &t.Faint})
	}
	c.set(x, high, dot{"┬", &t.Faint})
	c.set(x, low, dot{"┴", &t.Faint})
	d := dot{Holds, &t.Strong}
	if p.Hollow {
		d = dot{Hollow, &t.Warn}
	}
	c.set(x, value, d)
}

// join draws dots from one place to another.
func (c *canvas) join(x1, y1, x2, y2 int, d dot) {
	for x := x1 + 1; x < x2; x++ {
		share := float64(x-x1) / float64(x2-x1)
		c.set(x, y1+int(math.Round(share*float64(y2-y1))), d)
	}
}

func (c *canvas) line(y int) string {
	var b strings.Builder
	for _, d := range c.cells[y*c.width : (y+1)*c.width] {
		if d.style == nil {
			b.WriteString(" ")
		} else {
			b.WriteString(d.style.Render(d.sign))
		}
	}
	return b.String()
}
