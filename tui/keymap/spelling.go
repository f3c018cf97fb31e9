package keymap

import "strings"

// Spelling is how the keys of a screen are written in its texts. The zero
// value, and nil, write them as the screen knows them. A screen that has one inside is
// told by Spell how the person has them.
type Spelling struct{ with func(key string) string }

// Spell has texts name keys as the person has them. with is how one of the
// screen's own is written now.
func (s *Spelling) Spell(with func(key string) string) { s.with = with }

// Spelled is how one of the screen's keys is written.
func (s *Spelling) Spelled(key string) string {
	if s == nil || s.with == nil {
		key, _, _ = strings.Cut(key, "@")
		return (*Keymap)(nil).First(key, Review)
	}
	return s.with(key)
}

// Keyed is a text of the screen with the keys that stand in braces, as {ctrl+s}
// or {left right}, written as the person has them; arrows stand side by side. {n@runs} is the key n of that place.
// Texts of strangers have no place in it: they may hold braces.
func (s *Spelling) Keyed(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		names, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + s.all(names))
		text = after
	}
}

func (s *Spelling) all(names string) string {
	var out []string
	between := ""
	for name := range strings.FieldsSeq(names) {
		key := s.Spelled(name)
		if signs := []rune(key); len(signs) != 1 || arrows[signs[0]] == "" {
			between = " "
		}
		out = append(out, key)
	}
	return strings.Join(out, between)
}
