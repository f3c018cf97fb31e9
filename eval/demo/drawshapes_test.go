package demo

import "image/color"

func drawRow(c *canvas) {
	c.circle(red, 80, 150, 55)
	c.rect(blue, 160, 100, 100, 100)
	c.polygon(green, 340, 92, 400, 205, 280, 205)
}

func drawBalls(c *canvas) {
	for _, p := range [][2]float64{{70, 55}, {200, 65}, {330, 110}, {160, 230}} {
		c.circle(orange, p[0], p[1], 40)
	}
	for _, p := range [][2]float64{{90, 148}, {250, 190}, {360, 235}} {
		c.circle(blue, p[0], p[1], 40)
	}
}

func drawOverlap(c *canvas) {
	c.rect(red, 50, 40, 150, 150)
	c.rect(yellow, 130, 80, 150, 150)
	c.rect(blue, 210, 120, 150, 150)
}

func drawStripes(c *canvas) {
	c.clear(sky)
	c.rect(ink, 45, 25, 14, 275)
	c.rect(green, 59, 35, 110, 190)
	c.rect(white, 169, 35, 110, 190)
	c.rect(orange, 279, 35, 110, 190)
}

// fish draws one that swims to the right for dir 1, to the left for -1.
func fish(c *canvas, col color.Color, x, y, dir float64) {
	c.polygon(col, x-30*dir, y, x-70*dir, y-28, x-70*dir, y+28)
	for _, dx := range []float64{-14, 0, 14} {
		c.circle(col, x+dx, y, 28)
	}
	c.circle(white, x+22*dir, y-8, 8)
	c.circle(ink, x+24*dir, y-8, 4)
}

func drawFish(c *canvas) {
	c.clear(rgb(0x7cc3e0))
	fish(c, orange, 95, 65, 1)
	fish(c, orange, 270, 60, 1)
	fish(c, orange, 180, 150, -1)
	fish(c, orange, 345, 165, 1)
	fish(c, orange, 110, 240, 1)
	c.rect(rgb(0xe2cf9a), 0, 280, width, 20)
}

func drawTicTacToe(c *canvas) {
	for _, d := range []float64{165, 255} {
		c.line(ink, 8, d, 15, d, 285)
		c.line(ink, 8, 75, d-60, 345, d-60)
	}
	at := func(col, row int) (x, y float64) { return 120 + 90*float64(col), 60 + 90*float64(row) }
	for _, p := range [][2]int{{0, 0}, {2, 0}, {1, 1}, {0, 2}} {
		x, y := at(p[0], p[1])
		c.line(red, 14, x-28, y-28, x+28, y+28)
		c.line(red, 14, x-28, y+28, x+28, y-28)
	}
	for _, p := range [][2]int{{1, 0}, {0, 1}, {2, 2}} {
		x, y := at(p[0], p[1])
		c.circle(blue, x, y, 34)
		c.circle(paper, x, y, 20)
	}
}

func drawArrows(c *canvas) {
	c.arrow(purple, 110, 78, 60, 0)
	c.arrow(purple, 310, 78, 60, 0)
	c.arrow(purple, 110, 222, 60, 0)
	c.arrow(purple, 310, 222, 60, 0.75)
}

func drawTowers(c *canvas) {
	c.clear(sky)
	c.rect(green, 0, 262, width, 38)
	tower := func(col color.Color, x, top float64) {
		c.rect(col, x, top, 84, 265-top)
		for y := top + 18; y < 235; y += 42 {
			c.rect(yellow, x+14, y, 20, 22)
			c.rect(yellow, x+50, y, 20, 22)
		}
	}
	tower(grey, 40, 170)
	tower(blue, 168, 28)
	tower(orange, 296, 100)
}
