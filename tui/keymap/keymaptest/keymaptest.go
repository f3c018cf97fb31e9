// Package keymaptest moves every key that can be moved, and finds the default keys that a screen names
// all the same. It is for tests of screens, and refuses to be sure: it knows running text by its shape.
package keymaptest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"concord/tui/keymap"
)

// NewMovedKeymap gives a keymap in which each action that can have other keys has one that
// no other action has, and that no text holds.
func NewMovedKeymap(t testing.TB) *keymap.Keymap {
	t.Helper()
	var all []keymap.Choice
	for i, name := range keymap.ActionNames() {
		if name == "layout" {
			continue
		}
		all = append(all, keymap.Choice{Action: name, Keys: []string{string(rune('Ā' + i))}, Origin: "test"})
	}
	m, bad := keymap.New(all)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	return m
}

// Screen is one whose texts name keys.
type Screen interface {
	SetKeySpeller(with func(key string) string)
	KeymapPlace() keymap.Place
}

// SpellMovedKeys tells a screen that every key has been moved.
func SpellMovedKeys(t testing.TB, s Screen) {
	t.Helper()
	m := NewMovedKeymap(t)
	s.SetKeySpeller(func(key string) string { return m.FirstKeyText(key, s.KeymapPlace()) })
}

var stray = keyPattern()

// keyPattern is keys before a word in lower case, at the beginning of what is
// said; or by themselves in parentheses.
func keyPattern() *regexp.Regexp {
	var keys []string
	for _, r := range new(keymap.Keymap).ListRows() {
		for _, k := range r.Action.Keys {
			if r.Action.Fixed == "" && !strings.Contains("a-=+0!*", k) { // a word, and what lists and marks begin with
				keys = append(keys, regexp.QuoteMeta(keymap.FormatKey(k)))
			}
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	slices.SortStableFunc(keys, func(a, b string) int { return len(b) - len(a) })
	one := "(?:" + strings.Join(keys, "|") + ")"
	many := one + `(?:[ /]` + one + `)*`
	return regexp.MustCompile(`(?m)(?:^|[^\pL\pN%.'] |  |[(;│]|[:;,.] )` + many + ` [a-z]{2,}|\(` + many + `\)`)
}

// CheckNoDefaultKeys finds fault with a frame in which a default key is named. What is drawn
// while keys are text is not for it: they are what they say then.
func CheckNoDefaultKeys(t testing.TB, frame string) {
	t.Helper()
	if named := stray.FindString(ansi.Strip(frame)); named != "" {
		t.Errorf("%q is named in\n%s", named, frame)
	}
}

// FindMissingKeys finds the keys of bindings that the catalogue does not have at any of
// the places, nor labels have: a test of a screen holds that there are none.
func FindMissingKeys(bindings []key.Binding, places ...keymap.Place) []string {
	var out []string
	for _, b := range bindings {
		for _, k := range b.Keys() {
			if !slices.ContainsFunc(keymap.Catalogue(), func(s keymap.Section) bool { return slices.Contains(places, s.Place) && knowsKey(&s, k) }) {
				out = append(out, k+" ("+b.Help().Desc+")")
			}
		}
	}
	return out
}

// knowsKey reports whether a key is an action's of the section, or a label there.
func knowsKey(s *keymap.Section, k string) bool {
	label := len(k) == 1 && (k[0] >= '1' && k[0] <= '9' || s.Letters != keymap.Commands && (k[0]|0x20) >= 'a' && (k[0]|0x20) <= 'z')
	return label || slices.ContainsFunc(s.Actions, func(a keymap.Action) bool { return slices.Contains(a.Keys, k) })
}
