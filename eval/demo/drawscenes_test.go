package demo

import "image/color"

func drawHouse(c *canvas) {
	c.clear(sky)
	c.rect(green, 0, 235, width, 65)
	c.circle(yellow, 365, 52, 34)
	c.rect(brown, 62, 180, 24, 75)
	c.circle(rgb(0x2f7d46), 74, 145, 55)
	c.rect(rgb(0xf2e2c4), 185, 140, 150, 110)
	c.polygon(red, 165, 145, 260, 65, 355, 145)
	c.rect(brown, 240, 185, 40, 65)
	c.rect(blue, 198, 165, 32, 32)
	c.rect(blue, 292, 165, 32, 32)
}

func drawBoat(c *canvas) {
	c.clear(rgb(0xf6a55c))
	c.rect(rgb(0xf9c784), 0, 130, width, 50)
	c.circle(rgb(0xe5533d), 320, 178, 58)
	c.rect(rgb(0x27507a), 0, 178, width, 122)
	c.rect(brown, 164, 40, 8, 170)
	c.polygon(white, 176, 42, 176, 195, 262, 195)
	c.polygon(white, 160, 70, 160, 195, 92, 195)
	c.polygon(ink, 70, 205, 285, 205, 250, 250, 105, 250)
}

func drawMoon(c *canvas) {
	c.clear(night)
	c.circle(rgb(0xf3e9c0), 310, 80, 48)
	c.circle(night, 288, 68, 42)
	for _, p := range [][2]float64{{60, 60}, {140, 110}, {215, 45}, {110, 175}, {235, 150}} {
		c.star(yellow, p[0], p[1], 22)
	}
	c.circle(rgb(0x10172c), 110, 380, 150)
	c.circle(rgb(0x10172c), 310, 400, 180)
}

func drawCake(c *canvas) {
	c.clear(rgb(0xe9d8f0))
	c.rect(rgb(0xf4b6c2), 70, 170, 280, 95)
	c.rect(white, 70, 170, 280, 26)
	c.rect(grey, 40, 265, 340, 12)
	for i := range 5 {
		x := 110 + float64(i)*50
		c.rect(blue, x-8, 100, 16, 70)
		c.rect(ink, x-2, 90, 4, 10)
		if i != 3 {
			c.circle(orange, x, 74, 15)
			c.polygon(orange, x-13, 68, x, 40, x+13, 68)
			c.circle(yellow, x, 76, 8)
		}
	}
}

func drawApples(c *canvas) {
	c.clear(sky)
	c.rect(green, 0, 240, width, 60)
	c.rect(brown, 190, 160, 40, 100)
	for _, p := range [][3]float64{{140, 110, 68}, {210, 80, 75}, {280, 110, 68}, {210, 130, 62}} {
		c.circle(rgb(0x2f7d46), p[0], p[1], p[2])
	}
	for _, p := range [][2]float64{{125, 95}, {175, 50}, {205, 125}, {250, 62}, {290, 115}, {150, 150}} {
		c.circle(red, p[0], p[1], 16)
	}
	c.circle(red, 95, 265, 16)
	c.circle(red, 330, 270, 16)
}

func drawShadow(c *canvas) {
	c.clear(sky)
	c.rect(rgb(0xe6d3a3), 0, 200, width, 100)
	c.circle(yellow, 62, 62, 42)
	c.polygon(rgb(0xa08c5c), 194, 240, 216, 240, 400, 272, 380, 292)
	c.rect(brown, 194, 90, 22, 165)
}

func drawStop(c *canvas) {
	c.clear(sky)
	c.rect(grey, 200, 200, 20, 100)
	c.regular(white, 8, 210, 128, 124, 1.0/16)
	c.regular(red, 8, 210, 128, 114, 1.0/16)
	c.text(white, "STOP", 68, 210, 128)
}

func drawExit(c *canvas) {
	c.rect(rgb(0x1f7a4a), 25, 70, 370, 160)
	c.text(white, "EXIT", 92, 150, 150)
	c.arrow(white, 332, 150, 52, 0.25)
}

func drawLights(c *canvas) {
	c.clear(sky)
	c.rect(grey, 199, 262, 22, 38)
	c.rect(ink, 150, 14, 120, 252)
	for i, col := range []color.Color{rgb(0x5c2b2a), rgb(0x5e5127), rgb(0x35e06a)} {
		c.circle(col, 210, 58+float64(i)*82, 34)
	}
}

func drawTown(c *canvas) {
	c.clear(rgb(0xcfe3c4))
	c.rect(rgb(0xb9bec4), 180, 0, 60, height)
	c.rect(rgb(0xb9bec4), 0, 120, width, 60)
	place := func(col color.Color, name string, x, y float64) {
		c.rect(col, x-62, y-24, 124, 48)
		c.text(white, name, 28, x, y)
	}
	place(blue, "SCHOOL", 210, 40)
	place(orange, "BANK", 348, 150)
	place(rgb(0x2f7d46), "PARK", 210, 262)
	place(purple, "SHOP", 72, 150)
}
