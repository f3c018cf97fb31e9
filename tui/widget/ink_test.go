package widget

import (
	"io"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Ink writes what its style would, on whatever terminal it comes to.
func TestInkIsItsStyle(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	theme := NewTheme(r)
	inks := []CachedStyle{theme.Text, theme.Strong, theme.Faint, theme.Disabled, theme.Selected, theme.Warn, {Style: r.NewStyle().Underline(true)}}
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
		for _, dark := range []bool{true, false} {
			r.SetColorProfile(profile)
			r.SetHasDarkBackground(dark)
			for n, i := range inks {
				for _, text := range []string{"a", "two words", "", "é好", "a\nb", "a\tb", "a\r\nb"} {
					if got, want := i.Render(text), i.Style.Render(text); got != want {
						t.Errorf("ink %d on %s: %q is %q, want %q", n, profile.Name(), text, got, want)
					}
				}
			}
		}
	}
}

func BenchmarkInk(b *testing.B) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI256)
	t := NewTheme(r)
	b.Run("ink", func(b *testing.B) {
		for b.Loop() {
			t.Faint.Render("a few words of text")
		}
	})
	b.Run("style", func(b *testing.B) {
		for b.Loop() {
			t.Faint.Style.Render("a few words of text")
		}
	})
}
