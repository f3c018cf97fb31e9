package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestTrend(t *testing.T) {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.Ascii)
	theme := NewTheme(r)
	points := []Point{
		{Label: "#1", Low: 0.42, Value: 0.5, High: 0.58, Hollow: true},
		{Label: "#2", Low: 0.55, Value: 0.6, High: 0.65, Hollow: true},
		{Label: "today", Low: 0.75, Value: 0.78, High: 0.81},
	}
	want := `
 90 %
                          ┬
                         ·●
                      ···
 65 %             ┬ ··
          ┬   ····○·
          ○···    ┴
          │
 40 %     ┴
         #1      #2     today`
	lines := theme.Trend(points, 30, 10)
	for i := range lines {
		if Width(lines[i]) != 30 {
			t.Errorf("line %d is %d wide", i, Width(lines[i]))
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if got := strings.Join(lines, "\n"); got != want[1:] {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
	for _, size := range [][2]int{{0, 0}, {5, 5}, {10, 3}, {200, 1}} {
		lines := theme.Trend(points, size[0], size[1])
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
	}
	// Without room for all, the last ones stand there.
	if got := strings.Join(theme.Trend(points, 14, 4), ""); strings.Contains(got, "#1") || !strings.Contains(got, "#2") {
		t.Errorf("cut short: %q", got)
	}
	theme.Trend([]Point{{Value: 0}, {Value: 1, Low: 1, High: 1}}, 20, 5)
	theme.Trend([]Point{{Low: 1, Value: 1, High: 1}}, 20, 5)
}

func TestIntervalBeside(t *testing.T) {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.Ascii)
	theme := NewTheme(r)
	check := func(other float64, want string) {
		t.Helper()
		if got := theme.IntervalBeside(10, 0.3, 0.5, 0.7, other); got != want {
			t.Errorf("%v: %q, want %q", other, got, want)
		}
	}
	check(0.1, "█▽█├─●─┤··")
	check(0.4, "███├▽●─┤··")
	check(0.99, "███├─●─┤·▽")
	check(0.55, "███├─▼─┤··")
	check(0.3, "███▽─●─┤··")
}
