package widget

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"concord/eval/text"
)

const (
	tabStop  = 4
	maxMarks = 4   // combining marks kept on one letter; more is a flood
	maxFlood = 256 // runes looked at behind one letter, so that a line stays short
)

// textGlyph is the smallest piece of text that is shown: a letter with its marks,
// or the visible form of what must not reach a terminal.
type textGlyph struct {
	text    string
	width   int
	raw     int  // bytes of the source that it stands for
	newline bool // ends the line; has no text
	space   bool // a line may be broken behind it, and it may hang
}

// readGlyph reads the glyph at the start of s, not empty. col is the cell it will stand in, for tabs.
func readGlyph(s string, col int) textGlyph {
	c := s[0]
	switch {
	case c == '\n':
		return textGlyph{raw: 1, newline: true}
	case c == '\r' && len(s) > 1 && s[1] == '\n':
		return textGlyph{raw: 2, newline: true}
	case c == '\t':
		n := tabStop - col%tabStop
		return textGlyph{text: "    "[:n], width: n, raw: 1, space: true}
	case c < 0x20:
		return textGlyph{text: string(rune(0x2400 + int(c))), width: 1, raw: 1}
	case c == 0x7f:
		return textGlyph{text: "\u2421", width: 1, raw: 1}
	case c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf):
		return textGlyph{text: s[:1], width: 1, raw: 1, space: c == ' '}
	}
	return readLetter(s)
}

// readLetter reads a letter with the marks that follow it.
func readLetter(s string) textGlyph {
	r, n := utf8.DecodeRuneInString(s)
	shown, newline := text.VisibleFormOf(r)
	if newline {
		return textGlyph{raw: n, newline: true}
	}
	if isCombiningMark(r) && !text.IsVariationSelector(r) {
		shown = "\u25cc" + shown // a mark without a letter of its own
	}
	if isFlagLetter(r) && n < len(s) {
		if second, size := utf8.DecodeRuneInString(s[n:]); isFlagLetter(second) {
			shown += s[n : n+size]
			n += size
		}
	}
	marks, simple := 0, true
	for range maxFlood {
		if n >= len(s) || s[n] < utf8.RuneSelf {
			break
		}
		m, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case isLeftOut(m):
		case isCombiningMark(m):
			marks++
			if marks <= maxMarks {
				shown, simple = shown+s[n:n+size], false
			} else if marks == maxMarks+1 {
				shown += "·"
			}
		default:
			return newGlyph(shown, n, r, simple)
		}
		n += size
	}
	return newGlyph(shown, n, r, simple)
}

func newGlyph(text string, raw int, r rune, simple bool) textGlyph {
	g := textGlyph{text: text, raw: raw, space: r == ' ' || r == 0x3000}
	if simple && r < 0x300 && len(text) == utf8.RuneLen(r) {
		g.width = 1
	} else {
		g.width = ansi.StringWidth(text)
	}
	if text != "" {
		g.width = max(g.width, 1) // terminals give stray jamo and fillers a cell
	}
	return g
}

// isCombiningMark tells the runes that stand on the letter before them.
func isCombiningMark(r rune) bool {
	return r >= 0x300 && (r < 0x3100 || r > 0xA66E) && (r < 0xAC00 || r > 0xD7A3) && unicode.Is(unicode.M, r)
}

// isFlagLetter tells the letters of which two make a flag.
func isFlagLetter(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// isLeftOut tells what is left out: joiners, selectors and skin tones make terminals disagree on the width
// of what they join. Without them, a joined emoji shows as its parts, at the same width everywhere.
func isLeftOut(r rune) bool {
	return r == 0x200C || r == 0x200D || text.IsVariationSelector(r) || r >= 0x1F3FB && r <= 0x1F3FF
}

// CleanText makes a stranger's text fit to be shown: control characters, escapes
// and direction overrides in a visible form, invalid UTF-8 as U+FFFD, tabs as
// spaces, floods of combining marks cut. Line ends stay, as "\n".
func CleanText(s string) string {
	if text.Outside(s).IsPlain() {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for col := 0; s != ""; {
		g := readGlyph(s, col)
		s = s[g.raw:]
		if g.newline {
			b.WriteByte('\n')
			col = 0
			continue
		}
		b.WriteString(g.text)
		col += g.width
	}
	return b.String()
}

// CleanLine is Clean for one line: ends of lines within it show as ⏎.
func CleanLine(s string) string {
	return strings.ReplaceAll(strings.TrimRight(CleanText(s), "\n"), "\n", "⏎")
}

// Gallery is the pictures that belong to one thing, of which one is in front. The zero value has none.
type Gallery struct {
	all []galleryEntry
	at  int
}

// galleryEntry is a picture, or why it cannot be shown.
type galleryEntry struct {
	image *Picture
	name  string
	err   error
}

// AddPicture puts a picture behind the others, or why it cannot be shown: it is
// counted all the same. The first that can be shown is in front.
func (g *Gallery) AddPicture(p *Picture, name string, err error) {
	if p != nil && !g.HasAny() {
		g.at = len(g.all)
	}
	g.all = append(g.all, galleryEntry{p, name, err})
}

// Len is how many there are, those that cannot be shown too.
func (g *Gallery) Len() int { return len(g.all) }

// HasAny reports whether any can be shown.
func (g *Gallery) HasAny() bool {
	return slices.ContainsFunc(g.all, func(one galleryEntry) bool { return one.image != nil })
}

// PictureAt is the n-th picture, from 0; nil when it cannot be shown.
func (g *Gallery) PictureAt(n int) *Picture {
	if n < 0 || n >= len(g.all) {
		return nil
	}
	return g.all[n].image
}

// PictureInFront is the picture in front; nil when it cannot be shown, or there is none.
func (g *Gallery) PictureInFront() *Picture { return g.PictureAt(g.at) }

// FrontName is what the file of the picture in front was called.
func (g *Gallery) FrontName() string {
	if g.at >= len(g.all) {
		return ""
	}
	return g.all[g.at].name
}

// ShowNext brings the next picture to the front, the first after the last, and tells whether there is one.
func (g *Gallery) ShowNext() bool {
	if len(g.all) < 2 {
		return false
	}
	g.at = (g.at + 1) % len(g.all)
	return true
}

// FormatGalleryPlace gives which of several pictures is in front and the next one's key; "" where there is one.
func (g *Gallery) FormatGalleryPlace(next string) string {
	if len(g.all) < 2 {
		return ""
	}
	return fmt.Sprintf("image %d of %d, %s next  ", g.at+1, len(g.all), next)
}

// DescribeFront is the place, size and name of the picture in front, or why it cannot be shown.
func (g *Gallery) DescribeFront(next string) string {
	if g.at >= len(g.all) {
		return ""
	}
	e, text := &g.all[g.at], g.FormatGalleryPlace(next)
	switch {
	case e.err != nil:
		return text + "no image: " + CleanLine(e.err.Error())
	case e.name == "":
		return text + e.image.FormatSize()
	}
	return text + e.image.FormatSize() + "  " + CleanLine(e.name)
}

// FirstError is why pictures cannot be shown; nil when all can.
func (g *Gallery) FirstError() error {
	var all []error
	for i := range g.all {
		all = append(all, g.all[i].err)
	}
	return errors.Join(all...)
}
