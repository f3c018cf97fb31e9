package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

// labelling stands for a review screen with its keys.
type labelling struct{ reviewing }

func (l *labelling) SetKeySpeller(with func(string) string) {
	l.name += annotate.QueueName(" with " + with("undo") + with("s"))
}
func (*labelling) KeymapPlace() keymap.Place { return keymap.Review }
func (*labelling) Bindings() []key.Binding {
	return []key.Binding{keymap.Review.BindAction("undo"), widget.NewBinding("1-4 A-D", "choose", "1", "A")}
}

func (l *labelling) HelpGroups() []widget.Group {
	return []widget.Group{{Title: "Labels", Keys: l.Bindings()}}
}

func choose(t *testing.T, chosen ...keymap.Choice) *keymap.Keymap {
	t.Helper()
	m, bad := keymap.New(chosen)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	return m
}

func chose(action string, keys ...string) keymap.Choice {
	return keymap.Choice{Action: action, Keys: keys, Origin: "concord.toml:1"}
}

func TestKeysThatAPersonChose(t *testing.T) { bubble(t, keysThatAPersonChose) }

func keysThatAPersonChose(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.deps.Review = func(q annotate.QueueName, w annotate.Annotator) Screen {
		return &labelling{reviewing{name: q, who: w}}
	}
	a.spell(choose(t, chose("undo", "f9"), chose("help", "f8"), chose("next_tab", "f3")))
	a.size(80, 24)
	sees := func(want string) {
		t.Helper()
		if !strings.Contains(a.View(), want) {
			t.Errorf("no %q in\n%s", want, a.View())
		}
	}
	a.press("tab", "enter")
	a.press("A")
	a.send(keymap.NewKeyMsg("f9"))
	a.press("1")
	sees("reviewing unparsable with f9s as ada: Actrl+z1")
	sees("f9 undo   1-4 A-D choose")
	sees("f8 help")
	a.send(keymap.NewKeyMsg("ctrl+z"))
	sees(": Actrl+z1")
	sees("ctrl+z has been moved: undo is f9")
	a.press("?")
	sees(": Actrl+z1")
	a.press("u", "q") // no letter is a command there
	sees(": Actrl+z1uq")
	a.send(keymap.NewKeyMsg("f8"))
	sees("Keys")
	sees("f9       undo")
	sees("f3      next tab")
	a.press("esc")
	a.send(keymap.NewKeyMsg("f3"))
	if a.nav.tab != TabReport {
		t.Errorf("on tab %d", a.nav.tab)
	}
}

// While a name is typed, keys are text and nothing is translated.
func TestTypedTextIsNotTranslated(t *testing.T) { bubble(t, typedTextIsNotTranslated) }

func typedTextIsNotTranslated(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "")
	a.spell(choose(t, chose("open", "f8"), chose("undo", "f9")))
	a.size(80, 24)
	a.press("v", "u", "?")
	if !strings.Contains(a.View(), "u?") {
		t.Errorf("typed u?:\n%s", a.View())
	}
}

// TestKeysAreInTheCatalogue holds that no key of the screens that the root
// makes is missing, nor one of its own.
func TestKeysAreInTheCatalogue(t *testing.T) { bubble(t, keysAreInTheCatalogue) }

func keysAreInTheCatalogue(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	for _, k := range keymaptest.FindMissingKeys(append(rootHelpKeys(&a.keys, a.nav), rootBindings(&a.keys, a.nav, a.width)...), keymap.Everywhere) {
		t.Errorf("the root has no key %s", k)
	}
	for _, g := range a.tabs.queues.HelpGroups() {
		for _, k := range keymaptest.FindMissingKeys(append(g.Keys, a.tabs.queues.Bindings()...), keymap.Queues) {
			t.Errorf("the list of queues has no key %s", k)
		}
	}
}
