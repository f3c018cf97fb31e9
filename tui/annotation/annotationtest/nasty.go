package annotationtest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// NastyTexts is answers that break screens.
func NastyTexts() map[string]string {
	return map[string]string{
		"escapes":  "\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;QUFB\x07\x1bP+q544e\x1b\\\x1b[?1049h A \x9b31m",
		"controls": "a\rb\x00c\x7fd\x08\x08\x08e\x0b\x0cf\tg\u0085h\u2028i",
		"large":    strings.Repeat("The answer might be A, or B; ", 10<<20/29),
		"line":     strings.Repeat("x", 2<<20),
		"empty":    "",
		"blank":    " \n\t\n   ",
		"invalid":  "A\xff\xfe\xc3( is it \xed\xa0\x80 B",
		"rtl":      "الإجابة هي (B) لأن המשולש הצהוב נמצא \u202emirror\u202c \u2067x",
		"wide":     "答案是選項Ｂ，因為圖中的三角形是黃色的。" + strings.Repeat("寬", 300),
		"emoji":    "👩‍👩‍👧‍👦 the 🟨🔺 is ❤️ 👍🏽 🇩🇪🇫🇷 " + strings.Repeat("🟥", 200),
		"zalgo":    "A" + strings.Repeat("\u0336\u0310\u0489", 500) + " it is",
		"joiners":  strings.Repeat("\u200d\ufe0f\u200b", 1000) + "B\U000E0041\U000E0042",
		"jamo":     strings.Repeat("\u1100\u1161", 200) + strings.Repeat("\u1160", 200),
	}
}

// CheckFrameFits holds what is true of every frame of a screen of this size.
func CheckFrameFits(t testing.TB, view string, width, height int, what string) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != height && height > 0 {
		t.Fatalf("%s: %d lines on %d", what, len(lines), height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Fatalf("%s: line %d is %d wide on %d: %q", what, i, w, width, l)
		}
	}
	if !utf8.ValidString(view) {
		t.Fatalf("%s: the frame is no UTF-8", what)
	}
	for _, r := range ansi.Strip(view) {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			t.Fatalf("%s: the frame lets %U through", what, r)
		}
	}
}

// NewPNG gives the file of a picture with a bright disc.
func NewPNG(w, h int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{R: 20, G: 40, B: 120, A: 255}
			if dx, dy := x-w/2, y-h/2; dx*dx+dy*dy < h*h/9 {
				c = color.RGBA{R: 250, G: 220, B: 60, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}
