package widget

import (
	"io"
	"math"
	"reflect"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Every colour is read against the background that it is for, at 24 bits and at
// 256 colours: text at 4.5 to 1, what only separates or fills at 3 to 1 (WCAG
// 2.2, 1.4.3 and 1.4.11). Sixteen colours are the terminal's own: which they
// are its user has chosen.
func TestColoursAreReadable(t *testing.T) {
	least := map[string]float64{"Disabled": 3, "Border": 3, "BarFull": 3, "BarEmpty": 3}
	for _, dark := range []bool{false, true} {
		r := lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.TrueColor)
		r.SetHasDarkBackground(dark)
		paper := 1.0
		if dark {
			paper = 0
		}
		th := reflect.ValueOf(*NewTheme(r))
		coloured := 0
		for i := range th.NumField() {
			if !th.Type().Field(i).IsExported() {
				continue
			}
			style, ok := th.Field(i).Interface().(CachedStyle)
			if !ok {
				continue
			}
			c, ok := style.GetForeground().(lipgloss.CompleteAdaptiveColor)
			if !ok {
				continue // the terminal's own text
			}
			coloured++
			one := c.Light
			if dark {
				one = c.Dark
			}
			name, want := th.Type().Field(i).Name, 4.5
			if n, ok := least[name]; ok {
				want = n
			}
			for _, p := range []struct {
				profile termenv.Profile
				colour  string
			}{{termenv.TrueColor, one.TrueColor}, {termenv.ANSI256, one.ANSI256}} {
				if got := contrast(luminance(p.profile.Color(p.colour)), paper); got < want {
					t.Errorf("%s with %s on a dark background %v: %.2f to 1, want %.1f", name, p.profile.Name(), dark, got, want)
				}
			}
		}
		if coloured < 8 {
			t.Errorf("%d styles have a colour", coloured)
		}
	}
}

// luminance is that of a colour, from black, 0, to white, 1.
func luminance(c termenv.Color) float64 {
	rgb := termenv.ConvertToRGB(c)
	linear := func(f float64) float64 {
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb.R) + 0.7152*linear(rgb.G) + 0.0722*linear(rgb.B)
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

func TestShade(t *testing.T) {
	steps := [4]float64{0.25, 0.5, 0.75, 1}
	check := func(v float64, want string) {
		t.Helper()
		if got := ShadeMark(v, steps); got != want {
			t.Errorf("Shade(%v) = %q, want %q", v, got, want)
		}
	}
	check(0, "·")
	check(0.25, "░")
	check(0.74, "▒")
	check(0.75, "▓")
	check(1, "█")
	check(math.NaN(), "·")
}
