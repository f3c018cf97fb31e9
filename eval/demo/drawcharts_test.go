package demo

import (
	"image/color"
	"math"
)

func axes(c *canvas) {
	c.rect(ink, 46, 24, 6, 226)
	c.rect(ink, 46, 246, 366, 6)
}

func drawBars(c *canvas) {
	c.clear(white)
	axes(c)
	for i, b := range []struct {
		name string
		n    float64
		col  color.Color
	}{{"apples", 3, red}, {"pears", 7, green}, {"plums", 5, purple}, {"figs", 2, brown}} {
		x, h := 62+float64(i)*88, b.n*25
		c.rect(b.col, x, 246-h, 66, h)
		c.text(ink, string(rune('0'+int(b.n))), 48, x+33, 246-h-24)
		c.text(ink, b.name, 25, x+33, 274)
	}
}

func drawPie(c *canvas) {
	c.clear(white)
	c.text(ink, "How we get to school", 22, 210, 24)
	at := 0.0
	for i, s := range []struct {
		name  string
		share float64
		col   color.Color
	}{{"on foot", 0.5, blue}, {"by bus", 0.25, orange}, {"by bike", 0.15, green}, {"by car", 0.1, red}} {
		c.wedge(s.col, 145, 168, 112, at, at+s.share)
		at += s.share
		y := 95 + float64(i)*48
		c.rect(s.col, 282, y-14, 28, 28)
		c.text(ink, s.name, 20, 360, y)
	}
}

func drawLine(c *canvas) {
	c.clear(white)
	axes(c)
	days := []string{"Mon", "Tue", "Wed", "Thu", "Fri"}
	degrees := []float64{12, 14, 19, 15, 10}
	var px, py float64
	for i, d := range degrees {
		x, y := 85+float64(i)*72, 290-d*13
		if i > 0 {
			c.line(red, 12, px, py, x, y)
		}
		px, py = x, y
		c.circle(red, x, y, 14)
		c.text(ink, days[i], 28, x, 274)
	}
	c.text(ink, "°C", 24, 24, 40)
}

func drawVenn(c *canvas) {
	c.clear(white)
	tea, coffee := rgb(0x8fcf9f), rgb(0xd9b08c)
	both := rgb(0xa79a6a)
	c.circle(tea, 155, 165, 112)
	c.circle(coffee, 265, 165, 112)
	// The lens between two circles of radius 112 that are 110 apart.
	half := math.Acos(55.0/112) / (2 * math.Pi)
	var xy []float64
	for i := range 41 {
		a := 2 * math.Pi * (0.25 - half + 2*half*float64(i)/40)
		xy = append(xy, 155+112*math.Sin(a), 165-112*math.Cos(a))
	}
	for i := range 41 {
		a := 2 * math.Pi * (0.75 - half + 2*half*float64(i)/40)
		xy = append(xy, 265+112*math.Sin(a), 165-112*math.Cos(a))
	}
	c.polygon(both, xy...)
	c.text(ink, "tea", 38, 85, 30)
	c.text(ink, "coffee", 38, 330, 30)
	c.text(ink, "8", 84, 98, 168)
	c.text(ink, "3", 84, 210, 168)
	c.text(ink, "5", 84, 322, 168)
}

func drawThermometer(c *canvas) {
	c.clear(white)
	c.rect(grey, 168, 20, 56, 220)
	c.circle(grey, 196, 240, 50)
	c.rect(white, 178, 30, 36, 200)
	c.circle(red, 196, 240, 40)
	// 0 degrees stand at y 210, 40 at y 50.
	c.rect(red, 182, 90, 28, 140)
	for i, s := range []string{"0", "10", "20", "30", "40"} {
		y := 210 - float64(i)*40
		c.line(ink, 6, 228, y, 256, y)
		c.text(ink, s+"°", 40, 310, y)
	}
}

func drawPrices(c *canvas) {
	c.clear(rgb(0x2c4a3e))
	for i, r := range [][2]string{{"Tea", "€ 2"}, {"Cake", "€ 4"}, {"Soup", "€ 6"}} {
		y := 60 + float64(i)*90
		c.text(white, r[0], 78, 125, y)
		c.text(yellow, r[1], 78, 330, y)
	}
}
