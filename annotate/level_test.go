package annotate

import "testing"

func TestParseLevel(t *testing.T) {
	check := func(s string, level, n int) {
		t.Helper()
		gotLevel, got, err := ParseLevelCount(s)
		if (err == nil) != (n > 0) || gotLevel != level || got != n {
			t.Errorf("%q: %d, %d, %v, want %d, %d", s, gotLevel, got, err, level, n)
		}
	}
	check("category:2", FinestLevel, 2)
	check("l2:1", 2, 1)
	check("L3:4", 3, 4)
	check("1:5", 1, 5)
	check("axis:10", 2, 10)
	for _, bad := range []string{"", "category", "category:", "category:0", "category:-1", "0:5", "256:5", "colour:2", ":3"} {
		check(bad, 0, 0)
	}
}
