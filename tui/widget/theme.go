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

func adaptive(light, dark string) lipgloss.AdaptiveColor {
	return lipgloss.AdaptiveColor{Light: light, Dark: dark}
}

// NewTheme makes the theme of a renderer. The renderer has to know its
// background (SetHasDarkBackground) and its colour profile: one that does not
// asks the terminal, and may wait for an answer that never comes.
func NewTheme(r *lipgloss.Renderer) *Theme {
	var (
		accent = adaptive("#1D4ED8", "#7DA6FF")
		faint  = adaptive("#6B7280", "#8B93A1")
		good   = adaptive("#15803D", "#5BD38A")
		bad    = adaptive("#B91C1C", "#FF7B72")
		warn   = adaptive("#A35200", "#F2B84B")
	)
	plain := r.NewStyle()
	return &Theme{
		Renderer: r,
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
