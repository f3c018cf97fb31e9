package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// footer is the last line of the frame.
func (o *office) footer() string {
	lines := strings.Split(o.View(), "\n")
	return lines[len(lines)-1]
}

// cursor is the row of the screen that is marked, without its figures: those
// may change.
func (o *office) cursor() string {
	for _, l := range strings.Split(o.View(), "\n") {
		if f := strings.Fields(l); len(f) > 2 && f[0] == "›" {
			return strings.Join(f[:3], " ")
		}
	}
	return ""
}

// TestEveryPlaceIsReached holds that the tests below are at the places that
// they speak of, and on every screen of the catalogue of keys.
func TestEveryPlaceIsReached(t *testing.T) {
	reached := map[string]bool{"everywhere": true, "adjudicate": true} // tests of its package are there
	everywhere(t, func(t *testing.T, pl place, o *office) {
		screen, _, _ := strings.Cut(string(o.nav.keyPlace()), " ")
		reached[screen] = true
		if got := o.nav.topScreen().IsTyping(); got != pl.typing {
			t.Errorf("typing is %v:\n%s", got, o.View())
		}
		seen := map[string]keymap.Place{
			"runs": keymap.Runs, "judging": keymap.Judging, "lobby": keymap.Queues, "guideline": keymap.Guideline, "people": keymap.People, "second look": keymap.SecondLook, "written": keymap.Authoring, "import done": keymap.Begin, "review": keymap.Review, "votes": keymap.Votes,
			"compare": keymap.Compare, "report": keymap.Report, "samples": keymap.Samples, "sample": keymap.Samples, "pairs": keymap.Pairs,
			"pair": keymap.Pairs, "criteria": keymap.Criteria, "criteria page": keymap.CriteriaPage, "curate": keymap.Curate,
		}
		if want, ok := seen[pl.name]; ok && o.nav.keyPlace() != want {
			t.Errorf("at %q, want %q:\n%s", o.nav.keyPlace(), want, o.View())
		}
	})
	for _, s := range keymap.Catalogue() {
		if screen, _, _ := strings.Cut(string(s.Place), " "); !reached[screen] {
			t.Errorf("the screen of the place %q is not in everyPlace (every_test.go)", s.Place)
		}
	}
}

// TestNoLineIsWiderThanTheTerminal at any size from the smallest up.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	everywhere(t, func(_ *testing.T, _ place, o *office) {
		for _, s := range [][2]int{{60, 24}, {61, 33}, {80, 24}, {100, 30}, {140, 40}, {200, 50}} {
			o.size(s[0], s[1])
			o.fits()
		}
	})
}

// TestFooterShowsWhatWorks holds that the footer has keys at the smallest size,
// that each says what it does, and that it is the one that the screen takes.
func TestFooterShowsWhatWorks(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		o.size(60, 24)
		n := 0
		for _, k := range o.nav.topScreen().Bindings() {
			if k.Enabled() && (k.Help().Key == "" || k.Help().Desc == "" || len(k.Keys()) == 0) {
				t.Errorf("a key without a label: %+v", k.Help())
			}
			if k.Enabled() && strings.Contains(o.footer(), k.Help().Desc) {
				n++
			}
		}
		if n == 0 || !pl.typing && !strings.Contains(o.footer(), "help") {
			t.Errorf("footer %q", o.footer())
		}
	})
}

// TestHelpHasEveryKeyOfTheFooter, and is left to where it was opened.
func TestHelpHasEveryKeyOfTheFooter(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.typing {
			return
		}
		var all []string
		for _, g := range helpGroups(&o.keys, o.nav) {
			for _, k := range g.Keys {
				all = append(all, k.Keys()...)
			}
		}
		for _, k := range o.nav.topScreen().Bindings() {
			if !k.Enabled() {
				continue
			}
			for _, name := range k.Keys() {
				if !slices.Contains(all, name) {
					t.Errorf("%q (%s) is in the footer and not on the help page", name, k.Help().Desc)
				}
			}
		}
		before := o.View()
		o.press("?")
		if !strings.Contains(o.View(), "Keys ") {
			t.Errorf("no help:\n%s", o.View())
		}
		o.press("esc")
		if o.View() != before {
			t.Error("help was not left to where it was opened")
		}
	})
}

// TestHelpIsSearched by what keys do, in place, with the text in view.
func TestHelpIsSearched(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.press("?", "/", "d", "r", "a", "w")
		if v := o.View(); !strings.Contains(v, "/ draw▏") || !strings.Contains(v, "draw again") || strings.Contains(v, "save and quit") {
			t.Error(v)
		}
		o.press("z", "z", "enter")
		if v := o.View(); !strings.Contains(v, "No key is called so") {
			t.Error(v)
		}
		o.press("esc")
		if v := o.View(); !strings.Contains(v, "new run") {
			t.Error("esc did not clear what was searched:", v)
		}
		o.press("esc")
		if o.manual.open {
			t.Error("esc did not leave help")
		}
	})
}

// TestEscLeavesOneLevelAndNeverQuits from everywhere: each press changes
// something until the home screen is reached, and there it does nothing.
func TestEscLeavesOneLevelAndNeverQuits(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		for n := 0; n <= len(pl.keys)+2; n++ {
			before := o.View()
			o.press("esc")
			if o.View() == before && (o.nav.tab != TabRuns || len(o.nav.openStack()) > 1) {
				t.Fatalf("esc leads nowhere:\n%s", before)
			}
		}
		if o.quits || o.nav.tab != TabRuns || len(o.nav.openStack()) != 1 {
			t.Errorf("quits %v, tab %d, %d screens", o.quits, o.nav.tab, len(o.nav.openStack()))
		}
		if len(o.notebook.Acts) > 0 {
			t.Errorf("esc made %d acts", len(o.notebook.Acts))
		}
	})
}

// TestQLeavesTheViewAndQuitsAtTheTop where keys are no text.
func TestQLeavesTheViewAndQuitsAtTheTop(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.typing {
			o.press("q")
			if o.quits {
				t.Error("a letter that was typed quits")
			}
			return
		}
		for range len(pl.keys) + 3 {
			if o.quits {
				break
			}
			if o.nav.keys.IsLabel(o.nav.keyPlace(), "q") { // no letter is a command there
				o.press("q", "esc")
			}
			o.press("q")
		}
		if !o.quits {
			t.Errorf("q leads nowhere:\n%s", o.View())
		}
	})
}

// TestModeIsShownWhileTyping, and single keys are no commands then.
func TestModeIsShownWhileTyping(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if got := strings.HasPrefix(o.footer(), " "+typingMode); got != pl.typing {
			t.Fatalf("footer %q", o.footer())
		}
		if !pl.typing {
			return
		}
		tab := o.nav.tab
		o.press("?", "h", "v", "]", ":", "u")
		if o.manual.open || o.finder.palette != nil || o.nav.tab != tab || o.quits || !o.nav.topScreen().IsTyping() {
			t.Errorf("what was typed is a command:\n%s", o.View())
		}
	})
}

// TestDigitsAreLabelsOnly holds that no digit and no label's letter moves to a
// pane, a tab or a screen, on a place where nothing is answered.
func TestDigitsAreLabelsOnly(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.labels || pl.typing {
			return
		}
		before := o.View()
		o.press("1", "2", "3", "9", "0")
		if o.View() != before {
			t.Errorf("a digit did something:\n%s", o.View())
		}
	})
}

// TestNoEditingKeyIsDestructive outside of a field.
func TestNoEditingKeyIsDestructive(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.typing {
			return
		}
		before, item := o.View(), o.cursor()
		for _, k := range []string{"backspace", "delete", "ctrl+h", "insert"} {
			o.send(keymap.NewKeyMsg(k))
		}
		same := o.View() == before || pl.labels // there it is said that they mean nothing
		if !same || o.cursor() != item || len(o.notebook.Acts) > 0 || o.quits {
			t.Errorf("an editing key did something:\n%s", o.View())
		}
	})
}

// TestNewsNeverMovesTheCursor holds that what comes in moves nothing under the
// reader: the row under the cursor stays the same.
func TestNewsNeverMovesTheCursor(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if !pl.typing {
			o.press("down")
		}
		before := o.cursor()
		for range 3 {
			o.project.rows[0].Progress.Counts.Predictions += 5
			o.send(changed{})
		}
		if got := o.cursor(); got != before {
			t.Errorf("the cursor was at %q and is at %q:\n%s", before, got, o.View())
		}
	})
}

// TestPaletteOpensEverywhere where keys are no text, and esc leaves it.
func TestPaletteOpensEverywhere(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.typing {
			return
		}
		for _, k := range []string{"ctrl+p", ":"} {
			o.send(keymap.NewKeyMsg(k))
			if o.finder.palette == nil {
				t.Errorf("%s does not open the palette", k)
			}
			o.press("esc")
		}
	})
}

// TestMovesAreTheSameEverywhere holds that what moves through a list or a text
// does so by the same keys, wherever the help page has them.
func TestMovesAreTheSameEverywhere(t *testing.T) {
	for _, s := range keymap.Catalogue() {
		if strings.HasSuffix(string(s.Place), " image") {
			continue // arrows walk over it
		}
		letters := s.Letters == keymap.Commands // where something is chosen no letter moves
		for _, a := range s.Actions {
			for _, pair := range [][2]string{{"up", "k"}, {"down", "j"}} {
				if slices.Contains(a.Keys, pair[0]) != slices.Contains(a.Keys, pair[1]) && letters {
					t.Errorf("%s: %s has one of %v", s.Place, a.Name, pair)
				}
			}
			for name, keys := range map[string][]string{"page_up": {"ctrl+u", "pgup"}, "page_down": {"ctrl+d", "pgdown"}, "top": {"g", "home"}} {
				for _, k := range keys {
					if a.Name == name && !slices.Contains(a.Keys, k) && (letters || k != "g") {
						t.Errorf("%s: %s lacks %s", s.Place, name, k)
					}
				}
			}
		}
	}
}

// TestDisabledActionsStayInSight holds that what cannot be done now is on the
// help page with a word that says so, and that a run says why.
func TestDisabledActionsStayInSight(t *testing.T) {
	everywhere(t, func(t *testing.T, pl place, o *office) {
		if pl.typing {
			return
		}
		for _, g := range helpGroups(&o.keys, o.nav) {
			for _, k := range g.Keys {
				line := strings.Join(strings.Fields(strings.Join(o.theme.DrawHelp(110, widget.Group{Keys: []key.Binding{k}}), " ")), " ")
				if !k.Enabled() && (!strings.Contains(line, k.Help().Desc) || !strings.Contains(line, "(not now: ")) {
					t.Errorf("%s does not say why it is off: %q", k.Help().Desc, line)
				}
			}
		}
	})
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.press("G", "?")
		if v := o.View(); !strings.Contains(v, "resume (not now: imported from a file:") {
			t.Errorf("why is not said:\n%s", v)
		}
	})
}
