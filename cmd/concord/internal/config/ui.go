package config

import (
	"errors"
	"slices"
	"strings"

	"concord/tui/keymap"
)

// UI is what the screen is to be like.
type UI struct {
	Theme       string // auto, dark, light or none
	Images      string // auto, or how pictures are drawn
	AutoAdvance bool   // a label leads on to the next item
	Mouse       bool
	Accessible  bool
}

// UI is what the screen is to be like.
func (c *Config) UI() UI {
	at := func(field string) key { return key{section: secUI, field: field} }
	return UI{
		Theme: of[string](c, at("theme")), Images: of[string](c, at("images")),
		AutoAdvance: of[bool](c, at("auto_advance")), Mouse: of[bool](c, at("mouse")), Accessible: of[bool](c, at("accessible")),
	}
}

// Themes are the names of themes.
func Themes() []string { return slices.Clone(schema[secUI].fields["theme"].values) }

// Keys are the keys of the screen, with those that were chosen.
func (c *Config) Keys() *keymap.Keymap {
	m, _ := keymap.New(c.chosen()) // Load has looked for problems
	return m
}

// KeyOrigin says where the keys of an action were chosen.
func (c *Config) KeyOrigin(action string) Origin {
	return c.origin(key{section: secKeys, name: action})
}

// chosen are the keys that somebody chose, by the actions' names.
func (c *Config) chosen() []keymap.Choice {
	var out []keymap.Choice
	for k, s := range c.settings {
		if k.section == secKeys {
			out = append(out, keymap.Choice{Action: k.name, Keys: s.value.([]string), Origin: s.origin.String()})
		}
	}
	slices.SortFunc(out, func(a, b keymap.Choice) int { return strings.Compare(a.Action, b.Action) })
	return out
}

// keyProblems are keys that cannot be those of their actions.
func (c *Config) keyProblems() Problems {
	_, bad := keymap.New(c.chosen())
	var out Problems
	for _, p := range bad {
		k := key{section: secKeys, name: p.Action}
		out = append(out, Problem{Origin: c.origin(k), Key: k.String(), Text: p.Text})
	}
	return out
}

// keyNames takes a key or several. Which keys there are the keymap knows.
func keyNames(v any) (any, error) {
	list, ok := v.([]any)
	if s, one := v.(string); one {
		list, ok = []any{s}, true
	}
	if !ok {
		return nil, want(`a key such as "ctrl+z", or a list of keys`, v)
	}
	out := make([]string, len(list))
	for i, one := range list {
		if out[i], ok = one.(string); !ok {
			return nil, want(`a key such as "ctrl+z"`, one)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("names no key")
	}
	return out, nil
}
