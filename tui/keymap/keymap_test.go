package keymap

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
)

func chose(action string, keys ...string) Choice {
	return Choice{Action: action, Keys: keys, Origin: "concord.toml:3"}
}

func TestTheDefaultsDoNotCollide(t *testing.T) {
	if _, bad := New(nil); len(bad) > 0 {
		t.Error(bad)
	}
	for _, s := range Catalogue() {
		for _, a := range s.Actions {
			if len(a.Keys) == 0 || a.Desc == "" || strings.ContainsAny(a.Name, " -") {
				t.Errorf("%s: %+v", s.Place, a)
			}
			for _, k := range a.Keys {
				if label(k, s.Letters) {
					t.Errorf("%s: %s has %s, a label's key", s.Place, a.Name, k)
				}
				if got, err := Key(k); err != nil || got != k || Msg(k).String() != k {
					t.Errorf("%s: %s has %q: %q %v, sent as %q", s.Place, a.Name, k, got, err, Msg(k))
				}
			}
		}
	}
}

func TestWhatCannotBeChosen(t *testing.T) {
	check := func(want []string, chosen ...Choice) {
		t.Helper()
		_, bad := New(chosen)
		if len(bad) != 1 {
			t.Errorf("%v: %d problems, %v", chosen, len(bad), bad)
			return
		}
		for _, w := range append(want, "concord.toml:3: ") {
			if !strings.Contains(bad[0].Error(), w) {
				t.Errorf("%v: %q does not say %q", chosen, bad[0], w)
			}
		}
	}
	check([]string{"keys.undo: ctrl+r is the key of redo"}, chose("undo", "ctrl+r"))
	check([]string{"keys.skip: ctrl+z is the key of undo", "chosen in concord.toml:3"}, chose("undo", "ctrl+z"), chose("skip", "ctrl+z"))
	check([]string{"keys.undo: ? is the key of help"}, chose("undo", "?"))
	check([]string{"keys.show_runs: u is the key of undo"}, chose("show_runs", "u"))
	check([]string{"keys.unod: no action"}, chose("unod", "ctrl+z"))
	check([]string{"keys.undo: 3 is a label's key"}, chose("undo", "3"))
	check([]string{"keys.undo: U is a label's key at review"}, chose("undo", "U"))
	check([]string{"keys.help: H is a label's key at review"}, chose("help", "H"))
	check([]string{`keys.undo: "ctrl+zz" is no key`}, chose("undo", "ctrl+zz"))
	check([]string{`write "tab"`}, chose("undo", "ctrl+i"))
	check([]string{"keys.quit: has no other key: ctrl+c"}, chose("quit", "ctrl+q"))
	check([]string{"keys.undo: esc is the key of back"}, chose("undo", "esc"))
	check([]string{"keys.undo: names no key"}, chose("undo"))
}

func TestAKeyFindsItsAction(t *testing.T) {
	check := func(at Place, pressed, want string, chosen ...Choice) {
		t.Helper()
		m, bad := New(chosen)
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		got, ok := m.Default(at, pressed)
		if !ok {
			got = "nothing"
		}
		if got != want {
			t.Errorf("%s %q with %v: %q, want %q", at, pressed, chosen, got, want)
		}
	}
	check(Review, "u", "u")
	check(Review, "ctrl+z", "ctrl+z")
	undo := chose("undo", "ctrl+z", "f2")
	check(Votes, "ctrl+z", "ctrl+z", chose("note", "ctrl+y"))
	check(Review, "ctrl+z", "u", undo)
	check(Review, "+", "u", chose("undo", "+"), chose("more_room", "ctrl+v"), chose("replace", "ctrl+v"))
	check(Review, "u", "nothing", chose("undo", "ctrl+z"))
	check(Runs, "u", "u", chose("undo", "ctrl+z"))
	check("", "u", "u", chose("undo", "ctrl+z"))
	// Two that change places, and one that takes the key of another.
	check(Review, "u", "ctrl+r", chose("undo", "ctrl+r"), chose("redo", "u"))
	check(Review, "ctrl+r", "u", chose("undo", "ctrl+r"), chose("redo", "u"))
	check(Review, "x", "u", chose("undo", "x"), chose("none", "f3"), chose("only_axis", "ctrl+o"), chose("request_changes", "ctrl+o"), chose("take_away", "ctrl+o"))
	// Labels stay what they are.
	check(Review, "U", "U", chose("undo", "ctrl+z"))
	check(Review, "1", "1", chose("undo", "ctrl+z"))
	// What is everywhere is at each place.
	check(Review, "f1", "?", chose("help", "f1"))
	check(Report, "?", "nothing", chose("help", "f1"))
	// One more key beside the default one.
	check(Report, "right", "right", chose("expand", "right", "l"))
	check(Report, "l", "right", chose("expand", "right", "l"))
	var none Keymap
	if got, ok := none.Default(Review, "u"); got != "u" || !ok {
		t.Errorf("no keymap: %q %v", got, ok)
	}
}

func TestBindingsAreWrittenWithThePersonsKeys(t *testing.T) {
	m, bad := New([]Choice{
		chose("undo", "ctrl+z", "f2"), chose("down", "ctrl+n"), chose("previous_tab", "f3"), chose("next_state", "f4"),
		chose("fold", "f5"),
	})
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	check := func(help, desc, want string, at ...Place) {
		t.Helper()
		b := key.NewBinding(key.WithKeys("x"), key.WithHelp(help, desc))
		if got := m.Binding(b, at...).Help().Key; got != want {
			t.Errorf("%q at %v: %q, want %q", help, at, got, want)
		}
	}
	check("u", "undo", "ctrl+z f2", Review)
	check("s", "skip", "s", Review)
	check("j k ↑ ↓", "scroll", "ctrl+n k ↑", Review)
	check("↑↓", "choose", "↑ ctrl+n", Queues)
	check("←→", "change", "←→", Compare)
	check("[ ]", "tabs", "f3 ]", Runs)
	check("1-9 A-Z", "choose", "1-9 A-Z", Review)
	check("/", "filter", "/", Criteria)
	check("space", "close or open a group", "f5", Criteria)
	// A page of all keys names those of several places: the words tell which.
	check("tab", "next part", "tab", Criteria, CriteriaPage)
	check("tab", "state shown", "f4", CriteriaPage, Criteria)
	var none *Keymap
	if b := none.Binding(key.NewBinding(key.WithHelp("u", "undo")), Review); b.Help().Key != "u" {
		t.Errorf("no keymap: %q", b.Help().Key)
	}
}

func TestMissing(t *testing.T) {
	b := key.NewBinding(key.WithKeys("u", "1", "A", "ctrl+q"), key.WithHelp("u", "undo"))
	if got := strings.Join(Missing([]key.Binding{b}, Review), ","); got != "ctrl+q (undo)" {
		t.Error(got)
	}
	if got := strings.Join(Missing([]key.Binding{b}, Votes), ","); got != "A (undo),ctrl+q (undo)" {
		t.Error(got)
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"ctrl+z", "Space", "alt+x", "é", "ctrl+i", "", "alt+", "\x00", "F5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := Key(s)
		if err != nil {
			return
		}
		if again, err := Key(k); err != nil || again != k {
			t.Errorf("%q is %q, which is %q, %v", s, k, again, err)
		}
		if got := Msg(k).String(); got != k {
			t.Errorf("%q is %q and is sent as %q", s, k, got)
		}
	})
}

// A text names the keys that the person has, also those of another part of the
// screen.
func TestTextsNameThePersonsKeys(t *testing.T) {
	m, bad := New([]Choice{{Action: "undo", Keys: []string{"f2", "f3"}}, {Action: "accept", Keys: []string{"f4"}}})
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	var s Spelling
	check := func(text, want string) {
		t.Helper()
		if got := s.Keyed(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	check("{u} undoes, {left} goes back", "u undoes, ← goes back")
	s.Spell(func(key string) string { return m.First(key, Criteria) })
	check("{u} undoes, {ctrl+s} saves again, {y} accepts", "f2 undoes, ctrl+s saves again, f4 accepts")
	check("no key: {", "no key: {")
	check("{u@votes} and {u@runs}", "f2 and u")
	check("{left right} goes there, {< >} too", "←→ goes there, < > too")
}
