package widget

import (
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
	Easel    *Easel // draws pictures
	rooms    map[string]*Room

	Text     lipgloss.Style // what is read
	Strong   lipgloss.Style // what is read first
	Title    lipgloss.Style // names of screens and panes
	Faint    lipgloss.Style // what may be overlooked
	Accent   lipgloss.Style // what can be acted on
	Key      lipgloss.Style // a key, in footers and on options
	KeyText  lipgloss.Style // what that key does
	Disabled lipgloss.Style // what cannot be done now
	Good     lipgloss.Style
	Bad      lipgloss.Style
	Warn     lipgloss.Style
	Selected lipgloss.Style // the row or option under the cursor
	Border   lipgloss.Style
	BarFull  lipgloss.Style
	BarEmpty lipgloss.Style
}

// hue is a colour for light and dark backgrounds, and the one of the sixteen
// that says the same: the nearest one makes what may be overlooked as loud as
// what can be acted on.
func hue(light, dark, lightOf16, darkOf16 string) lipgloss.CompleteAdaptiveColor {
	return lipgloss.CompleteAdaptiveColor{
		Light: lipgloss.CompleteColor{TrueColor: light, ANSI256: light, ANSI: lightOf16},
		Dark:  lipgloss.CompleteColor{TrueColor: dark, ANSI256: dark, ANSI: darkOf16},
	}
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
		Easel:    NewEasel(r, Manner{}),
		rooms:    make(map[string]*Room),
		Text:     plain,
		Strong:   plain.Bold(true),
		Title:    plain.Bold(true).Foreground(accent),
		Faint:    plain.Foreground(faint),
		Accent:   plain.Foreground(accent),
		Key:      plain.Bold(true).Foreground(accent),
		KeyText:  plain.Foreground(faint),
		Disabled: plain.Foreground(faint).Faint(true),
		Good:     plain.Foreground(good),
		Bad:      plain.Foreground(bad),
		Warn:     plain.Foreground(warn),
		Selected: plain.Bold(true).Reverse(true),
		Border:   plain.Foreground(faint),
		BarFull:  plain.Foreground(accent),
		BarEmpty: plain.Foreground(faint),
	}
}

// Profile is the colour depth of the theme's terminal; termenv.Ascii when
// there are no colours (NO_COLOR).
func (t *Theme) Profile() termenv.Profile { return t.Renderer.ColorProfile() }

// Dark reports whether the terminal's background is dark.
func (t *Theme) Dark() bool { return t.Renderer.HasDarkBackground() }
