package widget

import (
	"image"
	"io"
	"regexp"
	"slices"
	"strings"
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

// TestSixteenColoursAreGray: the nearest of 16 colours to beige is yellow, and
// whoever is asked for a colour would be misled.
func TestSixteenColoursAreGray(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for i := range 40 * 20 {
		copy(img.Pix[4*i:], []byte{245, 222, uint8(150 + i%40), 255})
	}
	all := strings.Join(renderBlocks(img, termenv.ANSI, true), "")
	for _, code := range regexp.MustCompile(`\d+`).FindAllString(all, -1) {
		if !slices.Contains([]string{"30", "40", "37", "47", "90", "100", "97", "107"}, code) {
			t.Errorf("draws with %s", code)
		}
	}
	if !strings.Contains(all, "107") || !strings.Contains(all, "47") {
		t.Errorf("nothing is dithered: %.200q", all)
	}
}
