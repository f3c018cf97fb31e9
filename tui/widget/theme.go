package widget

import (
	"strconv"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme is every style that the screens use, made for one renderer: one
// terminal, one background, one colour depth. Styles set the foreground only,
// so that the terminal's own background stays (lazygit #508, glow #953), and
// none of them is the only bearer of a meaning: a glyph or a word stands
// beside each.
type Theme struct {
	Renderer *lipgloss.Renderer
	Images   *ImageRenderer // draws pictures
	rooms    map[string]*Room

	Text     Ink // what is read
	Strong   Ink // what is read first
	Title    Ink // names of screens and panes
	Faint    Ink // what may be overlooked
	Accent   Ink // what can be acted on
	Key      Ink // a key, in footers and on options
	KeyText  Ink // what that key does
	Disabled Ink // what cannot be done now
	Good     Ink
	Bad      Ink
	Warn     Ink
	Selected Ink // the row or option under the cursor
	Border   Ink
	BarFull  Ink
	BarEmpty Ink
}

// hue is a colour for light and dark backgrounds, and the one of the sixteen
// that says the same: the nearest one makes what may be overlooked as loud as
// what can be acted on.
func hue(light, dark, lightOf16, darkOf16 string) lipgloss.CompleteAdaptiveColor {
	return lipgloss.CompleteAdaptiveColor{
		Light: lipgloss.CompleteColor{TrueColor: light, ANSI256: of256(light), ANSI: lightOf16},
		Dark:  lipgloss.CompleteColor{TrueColor: dark, ANSI256: of256(dark), ANSI: darkOf16},
	}
}

// of256 is the nearest of the 256 colours, by its number: found once, and not
// each time that something is drawn.
func of256(hex string) string {
	if c, ok := termenv.ANSI256.Color(hex).(termenv.ANSI256Color); ok {
		return strconv.Itoa(int(c))
	}
	return hex
}

// NewTheme makes the theme of a renderer. The renderer has to know its
// background (SetHasDarkBackground) and its colour profile: one that does not
// asks the terminal, and may wait for an answer that never comes.
func NewTheme(r *lipgloss.Renderer) *Theme {
	var (
		accent = hue("#1D4ED8", "#7DA6FF", "4", "12")
		faint  = hue("#6B7280", "#8B93A1", "8", "8")
		good   = hue("#15803D", "#5BD38A", "2", "10")
		bad    = hue("#B91C1C", "#FF7B72", "1", "9")
		warn   = hue("#A35200", "#F2B84B", "3", "11")
	)
	plain := r.NewStyle()
	return &Theme{
		Renderer: r,
		Images:   NewImageRenderer(r, Manner{}),
		rooms:    make(map[string]*Room),
		Text:     inked(r, plain),
		Strong:   inked(r, plain.Bold(true)),
		Title:    inked(r, plain.Bold(true).Foreground(accent)),
		Faint:    inked(r, plain.Foreground(faint)),
		Accent:   inked(r, plain.Foreground(accent)),
		Key:      inked(r, plain.Bold(true).Foreground(accent)),
		KeyText:  inked(r, plain.Foreground(faint)),
		Disabled: inked(r, plain.Foreground(faint).Faint(true)),
		Good:     inked(r, plain.Foreground(good)),
		Bad:      inked(r, plain.Foreground(bad)),
		Warn:     inked(r, plain.Foreground(warn)),
		Selected: inked(r, plain.Bold(true).Reverse(true)),
		Border:   inked(r, plain.Foreground(faint)),
		BarFull:  inked(r, plain.Foreground(accent)),
		BarEmpty: inked(r, plain.Foreground(faint)),
	}
}

// Profile is the colour depth of the theme's terminal; termenv.Ascii when
// there are no colours (NO_COLOR).
func (t *Theme) Profile() termenv.Profile { return t.Renderer.ColorProfile() }

// Dark reports whether the terminal's background is dark.
func (t *Theme) Dark() bool { return t.Renderer.HasDarkBackground() }
