package term

import (
	"fmt"
	"strings"

	"github.com/muesli/termenv"
)

// Images is a way to show pictures.
type Images uint8

// The ways. ImagesUnset is nobody's wish, and the same as ImagesAuto.
const (
	ImagesUnset  Images = iota
	ImagesAuto          // the best that the terminal is known to do
	ImagesKitty         // kitty's Unicode placeholders
	ImagesITerm2        // iTerm2's protocol
	ImagesSixel         // sixel
	ImagesBlocks        // half blocks in the terminal's colours
	ImagesASCII         // characters by their lightness
	ImagesOff
	ImagesPlaced // kitty's protocol without placeholders; nobody's wish
)

var imageNames = [...]string{"", "auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off", "kitty without placeholders"}

func (i Images) String() string {
	if int(i) >= len(imageNames) {
		return fmt.Sprintf("Images(%d)", uint8(i))
	}
	return imageNames[i]
}

// ParseImages reads the name of a way to show pictures; "" is ImagesUnset.
func ParseImages(s string) (Images, error) {
	for i, name := range imageNames[:ImagesPlaced] {
		if strings.EqualFold(strings.TrimSpace(s), name) {
			return Images(i), nil
		}
	}
	return ImagesUnset, fmt.Errorf("no way to show images is called %q: it is one of %s", s, strings.Join(imageNames[1:ImagesPlaced], ", "))
}

// Choice is how images are shown on one terminal.
type Choice struct {
	Way  Images // ImagesUnset and ImagesAuto are none
	Why  string // in words
	Hint string // what would show more, in one line; "" for nothing
}

// Choose says how images are shown when want is wished for.
func (s *Session) Choose(want Images) Choice {
	const asked = "as asked for"
	switch way := s.best(); {
	case want == ImagesKitty && s.Kitty && !s.Placeholders:
		return Choice{Way: ImagesPlaced, Why: asked}
	case want == ImagesBlocks && s.Profile == termenv.Ascii:
		return Choice{Way: ImagesASCII, Why: asked}
	case want > ImagesAuto:
		return Choice{Way: want, Why: asked}
	case way == ImagesASCII:
		return Choice{Way: way, Why: "there are no colours"}
	case way == ImagesSixel:
		return Choice{Way: way, Why: "the terminal draws sixels"}
	case way != ImagesBlocks:
		return Choice{Way: way, Why: s.Brand.String() + " draws them"}
	}
	c := Choice{Way: ImagesBlocks, Why: "the terminal is not known to draw images"}
	if s.Mux.In && !s.Mux.Passthrough && placeholders(s.Mux.Outer) {
		c.Why = "tmux hands no images on"
		c.Hint = "images would be sharp here with: tmux set -g allow-passthrough on"
	}
	return c
}

// best is the best way that the terminal is known to do.
func (s *Session) best() Images {
	switch {
	case s.Profile == termenv.Ascii:
		return ImagesASCII
	case s.Placeholders:
		return ImagesKitty
	case s.Kitty && !s.Mux.In && strings.EqualFold(s.Brand.Name, "kitty"):
		return ImagesPlaced
	case s.ITerm2:
		return ImagesITerm2
	case s.Sixel && s.Cell.X > 0:
		return ImagesSixel
	}
	return ImagesBlocks
}
