package keymap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// The types of keys that bubbletea has names for lie between these.
const (
	firstType = -128
	lastType  = 127
)

// named finds the type of a key by its name.
func named(name string) (tea.KeyType, bool) {
	for t := tea.KeyType(firstType); t <= lastType; t++ {
		if t != tea.KeyRunes && t.String() == name && name != "" {
			return t, true
		}
	}
	return 0, false
}

// Msg is the message of a key by its name, as the terminal would send it.
func Msg(name string) tea.KeyMsg {
	rest, alt := strings.CutPrefix(name, "alt+")
	if rest == "" {
		rest, alt = name, false
	}
	if rest == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: alt}
	}
	if t, ok := named(rest); ok {
		return tea.KeyMsg{Type: t, Alt: alt}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: alt}
}

// other are names of keys that people write, and bubbletea's for them.
var other = map[string]string{
	"space": " ", "return": "enter", "escape": "esc", "pageup": "pgup", "pagedown": "pgdown", "del": "delete",
	"←": "left", "→": "right", "↑": "up", "↓": "down",
}

// Key is the name of a key as bubbletea writes it, or an error that says what
// a key looks like.
func Key(s string) (string, error) {
	if utf8.RuneCountInString(s) > 1 {
		s = strings.ToLower(strings.TrimSpace(s))
	}
	prefix := ""
	if rest, alt := strings.CutPrefix(s, "alt+"); alt && rest != "" {
		prefix, s = "alt+", rest
	}
	if o, ok := other[s]; ok {
		s = o
	}
	if r, size := utf8.DecodeRuneInString(s); size == len(s) && r != utf8.RuneError && unicode.IsGraphic(r) {
		return prefix + s, nil
	}
	switch s {
	case "ctrl+i":
		return "", fmt.Errorf(`terminals send ctrl+i as tab: write "tab"`)
	case "ctrl+m":
		return "", fmt.Errorf(`terminals send ctrl+m as enter: write "enter"`)
	}
	if _, ok := named(s); ok {
		return prefix + s, nil
	}
	return "", fmt.Errorf(`%q is no key: a character, or a name such as ctrl+z, f5, left, pgdown, tab, space`, s)
}

// glyphs are how keys are written where people read them.
var glyphs = map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓", " ": "space"}

// Written is how people read a key's name.
func Written(name string) string {
	if g, ok := glyphs[name]; ok {
		return g
	}
	return name
}

// letter reports whether a key is a letter by itself, in either case.
func letter(name string) bool {
	return len(name) == 1 && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}

// label reports whether a key is a label where people answer: a digit from 1;
// a letter, where no letter is a command.
func (l Letters) label(name string, former bool) bool {
	switch {
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		return true
	case !letter(name) || l == Commands:
		return false
	}
	return !former || l == Options && name[0] <= 'Z'
}
