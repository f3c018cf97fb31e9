package eval

import (
	"math"
	"unicode"
)

const charsPerToken = 4 // of text in an alphabet

// TextTokens is about how many tokens a text takes: one for four characters
// of an alphabet, one for each CJK character.
func TextTokens(text string) int {
	wide, narrow := 0, 0
	for _, r := range text {
		if r >= 0x1100 && isWide(r) {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+charsPerToken-1)/charsPerToken
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0x3001 && r <= 0x303f || r >= 0xff01 && r <= 0xff60 // their punctuation
}

// PictureSize is a picture's size in pixels. The zero value is not known.
type PictureSize struct{ Width, Height int }

func (p PictureSize) known() bool { return p.Width > 0 && p.Height > 0 }

// What a picture of unknown size is taken as: two tiles.
const (
	unknownWidth  = 640
	unknownHeight = 480
)

// Tokens is what a picture costs, scaled down to the longer edge (0: as it
// is), by the tile formula that vendors publish: it is scaled down to fit
// 2048 x 2048, then to a shorter edge of 768, and costs 85 tokens and 170 more
// for each tile of 512 x 512.
func (p PictureSize) Tokens(edge int) int {
	if !p.known() {
		p = PictureSize{unknownWidth, unknownHeight}
	}
	x, y := float64(p.Width), float64(p.Height)
	shrink := func(now, to float64) {
		if now > to {
			x, y = x*to/now, y*to/now
		}
	}
	if edge > 0 {
		shrink(max(x, y), float64(edge))
	}
	shrink(max(x, y), 2048)
	shrink(min(x, y), 768)
	tiles := func(length float64) int { return max(int(math.Ceil(length/512-1e-9)), 1) }
	return 85 + 170*tiles(x)*tiles(y)
}
