package demo

import (
	"image/color"
	"math"
)

func drawClock(c *canvas) {
	c.circle(ink, 210, 150, 138)
	c.circle(white, 210, 150, 126)
	for i := range 12 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 12)
		inner := 112.0
		if i%3 == 0 {
			inner = 98
		}
		c.line(ink, 8, 210+inner*sin, 150-inner*cos, 210+122*sin, 150-122*cos)
	}
	c.line(ink, 18, 210, 150, 140, 150) // short hand on nine
	c.line(red, 15, 210, 150, 210, 45)  // long hand on twelve
	c.circle(ink, 210, 150, 13)
}

func drawCalendar(c *canvas) {
	c.clear(sky)
	c.rect(white, 100, 40, 220, 235)
	c.rect(red, 100, 40, 220, 75)
	c.text(white, "MAY", 50, 210, 78)
	c.text(ink, "14", 120, 210, 195)
	c.rect(ink, 150, 22, 14, 38)
	c.rect(ink, 256, 22, 14, 38)
}

// die draws a face of 1 to 6 pips.
func die(c *canvas, x, y float64, pips int) {
	c.rect(ink, x-72, y-72, 144, 144)
	c.rect(white, x-66, y-66, 132, 132)
	spots := map[int][][2]float64{
		3: {{-1, -1}, {0, 0}, {1, 1}},
		5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	}
	for _, p := range spots[pips] {
		c.circle(ink, x+p[0]*40, y+p[1]*40, 16)
	}
}

func drawDice(c *canvas) {
	c.clear(green)
	die(c, 112, 150, 5)
	die(c, 308, 150, 3)
}

// drawDots draws columns of one, three and five dots, and a question mark.
func drawDots(c *canvas) {
	for i, n := range []int{1, 3, 5} {
		x := 62 + float64(i)*95
		for k := range n {
			c.circle(blue, x, 255-float64(k)*50, 20)
		}
	}
	c.text(ink, "?", 110, 360, 165)
}

func drawSequence(c *canvas) {
	for i := range 4 {
		x := 55 + float64(i)*84
		if i%2 == 0 {
			c.circle(red, x, 150, 34)
		} else {
			c.rect(blue, x-31, 119, 62, 62)
		}
	}
	c.text(ink, "?", 84, 385, 150)
}

func drawScale(c *canvas) {
	c.polygon(ink, 210, 120, 265, 285, 155, 285)
	c.line(ink, 12, 60, 165, 360, 75)
	c.line(ink, 4, 70, 162, 70, 210)
	c.line(ink, 4, 350, 78, 350, 130)
	c.rect(grey, 15, 210, 110, 12)
	c.rect(grey, 295, 130, 110, 12)
	c.rect(brown, 38, 146, 64, 64)
	c.circle(red, 350, 104, 27)
}

func drawGlasses(c *canvas) {
	c.clear(rgb(0xf3e3c8))
	c.rect(brown, 0, 256, width, 44)
	for i, full := range []float64{0.5, 0.95, 0.1} {
		x := 80 + float64(i)*130
		c.rect(white, x-45, 70, 90, 186)
		c.rect(blue, x-38, 249-172*full, 76, 172*full)
		c.rect(grey, x-45, 70, 6, 186)
		c.rect(grey, x+39, 70, 6, 186)
		c.rect(grey, x-45, 250, 90, 6)
	}
}

func face(c *canvas, x float64, mood string) {
	c.circle(yellow, x, 150, 62)
	c.circle(ink, x-22, 132, 8)
	c.circle(ink, x+22, 132, 8)
	switch mood {
	case "happy":
		c.wedge(ink, x, 158, 34, 0.25, 0.75)
	case "sad":
		c.wedge(ink, x, 192, 30, 0.75, 1.25)
		c.wedge(yellow, x, 196, 24, 0.75, 1.25)
	case "surprised":
		c.circle(ink, x, 180, 18)
	}
}

func drawFaces(c *canvas) {
	c.clear(rgb(0xd8ecd9))
	face(c, 75, "sad")
	face(c, 210, "happy")
	face(c, 345, "surprised")
}

func drawRace(c *canvas) {
	c.clear(green)
	c.rect(rgb(0x5d6670), 0, 70, width, 180)
	for i := range 9 {
		for k := range 2 {
			var col color.Color = white
			if (i+k)%2 == 0 {
				col = ink
			}
			c.rect(col, 372+float64(k)*20, 70+float64(i)*20, 20, 20)
		}
	}
	car := func(col color.Color, x, y float64) {
		c.rect(col, x-42, y-10, 84, 26)
		c.polygon(col, x-26, y-8, x-14, y-30, x+16, y-30, x+28, y-8)
		c.circle(ink, x-22, y+18, 12)
		c.circle(ink, x+22, y+18, 12)
	}
	car(blue, 60, 220)
	car(yellow, 180, 162)
	car(red, 310, 104)
}
