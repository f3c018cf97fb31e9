package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/keymap"
)

// allMoved gives each action that can have other keys one that no other has, and
// that no text holds.
func allMoved(t *testing.T) *keymap.Keymap {
	t.Helper()
	var all []keymap.Choice
	for i, name := range keymap.Names() {
		all = append(all, chose(name, string(rune('Ā'+i))))
	}
	return choose(t, all...)
}

// namedKeys finds the keys that a text tells of: one key or several before a word
// in lower case, at the beginning of what is said; or a key by itself in
// parentheses.
func namedKeys() *regexp.Regexp {
	var keys []string
	for _, r := range new(keymap.Keymap).Rows() {
		if keymap.Fixed(r.Action.Name) != "" {
			continue
		}
		for _, k := range r.Action.Keys {
			if k == "a" {
				continue // it is a word
			}
			keys = append(keys, regexp.QuoteMeta(keymap.Written(k)))
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return len(b) - len(a) })
	one := "(?:" + strings.Join(slices.Compact(keys), "|") + ")"
	return regexp.MustCompile(`(?m)(?:^|[^\pL\pN%.'] |  |[(;│])(` + one + `(?:[ /]` + one + `)*) [a-z]{2,}|\((` + one + `)\)|[:;,.] (` + one + `) [a-z]{2,}`)
}

// TestNoKeyThatWasMovedIsNamed goes through the screens with every key moved:
// what they say names the keys that the person has.
func TestNoKeyThatWasMovedIsNamed(t *testing.T) { bubble(t, noKeyThatWasMovedIsNamed) }

func noKeyThatWasMovedIsNamed(t *testing.T) {
	stray := namedKeys()
	for _, walk := range [][]string{
		{"tab", "tab", "tab", "d", "tab", "e", "J", "p"},
		{"enter", "enter", "tab", "z", "n", "p"},
		{"v", "enter", "esc", "w"},
		append([]string{"a"}, slices.Repeat([]string{"tab", "down", "d", "right", "enter", "esc"}, 10)...),
	} {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.deps.Keys = allMoved(t)
		a.size(120, 40)
		for i, k := range walk {
			if at := a.place(); at != "" {
				k = a.deps.Keys.First(k, at)
			}
			a.send(keymap.Msg(k))
			if a.place() == "" {
				continue // keys are what they say
			}
			if named := stray.FindString(a.View()); named != "" {
				t.Errorf("after %q %q is named in\n%s", walk[:i+1], named, a.View())
				break
			}
		}
	}
}
