package config

import (
	"errors"
	"slices"

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
		Theme: of[string](c.settings, at("theme")), Images: of[string](c.settings, at("images")),
		AutoAdvance: of[bool](c.settings, at("auto_advance")), Mouse: of[bool](c.settings, at("mouse")), Accessible: of[bool](c.settings, at("accessible")),
	}
}

// Themes are the names of themes.
func Themes() []string { return slices.Clone(schema[secUI].fields["theme"].values) }

// Keys are the keys of the screen, with those that were chosen.
func (c *Config) Keys() *keymap.Keymap {
	m, _ := keymap.New(c.settings.chosen()) // Load has looked for problems
	return m
}

// KeyOrigin says where the keys of an action were chosen.
func (c *Config) KeyOrigin(action string) Origin {
	return c.settings.origin(key{section: secKeys, name: action})
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
