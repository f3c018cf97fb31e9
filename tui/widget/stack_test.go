package widget

import "testing"

func TestStack(t *testing.T) {
	th := plainTheme()
	check := func(width int, want string, n ...int) {
		t.Helper()
		parts := make([]Part, len(n))
		for i, k := range n {
			parts[i] = Part{N: k, Glyph: string("#=-"[i]), Style: th.Text}
		}
		if got := th.Stack(width, parts...); got != want {
			t.Errorf("%v in %d: %q, want %q", n, width, got, want)
		}
	}
	check(20, "### 10 ###= 5 =- 5 -", 10, 5, 5)
	check(10, "#####===--", 10, 5, 5)
	check(10, "########=-", 1000, 1, 1)
	check(10, "### 3 ####", 3)
	check(4, "····", 0, 0)
	check(2, "#=", 1, 1, 1)
	check(0, "", 1)
	check(-3, "", 0)
}
