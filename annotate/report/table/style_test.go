package table

import "testing"

func TestStyle(t *testing.T) {
	check := func(s Style, in, want string) {
		t.Helper()
		if got := s.cutFigure(in); got != want {
			t.Errorf("%+v %q: %q, want %q", s, in, got, want)
		}
	}
	const rate = "67.7% [65.0, 70.3]  796/1,176"
	check(Style{}, rate, rate)
	check(Style{NoIntervals: true}, rate, "67.7%  796/1,176")
	check(Style{NoCounts: true}, rate, "67.7% [65.0, 70.3]")
	check(Style{NoIntervals: true, NoCounts: true}, rate, "67.7%")
	check(Style{NoIntervals: true}, "0.812 [0.700, 0.900]", "0.812")
	check(Style{NoIntervals: true, NoCounts: true}, "- (no run)", "- (no run)")
}
