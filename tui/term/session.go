package term

import (
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"

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

	Kitty        bool // it answered the kitty graphics query
	Placeholders bool // it draws kitty's pictures in place of characters
	Sixel        bool
	ITerm2       bool
	Mux          Mux

	typed []byte // by a person, while the terminal was asked
}

// NewSession puts together what a terminal answered and what the environment
// says. environ is as os.Environ gives it; of an SSH session, the client's.
func NewSession(environ []string, r Replies, mux Mux) *Session {
	getenv := Lookup(environ)
	s := &Session{
		Profile: profile(environ), Background: r.Background, Cell: r.Cell, Answered: r.Complete,
		Kitty: r.Kitty, Sixel: slices.Contains(r.Attributes, 4), Mux: mux,
		Dark: background.Dark(getenv),
	}
	if theme := strings.ToLower(getenv("CONCORD_UI_THEME")); r.Background != nil && theme != "dark" && theme != "light" {
		s.Dark = dark(r.Background)
	}
	switch {
	case mux.In:
		s.Brand = mux.Outer
		s.Placeholders = mux.Passthrough && placeholders(s.Brand)
	default:
		if s.Brand = brand(r.Version); s.Brand.Name == "" {
			s.Brand = Brand{Name: printable(getenv("TERM_PROGRAM")), Version: printable(getenv("TERM_PROGRAM_VERSION"))}
		}
		s.Placeholders = r.Kitty && placeholders(s.Brand)
		s.ITerm2 = drawsITerm2(s.Brand)
		if s.Profile != termenv.Ascii && trueColour(s.Brand) && r.Version != "" {
			s.Profile = termenv.TrueColor // over SSH, COLORTERM stays behind
		}
	}
	return s
}

// cellSize is that of a cell in pixels, or a usual one where it is not known.
func (s *Session) cellSize() image.Point {
	if s.Cell.X == 0 {
		return image.Pt(10, 20) // small letters on a usual screen
	}
	return s.Cell
}

// profile is the colour depth that the environment promises.
func profile(environ []string) termenv.Profile {
	env := environment{environ, Lookup(environ)}
	return termenv.NewOutput(nil, termenv.WithEnvironment(env), termenv.WithTTY(true)).EnvColorProfile()
}

// environment is an environment in the form that termenv wants.
type environment struct {
	all    []string
	getenv func(string) string
}

func (e environment) Environ() []string         { return e.all }
func (e environment) Getenv(name string) string { return e.getenv(name) }

// dark is whether a colour is nearer to black than to white (ITU-R BT.601).
func dark(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return (299*r+587*g+114*b)/1000 < 0x8000
}

// brand divides what XTVERSION says: "kitty(0.35.2)", "ghostty 1.0.1".
func brand(version string) Brand {
	name, rest := version, ""
	if i := strings.IndexAny(version, " ("); i >= 0 {
		name, rest = version[:i], strings.TrimSuffix(strings.TrimLeft(version[i:], " ("), ")")
	}
	return Brand{Name: printable(name), Version: printable(rest)}
}

// placeholders is whether a terminal draws kitty's Unicode placeholders. A
// terminal that only answers the query may not: WezTerm shows boxes.
func placeholders(b Brand) bool {
	switch strings.ToLower(b.Name) {
	case "kitty":
		return b.atLeast(0, 28)
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
	case "konsole":
		return b.atLeast(22, 4)
	}
	return false
}

// trueColour is whether a terminal has all colours, whatever its TERM says.
func trueColour(b Brand) bool {
	switch strings.ToLower(b.Name) {
	case "kitty", "ghostty", "wezterm", "iterm2", "foot":
		return true
	}
	return false
}

// atLeast compares the first numbers of a version; one that is not known is
// too old.
func (b Brand) atLeast(want ...int) bool {
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
