package background

import "testing"

func TestDark(t *testing.T) {
	check := func(theme, fgbg string, want bool) {
		t.Helper()
		env := map[string]string{"CONCORD_UI_THEME": theme, "COLORFGBG": fgbg}
		if got := IsDark(func(k string) string { return env[k] }); got != want {
			t.Errorf("theme %q, COLORFGBG %q: dark is %v", theme, fgbg, got)
		}
	}
	check("", "", true)
	check("light", "15;0", false)
	check("DARK", "0;15", true)
	check("auto", "0;15", false)
	check("", "15;0", true)
	check("", "0;default;15", false)
	check("", "12;8", true)
	check("", "0;7", false)
	check("", "default;default", true)
	check("", "0;99", true)
}
