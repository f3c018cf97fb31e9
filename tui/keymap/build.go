package keymap

import (
	"fmt"
	"slices"
)

// builder makes tables of what was chosen, and gathers what is wrong.
type builder struct {
	sections []Section // Everywhere first
	chosen   map[string]Choice
	bad      []Problem
	told     map[[2]string]bool // collisions of two actions, said once
	former   bool               // the former layout
}

func (b *builder) blame(c Choice, format string, args ...any) {
	b.bad = append(b.bad, Problem{Choice: c, Text: fmt.Sprintf(format, args...)})
}

// take looks at a choice by itself: whether there is such an action, and such
// keys.
func (b *builder) take(c Choice) {
	if now, ok := renamed[c.Action]; ok {
		c.Action = now
	}
	if c.Action == layout {
		return // New has read it
	}
	var of []Section
	for _, s := range b.sections {
		i := slices.IndexFunc(s.Actions, func(a Action) bool { return a.Name == c.Action })
		if i < 0 {
			continue
		}
		if why := s.Actions[i].Fixed; why != "" {
			b.blame(c, "has no other key: %s", why)
			return
		}
		of = append(of, s)
	}
	if len(of) == 0 {
		b.blame(c, "no action has this name (all of them: concord config keys)")
		return
	}
	var keys []string
	for _, name := range c.Keys {
		k, err := Key(name)
		if err != nil {
			b.blame(c, "%s", err)
			return
		}
		if at, ok := b.labels(k, c.Action, of); ok {
			b.blame(c, "%s is a label's key%s: commands cannot have it", k, at)
			return
		}
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		b.blame(c, "names no key")
		return
	}
	c.Keys = keys
	b.chosen[c.Action] = c
}

// labels says where a key is a label among the places of an action. What is
// done everywhere by a letter is not done by one where letters are labels.
func (b *builder) labels(k, action string, of []Section) (where string, ok bool) {
	if Commands.label(k, b.former) {
		return "", true
	}
	for _, s := range of {
		i := slices.IndexFunc(s.Actions, func(a Action) bool { return a.Name == action })
		if s.Place == Everywhere && (b.former || !letter(s.Actions[i].Keys[0])) {
			of = b.sections
		}
	}
	for _, s := range of {
		if s.Letters.label(k, b.former) {
			return " at " + string(s.Place), true
		}
	}
	return "", false
}

// table is a section's keys as they are for the person.
func (b *builder) table(s *Section, everywhere []Action) *table {
	t := &table{letters: s.Letters, former: b.former, byKey: make(map[string]*bound), preset: make(map[string]*bound)}
	add := func(a Action, at Place) {
		one := &bound{Action: a, at: at, keys: a.Keys}
		if b.former && a.Former != nil {
			one.keys, one.moved = a.Former, true
		}
		if c, ok := b.chosen[a.Name]; ok {
			one.keys, one.moved = c.Keys, true
		}
		for _, k := range a.Keys {
			t.preset[k] = one
		}
		for _, k := range one.keys {
			if t.label(k) { // of what is done everywhere: not here
				continue
			}
			if of := t.byKey[k]; of != nil {
				b.collide(k, of, one, s.Place)
				continue
			}
			t.byKey[k] = one
		}
	}
	if s.Place != Everywhere {
		for _, a := range everywhere {
			add(a, Everywhere)
		}
	}
	for _, a := range s.Actions {
		add(a, s.Place)
	}
	return t
}

// collide tells of two actions with the same key, once for each two. It is the
// one that was chosen that is blamed; of two, the later in the order of places.
func (b *builder) collide(k string, x, y *bound, at Place) {
	if _, ok := b.chosen[y.Name]; !ok {
		x, y = y, x
	}
	id := [2]string{y.Name, x.Name}
	if b.told[id] || b.told[[2]string{x.Name, y.Name}] {
		return
	}
	if b.told == nil {
		b.told = make(map[[2]string]bool)
	}
	b.told[id] = true
	c := b.chosen[y.Name]
	c.Action = y.Name
	where := ""
	if other, ok := b.chosen[x.Name]; ok {
		where = "; chosen in " + other.Origin
	}
	b.blame(c, "%s is the key of %s already (at %s%s): give %s or %s another one",
		Written(k), x.Name, at, where, y.Name, x.Name)
}
