package keymap

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Choice is what a person chose for an action.
type Choice struct {
	Action string
	Keys   []string // by name; at least one
	Origin string   // where it stands, as file:line
}

// Problem is a choice that cannot be.
type Problem struct {
	Choice
	Text string
}

// Keymap is which keys do what for one person. The zero value is the keys that
// everybody has.
type Keymap struct {
	at       map[Place]*table
	sections []Section // nil: those of the catalogue
}

// table is a place's keys, its own and those of everywhere.
type table struct {
	letters Letters
	former  bool
	byKey   map[string]*bound // by the keys that the person has
	preset  map[string]*bound // by default keys
}

func (t *table) label(k string) bool { return t.letters.label(k, t.former) }

// bound is an action with the keys that it has.
type bound struct {
	Action
	at    Place
	keys  []string
	moved bool
}

// layout is the name under which the layout is chosen, as if it were an action,
// and Former the one that there is beside that of everybody.
const (
	layout = "layout"
	Former = "former"
)

// renamed are actions by the names that they had.
var renamed = map[string]string{
	"note": "comment", "next_picture": "next_image", "read_again": "refresh", "next_open": "next_unlabeled",
	"settle_next": "next_unlabeled", "ambiguous": "several", "find": "filter", "truth": "ground_truth",
}

// New makes a keymap of what a person chose. Problems are all that cannot be;
// there is no keymap then. More are sections of screens that the catalogue does
// not have.
func New(chosen []Choice, more ...Section) (*Keymap, []Problem) {
	all := append(Catalogue(), more...)
	b := builder{sections: all, chosen: make(map[string]Choice)}
	for _, c := range chosen {
		if b.former = b.former || c.Action == layout && slices.Equal(c.Keys, []string{Former}); c.Action == layout && !b.former {
			b.blame(c, "the one layout that can be chosen is %q", Former)
		}
	}
	for _, c := range chosen {
		b.take(c)
	}
	m := &Keymap{at: make(map[Place]*table), sections: all}
	for i := range all {
		m.at[all[i].Place] = b.table(&all[i], all[0].Actions)
	}
	if len(b.bad) > 0 {
		return nil, b.bad
	}
	return m, nil
}

// Default is the key that a screen knows for one that was pressed. It is false
// for a key that does nothing, because its action has other keys now.
func (m *Keymap) Default(at Place, pressed string) (string, bool) {
	t := m.table(at)
	if t == nil || t.label(pressed) {
		return pressed, true
	}
	if b := t.byKey[pressed]; b != nil {
		if !b.moved {
			return pressed, true
		}
		return b.Keys[0], true
	}
	return pressed, t.preset[pressed] == nil && (!letter(pressed) || t.letters != Options)
}

// Label reports whether a key is a letter that is no command at a place.
func (m *Keymap) Label(at Place, pressed string) bool {
	t := m.table(at)
	return t != nil && letter(pressed) && t.label(pressed)
}

// Gone is what a key's action is and the keys that it has now, of a key that
// does nothing.
func (m *Keymap) Gone(at Place, pressed string) (desc, keys string) {
	t := m.table(at)
	if t == nil || t.preset[pressed] == nil {
		return "", ""
	}
	b := t.preset[pressed]
	return b.Desc, writtenAll(b.keys)
}

// all are the sections of the catalogue and those that came with New.
func (m *Keymap) all() []Section {
	if m == nil || m.sections == nil {
		return Catalogue()
	}
	return m.sections
}

// standard is the keymap of who chose nothing.
var standard = sync.OnceValue(func() *Keymap {
	m, _ := New(nil)
	return m
})

func (m *Keymap) table(at Place) *table {
	if m == nil || m.at == nil {
		m = standard()
	}
	return m.at[at]
}

func writtenAll(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = Written(k)
	}
	return strings.Join(out, " ")
}

// Names are those of all actions that can have other keys, and of the layout.
func Names() []string {
	out := []string{layout}
	for _, s := range Catalogue() {
		for _, a := range s.Actions {
			if a.Fixed == "" {
				out = append(out, a.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Row is an action at a place with the keys that it has.
type Row struct {
	Place  Place
	Action Action
	Keys   []string
	Moved  bool // they are not the default ones
}

// Rows are all actions, place by place.
func (m *Keymap) Rows() []Row {
	var out []Row
	for _, s := range m.all() {
		for _, a := range s.Actions {
			r := Row{Place: s.Place, Action: a, Keys: a.Keys}
			if t := m.table(s.Place); t != nil {
				b := t.preset[a.Keys[0]]
				r.Keys, r.Moved = b.keys, b.moved
			}
			out = append(out, r)
		}
	}
	return out
}

// Fixed is why an action cannot have other keys; "" for one that can, or that
// there is not.
func Fixed(name string) string {
	for _, s := range Catalogue() {
		for _, a := range s.Actions {
			if a.Name == name {
				return a.Fixed
			}
		}
	}
	return ""
}

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
