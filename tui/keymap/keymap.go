package keymap

import (
	"fmt"
	"slices"
	"strings"
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

// Error says what is wrong, and where.
func (p Problem) Error() string { return fmt.Sprintf("%s: keys.%s: %s", p.Origin, p.Action, p.Text) }

// Keymap is which keys do what for one person. The zero value is the keys that
// everybody has.
type Keymap struct {
	at       map[Place]*table
	sections []Section // nil: those of the catalogue
}

// table is a place's keys, its own and those of everywhere.
type table struct {
	letters bool
	byKey   map[string]*bound // by the keys that the person has
	preset  map[string]*bound // by default keys
	moved   bool              // something is not as the defaults
}

// bound is an action with the keys that it has.
type bound struct {
	Action
	at    Place
	keys  []string
	moved bool
}

// New makes a keymap of what a person chose. Problems are all that cannot be;
// there is no keymap then. More are sections of screens that the catalogue does
// not have.
func New(chosen []Choice, more ...Section) (*Keymap, []Problem) {
	all := append(Catalogue(), more...)
	b := builder{sections: all, chosen: make(map[string]Choice)}
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
	if t == nil || !t.moved || label(pressed, t.letters) {
		return pressed, true
	}
	if b := t.byKey[pressed]; b != nil {
		if !b.moved {
			return pressed, true
		}
		return b.Keys[0], true
	}
	return pressed, t.preset[pressed] == nil
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

func (m *Keymap) table(at Place) *table {
	if m == nil || at == "" {
		return nil
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

// Names are those of all actions that can have other keys.
func Names() []string {
	var out []string
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
