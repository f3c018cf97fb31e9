package table

import "testing"

func TestBar(t *testing.T) {
	check := func(share float64, want string) {
		t.Helper()
		if got := drawBar(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
	check(0, "")
	check(0.001, "╸")
	check(0.5, "━━━━━━━━")
	check(0.99, "━━━━━━━━━━━━━━━━")
	check(1, "━━━━━━━━━━━━━━━━")
	check(2, "━━━━━━━━━━━━━━━━")
}
