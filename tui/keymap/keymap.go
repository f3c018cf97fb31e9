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

// Keymap is which keys do what for one person. The zero value is the keys that everybody has.
type Keymap struct {
	at       map[Place]*placeTable
	sections []Section // nil: those of the catalogue
}

// placeTable is a place's keys, its own and those of everywhere.
type placeTable struct {
	letters Letters
	former  bool
	byKey   map[string]*boundAction // by the keys that the person has
	preset  map[string]*boundAction // by default keys
}

func (t *placeTable) isLabel(k string) bool { return t.letters.isLabel(k, t.former) }

// boundAction is an action with the keys that it has.
type boundAction struct {
	Action
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

// New makes a keymap of what a person chose. Problems are all that cannot be; there is no keymap then.
// More are sections of screens that the catalogue does not have.
func New(chosen []Choice, more ...Section) (*Keymap, []Problem) {
	all := append(Catalogue(), more...)
	b := tableBuilder{sections: all, chosen: make(map[string]Choice)}
	for _, c := range chosen {
		if b.former = b.former || c.Action == layout && slices.Equal(c.Keys, []string{Former}); c.Action == layout && !b.former {
			b.addProblem(c, "the one layout that can be chosen is %q", Former)
		}
	}
	for _, c := range chosen {
		b.checkChoice(c)
	}
	m := &Keymap{at: make(map[Place]*placeTable), sections: all}
	for i := range all {
		m.at[all[i].Place] = b.buildTable(&all[i], all[0].Actions)
	}
	if len(b.bad) > 0 {
		return nil, b.bad
	}
	return m, nil
}

// TranslatePressedKey is the key that a screen knows for one that was pressed. It is false
// for a key that does nothing, because its action has other keys now.
func (m *Keymap) TranslatePressedKey(at Place, pressed string) (string, bool) {
	t := m.tableAt(at)
	if t == nil || t.isLabel(pressed) {
		return pressed, true
	}
	if b := t.byKey[pressed]; b != nil {
		if !b.moved {
			return pressed, true
		}
		return b.Keys[0], true
	}
	return pressed, t.preset[pressed] == nil && (!isLetter(pressed) || t.letters != Options)
}

// IsLabel reports whether a key is a letter that is no command at a place.
func (m *Keymap) IsLabel(at Place, pressed string) bool {
	t := m.tableAt(at)
	return t != nil && isLetter(pressed) && t.isLabel(pressed)
}

// FindMovedKey finds what a key's action is and the keys that it has now, of a key that does nothing.
func (m *Keymap) FindMovedKey(at Place, pressed string) (desc, keys string) {
	t := m.tableAt(at)
	if t == nil || t.preset[pressed] == nil {
		return "", ""
	}
	b := t.preset[pressed]
	return b.Desc, formatKeys(b.keys)
}

// allSections are the sections of the catalogue and those that came with New.
func (m *Keymap) allSections() []Section {
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

func (m *Keymap) tableAt(at Place) *placeTable {
	if m == nil || m.at == nil {
		m = standard()
	}
	return m.at[at]
}

func formatKeys(keys []string) string { return strings.Join(writtenKeys(keys), " ") }

// ActionNames are those of all actions that can have other keys, and of the layout.
func ActionNames() []string {
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
}

// ListRows lists all actions, place by place.
func (m *Keymap) ListRows() []Row {
	var out []Row
	for _, s := range m.allSections() {
		for _, a := range s.Actions {
			r := Row{Place: s.Place, Action: a, Keys: a.Keys}
			if t := m.tableAt(s.Place); t != nil {
				r.Keys = t.preset[a.Keys[0]].keys
			}
			out = append(out, r)
		}
	}
	return out
}

// WhyFixed is why an action cannot have other keys; "" for one that can, or that there is not.
func WhyFixed(name string) string {
	for _, s := range Catalogue() {
		for _, a := range s.Actions {
			if a.Name == name {
				return a.Fixed
			}
		}
	}
	return ""
}

// tableBuilder makes tables of what was chosen, and gathers what is wrong.
type tableBuilder struct {
	sections []Section // Everywhere first
	chosen   map[string]Choice
	bad      []Problem
	told     map[[2]string]bool // collisions of two actions, said once
	former   bool               // the former layout
}

func (b *tableBuilder) addProblem(c Choice, format string, args ...any) {
	b.bad = append(b.bad, Problem{Choice: c, Text: fmt.Sprintf(format, args...)})
}

// checkChoice looks at a choice by itself: whether there is such an action, and such keys.
func (b *tableBuilder) checkChoice(c Choice) {
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
			b.addProblem(c, "has no other key: %s", why)
			return
		}
		of = append(of, s)
	}
	if len(of) == 0 {
		b.addProblem(c, "no action has this name (all of them: concord config keys)")
		return
	}
	var keys []string
	for _, name := range c.Keys {
		k, err := ParseKey(name)
		if err != nil {
			b.addProblem(c, "%s", err)
			return
		}
		if at, ok := b.findLabelPlace(k, c.Action, of); ok {
			b.addProblem(c, "%s is a label's key%s: commands cannot have it", k, at)
			return
		}
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		b.addProblem(c, "names no key")
		return
	}
	c.Keys = keys
	b.chosen[c.Action] = c
}

// findLabelPlace says where a key is a label among the places of an action. What is
// done everywhere by a letter is not done by one where letters are labels.
func (b *tableBuilder) findLabelPlace(k, action string, of []Section) (where string, ok bool) {
	if Commands.isLabel(k, b.former) {
		return "", true
	}
	for _, s := range of {
		i := slices.IndexFunc(s.Actions, func(a Action) bool { return a.Name == action })
		if s.Place == Everywhere && (b.former || !isLetter(s.Actions[i].Keys[0])) {
			of = b.sections
		}
	}
	for _, s := range of {
		if s.Letters.isLabel(k, b.former) {
			return " at " + string(s.Place), true
		}
	}
	return "", false
}

// buildTable builds a section's keys as they are for the person.
func (b *tableBuilder) buildTable(s *Section, everywhere []Action) *placeTable {
	t := &placeTable{letters: s.Letters, former: b.former, byKey: make(map[string]*boundAction, len(everywhere)+len(s.Actions)), preset: make(map[string]*boundAction, len(everywhere)+len(s.Actions))}
	add := func(a Action) {
		one := &boundAction{Action: a, keys: a.Keys}
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
			if t.isLabel(k) { // of what is done everywhere: not here
				continue
			}
			if of := t.byKey[k]; of != nil {
				b.reportCollision(k, of, one, s.Place)
				continue
			}
			t.byKey[k] = one
		}
	}
	if s.Place != Everywhere {
		for _, a := range everywhere {
			add(a)
		}
	}
	for _, a := range s.Actions {
		add(a)
	}
	return t
}

// reportCollision tells of two actions with the same key, once for each two. It is the
// one that was chosen that is blamed; of two, the later in the order of places.
func (b *tableBuilder) reportCollision(k string, x, y *boundAction, at Place) {
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
	b.addProblem(c, "%s is the key of %s already (at %s%s): give %s or %s another one",
		FormatKey(k), x.Name, at, where, y.Name, x.Name)
}
