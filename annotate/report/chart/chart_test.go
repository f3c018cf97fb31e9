package chart

import (
	"math"
	"testing"
)

// within demands that every shape lies in its drawing.
func within(t *testing.T, d Drawing) {
	t.Helper()
	in := func(x, y float64) bool {
		return x >= 0 && y >= 0 && x <= float64(d.Width) && y <= float64(d.Height)
	}
	for _, r := range d.Rects {
		if !in(r.X, r.Y) || !in(r.X+r.W, r.Y+r.H) || r.W < 0 || r.H < 0 || r.Opacity < 0 || r.Opacity > 1 || r.Series < 0 || r.Series >= Series {
			t.Errorf("%s: %+v", d.Title, r)
		}
	}
	for _, l := range d.Lines {
		if !in(l.X1, l.Y1) || !in(l.X2, l.Y2) {
			t.Errorf("%s: %+v", d.Title, l)
		}
	}
	for _, s := range d.Texts {
		if !in(s.X, s.Y) || s.Anchor == "" {
			t.Errorf("%s: %+v", d.Title, s)
		}
	}
}

func TestWithin(t *testing.T) {
	within(t, DrawBars("none", 0, "", nil))
	within(t, DrawBars("odd", 0, "%", []Bar{
		{Label: "long " + string(make([]byte, 500)), Value: 80, Low: 70, High: 130, Interval: true, Figure: "80"},
		{Group: "g", Label: "below", Value: -3, Low: -5, High: 1, Interval: true, Series: 11},
		{Group: "g", Label: "nothing", Missing: "no run"},
		{Label: "no number", Value: math.NaN(), High: math.Inf(1), Low: math.Inf(-1), Interval: true},
	}))
	within(t, DrawDivergingBars("odd", 0, "", []Bar{
		{Label: "below", Value: -3, Low: -500, High: 1, Interval: true, Figure: "-3"},
		{Missing: "no run"},
		{Label: "no number", Value: math.NaN(), High: math.Inf(1), Low: math.Inf(-1), Interval: true},
	}))
	within(t, DrawDivergingBars("none", 0, "", nil))
	within(t, DrawBars("small scale", 10, "", []Bar{{Value: 99, Figure: "99"}}))
	within(t, DrawStacks("none", nil, []Stack{{Label: "empty"}, {Parts: []int{0, 0}}, {Parts: []int{1, -2, 3, 4, 5, 6, 7, 8, 9, 10}}}))
	within(t, DrawHeatmap("none", "", "", nil, nil, []Cell{{"a", "b", 1}}))
	within(t, DrawHeatmap("odd", "people", "machine", []string{"A", "B"}, []string{"A"}, []Cell{{"A", "A", -1}, {"B", "A", 7}, {"C", "A", 1}}))
}

func TestBars(t *testing.T) {
	d := DrawBars("accuracy", 100, "%", []Bar{
		{Group: "overall", Label: "a", Value: 50, Low: 25, High: 75, Interval: true, Figure: "50.0%  5/10", Tip: "50%"},
		{Group: "overall", Label: "b", Value: 100, Series: 1, Figure: "100%"},
	})
	if len(d.Rects) != 2 || d.Rects[0].W != plot/2 || d.Rects[1].W != plot || d.Rects[0].Tip != "a: 50%" {
		t.Errorf("%+v", d.Rects)
	}
	if l := d.Lines[0]; !l.Interval || l.X1 != label+plot/4 || l.X2 != label+plot*0.75 {
		t.Errorf("%+v", l)
	}
	if d.Height != top+3*row+axis {
		t.Error(d.Height)
	}
}

// Bars to both sides of 0 have it in the middle; without one below it they
// begin there.
func TestDiverging(t *testing.T) {
	d := DrawDivergingBars("gain", 0, "", []Bar{{Value: -10, Low: -20, High: 5, Interval: true}, {Value: 40}})
	if len(d.Rects) != 2 || d.Rects[0].X != label+plot*0.375 || d.Rects[0].W != plot/8 || d.Rects[1].X != label+plot/2 || d.Rects[1].W != plot/2 {
		t.Errorf("%+v", d.Rects)
	}
	if zero := d.Lines[len(d.Lines)-1]; zero.X1 != label+plot/2 || zero.X2 != zero.X1 {
		t.Errorf("%+v", zero)
	}
	if d := DrawDivergingBars("gain", 0, "", []Bar{{Value: 40}}); d.Rects[0].X != label {
		t.Errorf("%+v", d.Rects)
	}
}

func TestRound(t *testing.T) {
	for v, want := range map[float64]float64{28.1: 40, 40: 40, 41: 80, 81: 100, 0.3: 0.4, 0: 1, -1: 1, math.Inf(1): 1, 173: 200} {
		if got := roundScaleEnd(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
	}
}

func TestStacks(t *testing.T) {
	d := DrawStacks("votes", []string{"win", "tie", "lose"}, []Stack{{Label: "m", Parts: []int{1, 0, 3}}})
	if len(d.Rects) != 2 || d.Rects[0].W != plot/4 || d.Rects[1].Series != 2 || d.Rects[1].Tip != "m, lose: 3" {
		t.Errorf("%+v", d.Rects)
	}
}

func TestHeat(t *testing.T) {
	d := DrawHeatmap("confusion", "people", "machine", []string{"A", "none"}, []string{"A"}, []Cell{{"A", "A", 8}, {"none", "A", 2}})
	if len(d.Rects) != 2 || d.Rects[0].Opacity < 0.79 || d.Rects[1].Opacity >= d.Rects[0].Opacity {
		t.Errorf("%+v", d.Rects)
	}
}

func TestFit(t *testing.T) {
	check := func(s string, room float64, want string) {
		t.Helper()
		if got := cutToFit(s, room); got != want {
			t.Errorf("%q in %v: %q", s, room, got)
		}
	}
	check("abc", 21, "abc")
	check("abcd", 21, "abc…")
	check("图图图", 28, "图图…")
	check("", 0, "")
}
