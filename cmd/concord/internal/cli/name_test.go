package cli

import "testing"

func TestNamable(t *testing.T) {
	check := func(name string, want bool) {
		t.Helper()
		if err := CheckOneLineName("queue", name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	check("first", true)
	check("two words, 第一", true)
	check("", true) // that there is none is said elsewhere
	check("two\nlines", false)
	check("red\x1b[31m", false)
	check("backwards\u202e", false)
	check(" before", false)
}
