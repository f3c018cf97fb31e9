package config

import (
	"errors"
	"strings"
	"testing"

	"concord/tui/keymap"
)

func TestUI(t *testing.T) {
	check := func(file string, env map[string]string, want UI) {
		t.Helper()
		if got := load(t, file, "", env).UISettings(); got != want {
			t.Errorf("%q %v: %+v, want %+v", file, env, got, want)
		}
	}
	check("", nil, UI{Theme: "auto", Images: "auto", AutoAdvance: true})
	check("[ui]\ntheme = 'light'\nauto_advance = false\nmouse = true", nil, UI{Theme: "light", Images: "auto", Mouse: true})
	check("[ui]\ntheme = 'light'", map[string]string{"CONCORD_UI_THEME": "none", "CONCORD_UI_ACCESSIBLE": "1", "CONCORD_UI_AUTO_ADVANCE": "false"},
		UI{Theme: "none", Images: "auto", Accessible: true})
}

func TestUIProblems(t *testing.T) {
	check := func(file, home string, want ...string) {
		t.Helper()
		for _, from := range []func(Options) (*Config, error){Load, LoadScreenSettings} {
			_, err := from(places(t, file, home, nil))
			if err == nil {
				t.Errorf("%q: no error", file)
				continue
			}
			for _, w := range want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q: %q does not say %q", file, err, w)
				}
			}
		}
	}
	check("[ui]\ntheme = 'drak'", "", "concord.toml:2: ui.theme: wants one of auto, dark, light, none", "did you mean dark?")
	check("[ui]\nthem = 'dark'", "", "concord.toml:2: ui: ", "did you mean theme?")
	check("[ui]\nmouse = 'yes'", "", "wants true or false")
	check("[keys]\nundo = 'ctrl+y'", "", "concord.toml:2: keys.undo: ctrl+y is the key of redo")
	check("[keys]\nundo = 'u'", "", "concord.toml:2: keys.undo: u is a label's key at review")
	check("[keys]\nlayout = 'vi'", "", "concord.toml:2: keys.layout: ", "former")
	check("\n[keys]\nunod = 'f9'", "", `concord.toml:3: keys: unknown action "unod"; did you mean undo?`)
	check("[keys]\nundo = 3", "", ":2: keys.undo: wants a key")
	check("[keys]\nundo = []", "", "names no key")
	check("[keys]\nskip = 'f9'", "[keys]\nundo = 'f9'", "concord.toml:2: keys.skip: ", "key of undo", "config.toml:2")
	check("[keys]\nundo = 'A'", "", "a label's key")
	check("[keys]\nquit = 'ctrl+q'", "", "keys.quit: has no other key")
}

// What is wrong with an endpoint is no reason to lose the keys.
func TestTheScreenOpensBesideOtherProblems(t *testing.T) {
	o := places(t, "[endpoints.x]\nbase_ulr = 'http://h'\n[keys]\nundo = ['f9', 'f10']", "", nil)
	if _, err := Load(o); err == nil {
		t.Error("the problem is not told")
	}
	c, err := LoadScreenSettings(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := c.Keys().TranslatePressedKey(keymap.Review, "f10"); got != "ctrl+z" || !ok {
		t.Errorf("f10 is %q %v", got, ok)
	}
	if got := c.OriginOfKeys("undo").String(); !strings.HasSuffix(got, "concord.toml:4") {
		t.Errorf("from %s", got)
	}
	if _, err := LoadScreenSettings(places(t, "][", "", nil)); err != nil {
		t.Errorf("a file that does not parse: %v", err)
	}
	var bad Problems
	if _, err := LoadScreenSettings(places(t, "", "", map[string]string{"CONCORD_UI_THEME": "neon"})); !errors.As(err, &bad) {
		t.Errorf("a theme that there is not: %v", err)
	}
}
