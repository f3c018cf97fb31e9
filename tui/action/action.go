// Package action is the table of what the keys of a screen do: footer, help page
// and handling all come from it, so that none promises what another does not do.
//
// It knows no screen: an action is bound to the one that made it. Its one
// invariant: in one mode the first action of a key is the only one.
package action

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Mode is what keys mean now; each screen numbers its own.
type Mode uint8

// Action is one thing that keys of a screen do.
type Action struct {
	Group   string
	Modes   []Mode
	Bind    key.Binding
	Records bool          // it records something on the item in front
	Foot    Rank          // its place in the footer
	Why     func() string // why it cannot be done now; "" when it can; nil: it always can
	Do      func(key string) tea.Cmd
}

// Rank is how early a key stands in the footer; what does not fit is left out
// from the end. The zero value is not there at all.
type Rank uint8

// The ranks.
const (
	Unranked Rank = iota
	First
	Second
	Third
	Fourth
	Fifth
)

// Roomy is the width from which the footer has room for keys of the fifth rank and for the way back.
const Roomy = 120

// FooterKey is a binding with its place in the footer.
type FooterKey struct {
	key.Binding
	Foot Rank
}

// NewFooterKey gives a binding its place.
func NewFooterKey(foot Rank, b key.Binding) FooterKey { return FooterKey{Binding: b, Foot: foot} }

// NewAction gives one row of a table.
func NewAction(group string, modes []Mode, b FooterKey, why func() string, do func(key string) tea.Cmd) Action {
	return Action{Group: group, Modes: modes, Bind: b.Binding, Foot: b.Foot, Why: why, Do: do}
}

// MarkRecording marks an action as one that records something on the item in front:
// its keys count only while the terminal shows the item.
func MarkRecording(a Action) Action {
	a.Records = true
	return a
}

// Outcome is what came of a key.
type Outcome struct {
	Found   bool // it has a meaning in this mode
	Known   bool // it has one in some mode
	Refusal string
	Cmd     tea.Cmd
}

// Table is all that a screen's keys do.
type Table []Action

// WhyBlocked is why an action cannot be done now; "" when it can.
func (a *Action) WhyBlocked() string {
	if a.Why == nil {
		return ""
	}
	return a.Why()
}

// PressKey does what a key means in a mode.
func (t Table) PressKey(mode Mode, name string) (o Outcome) {
	for i := range t {
		a := &t[i]
		if !slices.Contains(a.Bind.Keys(), name) {
			continue
		}
		o.Known = true
		if !slices.Contains(a.Modes, mode) {
			continue
		}
		o.Found = true
		if o.Refusal = a.WhyBlocked(); o.Refusal == "" {
			o.Cmd = a.Do(name)
		}
		return o
	}
	return o
}

// PressAndNotify does what a key means in a mode, and shows a notice why it does nothing.
func (t Table) PressAndNotify(mode Mode, name string) tea.Cmd {
	o := t.PressKey(mode, name)
	return eval.Either(o.Refusal != "", widget.NotifyCmd(widget.Info, o.Refusal), o.Cmd)
}

// HandleMsg has a key handled, or takes what came of a command; other messages are passed over.
func HandleMsg[O ~func() tea.Cmd](msg tea.Msg, press func(tea.KeyMsg) tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return press(msg)
	case O:
		return msg()
	}
	return nil
}

// RecordsOnKey reports whether a key would record something in a mode.
func (t Table) RecordsOnKey(mode Mode, name string) bool {
	a := eval.Find(t, func(a *Action) bool { return slices.Contains(a.Bind.Keys(), name) && slices.Contains(a.Modes, mode) })
	return a != nil && a.Records
}

// FooterBindings is what can be done now, the most important first. ranked is an
// action's place now, named its binding as it is shown; nil: as the table has it.
func (t Table) FooterBindings(mode Mode, width int, ranked func(key.Binding, Rank) Rank, named func(key.Binding) key.Binding) []key.Binding {
	type place struct {
		bind key.Binding
		rank Rank
	}
	shown := make([]place, 0, len(t))
	for i := range t {
		a := &t[i]
		if a.Foot == Unranked || !slices.Contains(a.Modes, mode) || a.WhyBlocked() != "" {
			continue
		}
		rank := a.Foot
		if ranked != nil {
			rank = ranked(a.Bind, rank)
		}
		if width >= Roomy || rank != Fifth {
			shown = append(shown, place{a.Bind, rank})
		}
	}
	slices.SortStableFunc(shown, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]key.Binding, len(shown))
	for i, p := range shown {
		if out[i] = p.bind; named != nil {
			out[i] = named(p.bind)
		}
	}
	return out
}

// HelpGroups is the page of all keys by group: those of a mode, and in the groups of whole all.
func (t Table) HelpGroups(mode Mode, named func(key.Binding) key.Binding, whole string, groups ...string) []widget.Group {
	var out []widget.Group
	for _, title := range groups {
		g := widget.Group{Title: title}
		for i := range t {
			a := &t[i]
			if a.Group != title || title != whole && !slices.Contains(a.Modes, mode) {
				continue
			}
			b := a.Bind
			if named != nil {
				b = named(b)
			}
			g.Keys = append(g.Keys, widget.BindingUnless(b, a.WhyBlocked()))
		}
		out = append(out, g)
	}
	return out
}

// Bound is what an action of the keymap does now.
type Bound struct {
	Says string // in words of its own; "": the keymap's
	Why  string // why it cannot be done now, keys in braces; "" when it can
	Do   func(key string) tea.Cmd
	Asks bool // of the root, which says itself why not
}

// Bounds are what the keys of a place do now, by the names of actions.
type Bounds struct {
	Place keymap.Place
	Own   map[string]key.Binding // those that are no actions of the keymap
	Spell *keymap.Spelling
	All   map[string]Bound
}

// WhyIf is a reason where something holds.
func WhyIf(off bool, why string) string { return eval.Either(off, why, "") }

// WhyUnless is a reason where something does not hold.
func WhyUnless(ok bool, why string) string { return WhyIf(!ok, why) }

// PassKeyToQuestion hands a key to the question that waits; once answered, none does.
func PassKeyToQuestion(q **widget.Question, msg tea.KeyMsg) tea.Cmd {
	cmd, answered := (*q).HandleKey(msg)
	if answered {
		*q = nil
	}
	return cmd
}

// PartKeys are the bindings of screens that have several parts, by names of their own.
var PartKeys = map[string]key.Binding{
	"other": widget.NewBinding("tab", "next part", "tab", "shift+tab"), "more_room": widget.NewPaneSizeKeys(),
	"back": widget.NewBinding("esc", "back", "esc"), "up": widget.NewBinding("↑↓", "move", "up"),
}

// Bindings gives those of actions, as they read now.
func (b *Bounds) Bindings(names ...string) []key.Binding { return eval.Map(names, b.currentBinding) }

func (b *Bounds) currentBinding(name string) key.Binding {
	out, ok := b.Own[name]
	if !ok {
		out = b.Place.BindAction(name)
	}
	d := b.All[name]
	out.SetHelp(out.Help().Key, cmp.Or(d.Says, out.Help().Desc))
	return widget.BindingUnless(out, b.Spell.SpellText(d.Why))
}

// PressKey does what a key means now, or says why it cannot be done.
func (b *Bounds) PressKey(name string) tea.Cmd {
	for of, d := range b.All {
		bind := b.currentBinding(of)
		switch {
		case d.Do == nil && d.Why == "", !slices.Contains(bind.Keys(), name):
		case d.Why != "" && !d.Asks:
			return widget.NotifyCmd(widget.Info, b.Spell.SpellText(d.Why))
		default:
			return d.Do(name)
		}
	}
	return nil
}
