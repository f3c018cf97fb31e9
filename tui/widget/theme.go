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
	panes    map[string]*PaneSize

	Text     CachedStyle // what is read
	Strong   CachedStyle // what is read first
	Title    CachedStyle // names of screens and panes
	Faint    CachedStyle // what may be overlooked
	Accent   CachedStyle // what can be acted on
	Key      CachedStyle // a key, in footers and on options
	KeyText  CachedStyle // what that key does
	Disabled CachedStyle // what cannot be done now
	Good     CachedStyle
	Bad      CachedStyle
	Warn     CachedStyle
	Selected CachedStyle // the row or option under the cursor
	Border   CachedStyle
	BarFull  CachedStyle
	BarEmpty CachedStyle
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
		panes:    make(map[string]*PaneSize),
		Text:     cachedStyle(r, plain),
		Strong:   cachedStyle(r, plain.Bold(true)),
		Title:    cachedStyle(r, plain.Bold(true).Foreground(accent)),
		Faint:    cachedStyle(r, plain.Foreground(faint)),
		Accent:   cachedStyle(r, plain.Foreground(accent)),
		Key:      cachedStyle(r, plain.Bold(true).Foreground(accent)),
		KeyText:  cachedStyle(r, plain.Foreground(faint)),
		Disabled: cachedStyle(r, plain.Foreground(faint).Faint(true)),
		Good:     cachedStyle(r, plain.Foreground(good)),
		Bad:      cachedStyle(r, plain.Foreground(bad)),
		Warn:     cachedStyle(r, plain.Foreground(warn)),
		Selected: cachedStyle(r, plain.Bold(true).Reverse(true)),
		Border:   cachedStyle(r, plain.Foreground(faint)),
		BarFull:  cachedStyle(r, plain.Foreground(accent)),
		BarEmpty: cachedStyle(r, plain.Foreground(faint)),
	}
}

// Profile is the colour depth of the theme's terminal; termenv.Ascii when
// there are no colours (NO_COLOR).
func (t *Theme) Profile() termenv.Profile { return t.Renderer.ColorProfile() }

// Dark reports whether the terminal's background is dark.
func (t *Theme) Dark() bool { return t.Renderer.HasDarkBackground() }

// Warning colours a note that there may not be.
func (t *Theme) Warning(note string) string {
	if note == "" {
		return ""
	}
	return t.Warn.Render(note)
}
