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
func WhyIf(off bool, why string) string {
	if off {
		return why
	}
	return ""
}

// WhyUnless is a reason where something does not hold.
func WhyUnless(ok bool, why string) string { return WhyIf(!ok, why) }

// PartKeys are the bindings of screens that have several parts, by names of their own.
var PartKeys = map[string]key.Binding{
	"other": widget.NewBinding("tab", "next part", "tab", "shift+tab"), "more_room": widget.NewPaneKeys(),
	"back": widget.NewBinding("esc", "back", "esc"), "up": widget.NewBinding("↑↓", "move", "up"),
}

// Bindings gives those of actions, as they read now.
func (b *Bounds) Bindings(names ...string) []key.Binding { return eval.Map(names, b.findBinding) }

func (b *Bounds) findBinding(name string) key.Binding {
	out, ok := b.Own[name]
	if !ok {
		out = b.Place.BindAction(name)
	}
	d := b.All[name]
	out.SetHelp(out.Help().Key, cmp.Or(d.Says, out.Help().Desc))
	return widget.EnableBinding(out, b.Spell.SpellText(d.Why))
}

// PressKey does what a key means now, or says why it cannot be done.
func (b *Bounds) PressKey(name string) tea.Cmd {
	for of, d := range b.All {
		bind := b.findBinding(of)
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
