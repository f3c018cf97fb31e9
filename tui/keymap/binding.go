package keymap

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
)

// Binding is a screen's binding written with the keys that the person has. Its
// keys stay the screen's own. Of several places the binding may be of any; one
// whose words are the same goes before the others, then the first.
func (m *Keymap) Binding(b key.Binding, places ...Place) key.Binding {
	if m == nil || len(places) == 0 {
		return b
	}
	var (
		out   []string
		moved bool
		seen  []*bound
	)
	names := tokens(b.Help().Key)
	for _, name := range names {
		one := m.find(name, b.Help().Desc, places)
		switch {
		case one == nil || !one.moved || len(one.keys) == 0:
			out = append(out, Written(name))
		case slices.Contains(seen, one): // its keys stand there already
			moved = true
		case len(names) == 1:
			moved, out = true, append(out, written(one.keys)...)
		default:
			moved, seen, out = true, append(seen, one), append(out, Written(one.keys[0]))
		}
	}
	if moved {
		b.SetHelp(strings.Join(out, " "), b.Help().Desc)
	}
	return b
}

// Of is how the person's keys for a screen's key are written.
func (m *Keymap) Of(name string, at Place) string {
	if one := m.find(name, "", []Place{at}); one != nil {
		return writtenAll(one.keys)
	}
	return Written(name)
}

// First is how the first of the person's keys for a screen's key is written. A
// key that is not one of the place is looked for in the rest of the screen:
// a text may tell what can be done there. n@runs is the key n of another place.
func (m *Keymap) First(name string, at Place) string {
	if key, there, ok := strings.Cut(name, "@"); ok {
		name, at = key, Place(there)
	}
	one := m.find(name, "", []Place{at})
	if one == nil {
		one = m.find(name, "", m.Family(at))
	}
	for _, s := range m.all() {
		if one == nil && len(name) > 1 {
			one = m.table(s.Place).named(name)
		}
	}
	if one != nil && len(one.keys) > 0 {
		return Written(one.keys[0])
	}
	return Written(name)
}

func written(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = Written(k)
	}
	return out
}

// find is the action of a default key, or of its name.
func (m *Keymap) find(name, desc string, places []Place) *bound {
	var found *bound
	for _, p := range places {
		t := m.table(p)
		if t == nil {
			continue
		}
		one := t.preset[name]
		if one == nil {
			one = t.named(name)
		}
		if one == nil {
			continue
		}
		if one.Desc == desc {
			return one
		}
		if found == nil {
			found = one
		}
	}
	return found
}

// arrows are the keys that help writes as one sign.
var arrows = map[rune]string{'←': "left", '→': "right", '↑': "up", '↓': "down"}

// tokens are the keys that the help of a binding names. Signs may stand side
// by side without anything between.
func tokens(help string) []string {
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

// Missing are the keys of bindings that the catalogue does not have at any of
// the places, nor labels have: a test of a screen holds that there are none.
func Missing(bindings []key.Binding, places ...Place) []string {
	m, _ := New(nil)
	var out []string
	for _, b := range bindings {
		for _, k := range b.Keys() {
			if m.find(k, "", places) != nil || slices.ContainsFunc(places, func(p Place) bool { return m.table(p).label(k) }) {
				continue
			}
			out = append(out, k+" ("+b.Help().Desc+")")
		}
	}
	return out
}

// named is an action by its name.
func (t *table) named(name string) *bound {
	for _, b := range t.preset {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Bind is the binding of an action at a place, with the keys and the words that
// everybody has.
func (p Place) Bind(name string) key.Binding {
	a := p.action(name)
	return bind(Written(a.Keys[0]), a.Desc, a.Keys...)
}

// Join is one binding of several actions, in words of its own.
func (p Place) Join(words string, names ...string) key.Binding {
	var first, all []string
	for _, name := range names {
		a := p.action(name)
		first, all = append(first, Written(a.Keys[0])), append(all, a.Keys...)
	}
	return bind(strings.Join(first, " "), words, all...)
}

func bind(help, words string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, words))
}

// action is one of the place, or of everywhere, by its name.
func (p Place) action(name string) Action {
	if t := standard().at[p]; t != nil {
		if b := t.named(name); b != nil {
			return b.Action
		}
	}
	panic("keymap: no action " + name + " at " + string(p))
}
