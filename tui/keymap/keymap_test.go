package keymap

import (
	"fmt"
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
				if s.Place != Everywhere && s.Letters.isLabel(k, false) {
					t.Errorf("%s: %s has %s, a label's key", s.Place, a.Name, k)
				}
				if got, err := ParseKey(k); err != nil || got != k || NewKeyMsg(k).String() != k {
					t.Errorf("%s: %s has %q: %q %v, sent as %q", s.Place, a.Name, k, got, err, NewKeyMsg(k))
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
		said := fmt.Sprintf("%s: keys.%s: %s", bad[0].Origin, bad[0].Action, bad[0].Text)
		for _, w := range append(want, "concord.toml:3: ") {
			if !strings.Contains(said, w) {
				t.Errorf("%v: %q does not say %q", chosen, said, w)
			}
		}
	}
	check([]string{"keys.undo: ctrl+y is the key of redo"}, chose("undo", "ctrl+y"))
	check([]string{"keys.skip: f9 is the key of undo", "chosen in concord.toml:3"}, chose("undo", "f9"), chose("skip", "f9"))
	check([]string{"keys.undo: ? is the key of help"}, chose("undo", "?"))
	check([]string{"keys.show_runs: ! is the key of flag"}, chose("show_runs", "!"))
	check([]string{"keys.unod: no action"}, chose("unod", "f9"))
	check([]string{"keys.undo: 3 is a label's key"}, chose("undo", "3"))
	check([]string{"keys.undo: U is a label's key at review"}, chose("undo", "U"))
	check([]string{"keys.undo: u is a label's key at review"}, chose("undo", "u"))
	check([]string{"keys.axis: p is a label's key at curate"}, chose("axis", "p"))
	check([]string{"keys.help: H is a label's key at review"}, chose("help", "H"))
	check([]string{`keys.undo: "ctrl+zz" is no key`}, chose("undo", "ctrl+zz"))
	check([]string{`write "tab"`}, chose("undo", "ctrl+i"))
	check([]string{"keys.quit: has no other key: ctrl+c"}, chose("quit", "ctrl+q"))
	check([]string{"keys.undo: esc is the key of back"}, chose("undo", "esc"))
	check([]string{"keys.undo: names no key"}, chose("undo"))
	check([]string{`keys.layout: the one layout that can be chosen is "former"`}, chose("layout", "vi"))
	former := chose("layout", "former")
	check([]string{"keys.undo: U is a label's key at review"}, former, chose("undo", "U"))
	check([]string{"keys.undo: % is the key of confidence"}, former, chose("undo", "%"))
}

// No letter is a command where items are answered, and a common verb has one key
// everywhere, which no other action has.
func TestCommonVerbsHaveOneKeyEverywhere(t *testing.T) {
	verbs := map[string]string{
		"help": "?", "back": "esc", "undo": "ctrl+z", "redo": "ctrl+y", "next_unlabeled": " ", "next_image": ".",
		"filter": "/", "comment": ",", "flag": "!", "open": "enter", "refresh": "ctrl+r",
	}
	of := make(map[string]string)
	for verb, key := range verbs {
		of[key] = verb
	}
	for _, s := range Catalogue() {
		for _, a := range s.Actions {
			if want := verbs[a.Name]; want != "" && a.Keys[0] != want {
				t.Errorf("%s: %s has %q, want %q", s.Place, a.Name, a.Keys, want)
			}
			for _, k := range a.Keys {
				if verb := of[k]; verb != "" && verb != a.Name && a.Name != "save_marked" {
					t.Errorf("%s: %s has %q, the key of %s", s.Place, a.Name, k, verb)
				}
			}
		}
	}
}

func TestAKeyFindsItsAction(t *testing.T) {
	check := func(at Place, pressed, want string, chosen ...Choice) {
		t.Helper()
		m, bad := New(chosen)
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		got, ok := m.TranslatePressedKey(at, pressed)
		if !ok {
			got = "nothing"
		}
		if got != want {
			t.Errorf("%s %q with %v: %q, want %q", at, pressed, chosen, got, want)
		}
	}
	check(Review, "ctrl+z", "ctrl+z")
	undo := chose("undo", "f9", "f10")
	check(Votes, "f9", "f9", chose("comment", "f10"))
	check(Review, "f9", "ctrl+z", undo)
	check(Review, "+", "ctrl+z", chose("undo", "+"), chose("zoom_in", "f9"), chose("replace", "f10"))
	check(Review, "ctrl+z", "nothing", undo)
	check(Runs, "ctrl+z", "ctrl+z", undo)
	check("", "f9", "f9", undo)
	// Two that change places, and one that takes the key of another.
	check(Review, "ctrl+z", "ctrl+y", chose("undo", "ctrl+y"), chose("redo", "ctrl+z"))
	check(Review, "ctrl+y", "ctrl+z", chose("undo", "ctrl+y"), chose("redo", "ctrl+z"))
	check(Review, "-", "ctrl+z", chose("undo", "-"), chose("refused", "f3"))
	// The names that actions had are still read.
	check(Review, "f9", ",", chose("note", "f9"))
	// Labels stay what they are; no letter is a command.
	for _, k := range []string{"U", "u", "q", "a", "1"} {
		check(Review, k, k, undo)
	}
	// What is everywhere is at each place.
	check(Review, "f9", "?", chose("help", "f9"))
	check(Report, "?", "nothing", chose("help", "f9"))
	// One more key beside the default one.
	check(Report, "right", "right", chose("expand", "right", "l"))
	check(Report, "l", "right", chose("expand", "right", "l"))
	var none Keymap
	if got, ok := none.TranslatePressedKey(Review, "u"); got != "u" || !ok {
		t.Errorf("no keymap: %q %v", got, ok)
	}
}

// The former layout: letters are commands, those in upper case are options.
func TestTheFormerLayout(t *testing.T) {
	m, bad := New([]Choice{chose("layout", "former"), chose("skip", "f9")})
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	check := func(at Place, pressed, want string, label bool) {
		t.Helper()
		got, ok := m.TranslatePressedKey(at, pressed)
		if !ok {
			got = "nothing"
		}
		if got != want || m.IsLabel(at, pressed) != label {
			t.Errorf("%s %q: %q %v, want %q %v", at, pressed, got, m.IsLabel(at, pressed), want, label)
		}
	}
	for pressed, want := range map[string]string{
		"u": "ctrl+z", "ctrl+r": "ctrl+y", "n": ",", "f": "!", "x": "0", "d": "-", "enter": " ", "z": "*", "r": "ctrl+e", "y": "f2", "f9": "ctrl+n",
		"s": "nothing", "0": "nothing", "=": `\`, "t": "nothing", "q": "q", "ctrl+z": "nothing", "1": "1",
	} {
		check(Review, pressed, want, false)
	}
	check(Review, "D", "D", true)
	check(Votes, "t", "=", false)
	check(Votes, "G", "end", false)
	check(Curate, "D", "ctrl+o", false)
	check(Runs, "R", "ctrl+r", false)
	check(Samples, " ", "ctrl+d", false)
}

func TestBindingsAreWrittenWithThePersonsKeys(t *testing.T) {
	m, bad := New([]Choice{
		chose("undo", "f9", "f10"), chose("down", "f8"), chose("previous_tab", "f3"), chose("next_state", "f4"),
		chose("fold", "f5"),
	})
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	check := func(help, desc, want string, at ...Place) {
		t.Helper()
		b := key.NewBinding(key.WithKeys("x"), key.WithHelp(help, desc))
		if got := m.TranslateBinding(b, at...).Help().Key; got != want {
			t.Errorf("%q at %v: %q, want %q", help, at, got, want)
		}
	}
	check("ctrl+z", "undo", "f9 f10", Review)
	check("ctrl+n", "skip", "ctrl+n", Review)
	check("↑ ↓", "scroll", "↑ f8", Review)
	check("↑↓", "choose", "↑ f8", Queues)
	check("←→", "change", "←→", Compare)
	check("[ ]", "tabs", "f3 ]", Runs)
	check("1-9 A-Z", "choose", "1-9 A-Z", Review)
	check("/", "filter", "/", Criteria)
	check("f", "close or open a group", "f5", Criteria)
	// A page of all keys names those of several places: the words tell which.
	check("tab", "next part", "tab", Criteria, CriteriaPage)
	check("tab", "state shown", "f4", CriteriaPage, Criteria)
	var none *Keymap
	if b := none.TranslateBinding(key.NewBinding(key.WithHelp("ctrl+z", "undo")), Review); b.Help().Key != "ctrl+z" {
		t.Errorf("no keymap: %q", b.Help().Key)
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"ctrl+z", "Space", "alt+x", "é", "ctrl+i", "", "alt+", "\x00", "F5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := ParseKey(s)
		if err != nil {
			return
		}
		if again, err := ParseKey(k); err != nil || again != k {
			t.Errorf("%q is %q, which is %q, %v", s, k, again, err)
		}
		if got := NewKeyMsg(k).String(); got != k {
			t.Errorf("%q is %q and is sent as %q", s, k, got)
		}
	})
}

// A text names the keys that the person has, also those of another part of the
// screen.
func TestTextsNameThePersonsKeys(t *testing.T) {
	m, bad := New([]Choice{{Action: "undo", Keys: []string{"f9", "f3"}}, {Action: "accept", Keys: []string{"f4"}}})
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	var s Spelling
	check := func(text, want string) {
		t.Helper()
		if got := s.SpellText(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	check("{undo} undoes, {left} goes back", "ctrl+z undoes, ← goes back")
	s.SetKeySpeller(func(key string) string { return m.FirstKeyText(key, Criteria) })
	check("{undo} undoes, {ctrl+k} saves again, {y} accepts", "f9 undoes, ctrl+k saves again, f4 accepts")
	check("no key: {", "no key: {")
	check("{undo@votes} and {n@runs}", "f9 and n")
	check("{left right} goes there, {< >} too", "←→ goes there, < > too")
}
