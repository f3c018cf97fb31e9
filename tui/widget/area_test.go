package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestArea(t *testing.T) {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.Ascii)
	theme := NewTheme(r)
	check := func(values []float64, width, height int, want ...string) {
		t.Helper()
		got := theme.DrawArea(values, 0, 4, width, height)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%v in %dx%d:\n%s", values, width, height, strings.Join(got, "\n"))
		}
	}
	check([]float64{0, 1, 2, 3, 4}, 5, 2, "   ▄█", " ▄███")
	check([]float64{4}, 3, 1, "███")
	check([]float64{1, 2, 8}, 3, 1, "▂▄█")
	check(nil, 3, 1, "   ")
	check([]float64{1, 1, 1, 4}, 2, 1, "▂█")
	check([]float64{1}, 0, 0)
	check([]float64{1}, 3, 0)
}
