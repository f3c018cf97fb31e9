package term

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/tui/term/background"
)

// Brand is what a terminal calls itself.
type Brand struct{ Name, Version string }

func (b Brand) String() string { return strings.TrimSpace(b.Name + " " + b.Version) }

// Session is one terminal as it was found: what it is and what it can do.
type Session struct {
	Profile    termenv.Profile // colour depth; Ascii is none
	Background color.Color     // nil when the terminal did not say
	Dark       bool            // the background, said or supposed
	Cell       image.Point     // a cell in pixels; zero when not known
	Brand      Brand           // of the terminal that draws: around tmux, not tmux
	Answered   bool            // it answered at all

	Kitty         bool // it answered the kitty graphics query
	Placeholders  bool // it draws kitty's pictures in place of characters
	Sixel, ITerm2 bool
	Mux           Mux
	Extras        Extras

	typed []byte // by a person, while the terminal was asked
}

// NewSession puts together what a terminal answered and what the environment
// says. environ is as os.Environ gives it; of an SSH session, the client's.
func NewSession(environ []string, r Replies, mux Mux) *Session {
	getenv := NewEnvLookup(environ)
	s := &Session{
		Profile:    termenv.NewOutput(nil, termenv.WithEnvironment(environment(environ)), termenv.WithTTY(true)).EnvColorProfile(),
		Background: r.Background, Cell: r.Cell, Answered: r.Complete,
		Kitty: r.Kitty, Sixel: slices.Contains(r.Attributes, 4), Mux: mux,
		Dark: background.IsDark(getenv),
	}
	if theme := strings.ToLower(getenv("CONCORD_UI_THEME")); r.Background != nil && theme != "dark" && theme != "light" {
		red, green, blue, _ := r.Background.RGBA()
		s.Dark = (299*red+587*green+114*blue)/1000 < 0x8000 // nearer to black than to white (ITU-R BT.601)
	}
	switch {
	case mux.In:
		s.Brand = mux.Outer
		s.Placeholders = mux.Passthrough && drawsPlaceholders(s.Brand)
	default:
		if s.Brand = parseBrand(r.Version); s.Brand.Name == "" {
			s.Brand = Brand{Name: stripUnprintable(getenv("TERM_PROGRAM")), Version: stripUnprintable(getenv("TERM_PROGRAM_VERSION"))}
		}
		s.Placeholders = r.Kitty && drawsPlaceholders(s.Brand)
		s.ITerm2 = drawsITerm2(s.Brand)
		if s.Profile != termenv.Ascii && hasTrueColor(s.Brand) && r.Version != "" {
			s.Profile = termenv.TrueColor // over SSH, COLORTERM stays behind
		}
	}
	s.Extras = s.newExtras(getenv, r.Sync)
	return s
}

// cellSizeOrUsual is that of a cell in pixels, or a usual one where it is not known.
func (s *Session) cellSizeOrUsual() image.Point {
	if s.Cell.X == 0 {
		return image.Pt(10, 20) // small letters on a usual screen
	}
	return s.Cell
}

// environment is an environment in the form that termenv wants.
type environment []string

func (e environment) Environ() []string         { return e }
func (e environment) Getenv(name string) string { return NewEnvLookup(e)(name) }

// parseBrand divides what XTVERSION says: "kitty(0.35.2)", "ghostty 1.0.1".
func parseBrand(version string) Brand {
	name, rest := version, ""
	if i := strings.IndexAny(version, " ("); i >= 0 {
		name, rest = version[:i], strings.TrimSuffix(strings.TrimLeft(version[i:], " ("), ")")
	}
	return Brand{Name: stripUnprintable(name), Version: stripUnprintable(rest)}
}

// drawsPlaceholders is whether a terminal draws kitty's Unicode placeholders. A
// terminal that only answers the query may not: WezTerm shows boxes.
func drawsPlaceholders(b Brand) bool {
	switch strings.ToLower(b.Name) {
	case "kitty":
		return b.isAtLeast(0, 28)
	case "ghostty":
		return true
	}
	return false
}

// drawsITerm2 is whether a terminal draws pictures by iTerm2's protocol.
func drawsITerm2(b Brand) bool {
	switch strings.ToLower(b.Name) {
	case "iterm2", "iterm.app", "wezterm":
		return true
	}
	return false
}

// keepsImages is whether a terminal leaves an image where it is when text is
// written over it, and removes it by kitty's protocol alone.
func keepsImages(b Brand) bool { return strings.EqualFold(b.Name, "konsole") }

// maxImageSide is how many pixels a side of an image has at most: xterm draws nothing of
// a larger one, unless its maxGraphicSize is set.
func maxImageSide(b Brand) int {
	if strings.EqualFold(b.Name, "xterm") {
		return 1000
	}
	return math.MaxInt
}

// hasTrueColor is whether a terminal has all colours, whatever its TERM says.
func hasTrueColor(b Brand) bool {
	switch strings.ToLower(b.Name) {
	case "kitty", "ghostty", "wezterm", "iterm2", "foot":
		return true
	}
	return false
}

// isAtLeast compares the first numbers of a version; one that is not known is too old.
func (b Brand) isAtLeast(want ...int) bool {
	have := strings.Split(b.Version, ".")
	for i, w := range want {
		if i >= len(have) {
			return false
		}
		n, err := strconv.Atoi(have[i])
		if err != nil || n != w {
			return err == nil && n > w
		}
	}
	return true
}

// Mux is a tmux that stands between the app and the terminal, and what it says
// of that. The zero value is that there is none.
type Mux struct {
	In          bool
	Passthrough bool  // it hands sequences on that it does not know
	Outer       Brand // the terminal around it
}

// muxFormat asks for the option and what tmux knows of the terminal: TERM, and its answer to XTVERSION.
const muxFormat = "#{allow-passthrough}\t#{client_termname}\t#{client_termtype}"

func askTmux(getenv func(string) string) Mux {
	if getenv("TMUX") == "" {
		return Mux{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	out, err := exec.CommandContext(ctx, "tmux", "display-message", "-p", muxFormat).Output()
	if err != nil {
		return Mux{In: true}
	}
	return parseTmuxReply(string(out))
}

func parseTmuxReply(s string) Mux {
	m := Mux{In: true}
	f := strings.Split(strings.TrimRight(s, "\n"), "\t")
	m.Passthrough = f[0] == "on" || f[0] == "all"
	if len(f) == 3 {
		if m.Outer = parseBrand(f[2]); m.Outer.Name == "" {
			m.Outer = Brand{Name: strings.TrimPrefix(stripUnprintable(f[1]), "xterm-")}
		}
	}
	return m
}

// SendEarlyKeys sends a program what was typed while the terminal was asked. It waits for the program to take it.
func (s *Session) SendEarlyKeys(send func(tea.Msg)) {
	for _, k := range parseKeys(s.typed) {
		send(k)
	}
}

// parseKeys gives the keys of typed bytes: characters and control characters. A
// key that is a sequence is left out, as nobody steers what is not there yet.
func parseKeys(typed []byte) []tea.KeyMsg {
	var out []tea.KeyMsg
	for len(typed) > 0 {
		c, n := utf8.DecodeRune(typed)
		if c == esc && len(typed) > 1 {
			n = escapeLen(typed)
		}
		switch {
		case n > 1 && c == esc, c == utf8.RuneError:
		case c == ' ':
			out = append(out, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{c}})
		case c < ' ' || c == 0x7f:
			out = append(out, tea.KeyMsg{Type: tea.KeyType(c)})
		default:
			out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
		}
		typed = typed[n:]
	}
	return out
}

// escapeLen gives the length of the escape sequence at the beginning.
func escapeLen(b []byte) int {
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return len(b)
	case 'O':
		return min(3, len(b))
	}
	_, n := utf8.DecodeRune(b[1:])
	return 1 + n
}

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

// ChooseImages says how images are shown when want is wished for.
func (s *Session) ChooseImages(want Images) Choice {
	const asked = "as asked for"
	switch way := s.bestImageWay(); {
	case (want == ImagesSixel || want == ImagesITerm2) && s.Kitty && keepsImages(s.Brand):
		const why = "leaves images of other protocols than kitty's under whatever comes later: kitty's is used"
		return Choice{Way: ImagesPlaced, Why: s.Brand.Name + " " + why, Hint: s.Brand.Name + " " + why}
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
	if s.Mux.In && !s.Mux.Passthrough && drawsPlaceholders(s.Mux.Outer) {
		c.Why = "tmux hands no images on"
		c.Hint = "images would be sharp here with: tmux set -g allow-passthrough on"
	}
	return c
}

// bestImageWay is the best way that the terminal is known to do.
func (s *Session) bestImageWay() Images {
	switch {
	case s.Profile == termenv.Ascii:
		return ImagesASCII
	case s.Placeholders:
		return ImagesKitty
	case s.Kitty && !s.Mux.In && (keepsImages(s.Brand) || strings.EqualFold(s.Brand.Name, "kitty")):
		return ImagesPlaced
	case s.ITerm2:
		return ImagesITerm2
	case s.Sixel && s.Cell.X > 0 && !keepsImages(s.Brand):
		return ImagesSixel
	}
	return ImagesBlocks
}
