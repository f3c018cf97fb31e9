package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// Keys that waited in the terminal come as one message, and are as many keys:
// labels, the root's own, and the letters of a name.
func TestKeysReadAtOnceAreSeparateKeys(t *testing.T) { bubble(t, keysReadAtOnce) }

func keysReadAtOnce(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "")
	a.size(80, 24)
	a.press("tab", "enter", "ada", "enter", "A1xB")
	if v := a.View(); !strings.Contains(v, "reviewing unparsable as ada: A1xB") {
		t.Errorf("labels typed at once:\n%s", v)
	}
	a.press("2hv3")
	if v := a.View(); !strings.Contains(v, ": A1xB23") {
		t.Errorf("there and back at once:\n%s", v)
	}
	a.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("4h"), Paste: true})
	if v := a.View(); !strings.Contains(v, ": A1xB23[4h]") {
		t.Errorf("a paste was taken apart:\n%s", v)
	}
}

// Going through the tabs never ends in the question for a name.
func TestTabsGoPastTheQuestionForAName(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "")
		a.size(80, 24)
		for _, want := range []Tab{TabReview, TabReport, TabCriteria, TabRuns} {
			if a.press("]"); a.nav.tab != want {
				t.Fatalf("on tab %d, want %d:\n%s", a.nav.tab, want, a.View())
			}
		}
	})
}

func TestKeysDoNotCollide(t *testing.T) { bubble(t, keysDoNotCollide) }

func keysDoNotCollide(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	own := make(map[string]string)
	for _, k := range rootHelpKeys(&a.keys, a.nav) {
		for _, name := range k.Keys() {
			if strings.ToUpper(name) == name && strings.ToLower(name) != name || name >= "0" && name <= "9" {
				t.Errorf("%s is a label's key", name)
			}
			if own[name] != "" {
				t.Errorf("%s is both %s and %s", name, own[name], k.Help().Desc)
			}
			own[name] = k.Help().Desc
		}
	}
	a.size(80, 24)
	a.press("enter")
	for _, s := range []Screen{a.tabs.runs, a.tabs.queues, a.tabs.report, a.nav.topScreen()} {
		for _, g := range s.HelpGroups() {
			for _, k := range g.Keys {
				for _, name := range k.Keys() {
					if own[name] != "" {
						t.Errorf("%T: %s is %s here and %s everywhere", s, name, k.Help().Desc, own[name])
					}
				}
			}
		}
	}
}
