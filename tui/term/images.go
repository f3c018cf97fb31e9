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
	ImagesITerm2        // iTerm2's protocol, on the whole screen; half blocks beside text
	ImagesSixel         // sixel, likewise
	ImagesBlocks        // half blocks in the terminal's colours
	ImagesASCII         // characters by their lightness
	ImagesOff
)

var imageNames = [...]string{"", "auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off"}

func (i Images) String() string {
	if int(i) >= len(imageNames) {
		return fmt.Sprintf("Images(%d)", uint8(i))
	}
	return imageNames[i]
}

// ParseImages reads the name of a way to show pictures; "" is ImagesUnset.
func ParseImages(s string) (Images, error) {
	for i, name := range imageNames {
		if strings.EqualFold(strings.TrimSpace(s), name) {
			return Images(i), nil
		}
	}
	return ImagesUnset, fmt.Errorf("no way to show images is called %q: it is one of %s", s, strings.Join(imageNames[1:], ", "))
}

// Choice is how pictures are shown on one terminal.
type Choice struct {
	Inline Images // beside text: ImagesKitty, ImagesBlocks, ImagesASCII or ImagesOff
	Full   Images // on the whole screen: one of these, ImagesITerm2 or ImagesSixel
	Why    string // in words
	Hint   string // what would show more, in one line; "" for nothing
}

// Choose says how pictures are shown when want is wished for.
func (s *Session) Choose(want Images) Choice {
	plain := ImagesBlocks
	if s.Profile == termenv.Ascii {
		plain = ImagesASCII
	}
	asked := "as asked for"
	switch want {
	case ImagesUnset, ImagesAuto:
	case ImagesKitty, ImagesASCII, ImagesOff:
		return Choice{Inline: want, Full: want, Why: asked}
	case ImagesITerm2, ImagesSixel:
		return Choice{Inline: plain, Full: want, Why: asked}
	case ImagesBlocks:
		return Choice{Inline: plain, Full: plain, Why: asked}
	}
	switch {
	case plain == ImagesASCII:
		return Choice{Inline: plain, Full: plain, Why: "there are no colours"}
	case s.Placeholders:
		return Choice{Inline: ImagesKitty, Full: ImagesKitty, Why: s.Brand.String() + " draws them"}
	case s.ITerm2:
		return Choice{Inline: plain, Full: ImagesITerm2, Why: s.Brand.String() + " draws images, but none beside text that changes"}
	case s.Sixel:
		return Choice{Inline: plain, Full: ImagesSixel, Why: "the terminal draws sixels, but none beside text that changes"}
	}
	c := Choice{Inline: plain, Full: plain, Why: "the terminal is not known to draw images"}
	if s.Mux.In && !s.Mux.Passthrough && placeholders(s.Mux.Outer) {
		c.Why = "tmux hands no images on"
		c.Hint = "images would be sharp here with: tmux set -g allow-passthrough on"
	}
	return c
}
