package keymap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// TranslateBinding gives a screen's binding written with the keys that the person has. Its
// keys stay the screen's own. Of several places the binding may be of any; one
// whose words are the same goes before the others, then the first.
func (m *Keymap) TranslateBinding(b key.Binding, places ...Place) key.Binding {
	if m == nil || len(places) == 0 {
		return b
	}
	var (
		out   []string
		moved bool
		seen  []*boundAction
	)
	names := splitHelpKeys(b.Help().Key)
	for _, name := range names {
		one := m.findAction(name, b.Help().Desc, places)
		switch {
		case one == nil || !one.moved || len(one.keys) == 0:
			out = append(out, FormatKey(name))
		case slices.Contains(seen, one): // its keys stand there already
			moved = true
		case len(names) == 1:
			moved, out = true, append(out, writtenKeys(one.keys)...)
		default:
			moved, seen, out = true, append(seen, one), append(out, FormatKey(one.keys[0]))
		}
	}
	if moved {
		b.SetHelp(strings.Join(out, " "), b.Help().Desc)
	}
	return b
}

// FormatKeysOf is how the person's keys for a screen's key are written.
func (m *Keymap) FormatKeysOf(name string, at Place) string {
	if one := m.findAction(name, "", []Place{at}); one != nil {
		return formatKeys(one.keys)
	}
	return FormatKey(name)
}

// FirstKeyText is how the first of the person's keys for a screen's key is written. A
// key that is not one of the place is looked for in the rest of the screen:
// a text may tell what can be done there. n@runs is the key n of another place.
func (m *Keymap) FirstKeyText(name string, at Place) string {
	if key, there, ok := strings.Cut(name, "@"); ok {
		name, at = key, Place(there)
	}
	one := cmp.Or(m.findAction(name, "", []Place{at}), m.findAction(name, "", m.PlacesOfScreen(at)))
	for _, s := range m.allSections() {
		if one == nil && len(name) > 1 {
			one = m.tableAt(s.Place).findByName(name)
		}
	}
	if one != nil && len(one.keys) > 0 {
		return FormatKey(one.keys[0])
	}
	return FormatKey(name)
}

func writtenKeys(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = FormatKey(k)
	}
	return out
}

// findAction finds the action of a default key, or of its name.
func (m *Keymap) findAction(name, desc string, places []Place) *boundAction {
	var found *boundAction
	for _, p := range places {
		t := m.tableAt(p)
		if t == nil {
			continue
		}
		one := cmp.Or(t.preset[name], t.findByName(name))
		if one == nil {
			continue
		}
		if one.Desc == desc {
			return one
		}
		found = cmp.Or(found, one)
	}
	return found
}

// arrows are the keys that help writes as one sign.
var arrows = map[rune]string{'←': "left", '→': "right", '↑': "up", '↓': "down"}

// splitHelpKeys gives the keys that the help of a binding names. Signs may stand side by side.
func splitHelpKeys(help string) []string {
	if help == "/" {
		return []string{help}
	}
	var out []string
	for _, word := range strings.FieldsFunc(help, func(r rune) bool { return r == ' ' || r == '/' }) {
		signs := true
		for _, r := range word {
			signs = signs && arrows[r] != ""
		}
		switch {
		case signs:
			for _, r := range word {
				out = append(out, arrows[r])
			}
		case word == "space":
			out = append(out, " ")
		default:
			out = append(out, word)
		}
	}
	return out
}

func (t *placeTable) findByName(name string) *boundAction {
	for _, b := range t.preset {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// BindAction is the binding of an action at a place, with the keys and the words that everybody has.
func (p Place) BindAction(name string) key.Binding {
	a := p.findAction(name)
	return newBinding(FormatKey(a.Keys[0]), a.Desc, a.Keys...)
}

// BindJoined is one binding of several actions, in words of its own.
func (p Place) BindJoined(words string, names ...string) key.Binding {
	var first, all []string
	for _, name := range names {
		a := p.findAction(name)
		first, all = append(first, FormatKey(a.Keys[0])), append(all, a.Keys...)
	}
	return newBinding(strings.Join(first, " "), words, all...)
}

func newBinding(help, words string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, words))
}

func (p Place) findAction(name string) Action {
	if t := standard().at[p]; t != nil {
		if b := t.findByName(name); b != nil {
			return b.Action
		}
	}
	panic("keymap: no action " + name + " at " + string(p))
}

// Spelling is how the keys of a screen are written in its texts. The zero value, and nil, write them as
// the screen knows them. A screen that has one inside is told by Spell how the person has them.
type Spelling struct{ with func(key string) string }

// SetKeySpeller has texts name keys as the person has them. with is how one of the screen's own is written now.
func (s *Spelling) SetKeySpeller(with func(key string) string) { s.with = with }

// SpellKey gives how one of the screen's keys is written.
func (s *Spelling) SpellKey(key string) string {
	if s == nil || s.with == nil {
		key, _, _ = strings.Cut(key, "@")
		return (*Keymap)(nil).FirstKeyText(key, Review)
	}
	return s.with(key)
}

// SpellText gives a text of the screen with the keys that stand in braces, as {ctrl+s}
// or {left right}, written as the person has them; arrows stand side by side. {n@runs} is the key n of that place.
// Texts of strangers have no place in it: they may hold braces.
func (s *Spelling) SpellText(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		names, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + s.spellAll(names))
		text = after
	}
}

func (s *Spelling) spellAll(names string) string {
	var out []string
	between := ""
	for name := range strings.FieldsSeq(names) {
		key := s.SpellKey(name)
		if signs := []rune(key); len(signs) != 1 || arrows[signs[0]] == "" {
			between = " "
		}
		out = append(out, key)
	}
	return strings.Join(out, between)
}

// The types of keys that bubbletea has names for lie between these.
const (
	firstType = -128
	lastType  = 127
)

func findKeyType(name string) (tea.KeyType, bool) {
	for t := tea.KeyType(firstType); t <= lastType; t++ {
		if t != tea.KeyRunes && t.String() == name && name != "" {
			return t, true
		}
	}
	return 0, false
}

// NewKeyMsg gives the message of a key by its name, as the terminal would send it.
func NewKeyMsg(name string) tea.KeyMsg {
	rest, alt := strings.CutPrefix(name, "alt+")
	if rest == "" {
		rest, alt = name, false
	}
	if rest == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: alt}
	}
	if t, ok := findKeyType(rest); ok {
		return tea.KeyMsg{Type: t, Alt: alt}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: alt}
}

// other are names of keys that people write, and bubbletea's for them.
var other = map[string]string{
	"space": " ", "return": "enter", "escape": "esc", "pageup": "pgup", "pagedown": "pgdown", "del": "delete",
	"←": "left", "→": "right", "↑": "up", "↓": "down",
}

// ParseKey gives the name of a key as bubbletea writes it, or an error that says what a key looks like.
func ParseKey(s string) (string, error) {
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
	if _, ok := findKeyType(s); ok {
		return prefix + s, nil
	}
	return "", fmt.Errorf(`%q is no key: a character, or a name such as ctrl+z, f5, left, pgdown, tab, space`, s)
}

// glyphs are how keys are written where people read them.
var glyphs = map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓", " ": "space"}

// FormatKey gives how people read a key's name.
func FormatKey(name string) string {
	if g, ok := glyphs[name]; ok {
		return g
	}
	return name
}

// isLetter reports whether a key is a letter by itself, in either case.
func isLetter(name string) bool {
	return len(name) == 1 && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}

// isLabel reports whether a key is a label where people answer: a digit from 1;
// a letter, where no letter is a command.
func (l Letters) isLabel(name string, former bool) bool {
	switch {
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		return true
	case !isLetter(name) || l == Commands:
		return false
	}
	return !former || l == Options && name[0] <= 'Z'
}
