package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// TestWhatIsInFrontIsCopied by alt+y everywhere, and by y where y says
// nothing; an error that is shown goes first.
func TestWhatIsInFrontIsCopied(t *testing.T) {
	check := func(where string, want string, keys ...string) {
		t.Helper()
		for _, pl := range everyPlace() {
			if pl.name != where {
				continue
			}
			inBubble(t, where, func(t *testing.T) {
				o := pl.at(t)
				for _, k := range keys {
					o.send(keymap.NewKeyMsg(k))
				}
				if got := strings.Join(o.copied, "|"); got != want {
					t.Errorf("copied %q, want %q:\n%s", got, want, o.View())
				}
			})
		}
	}
	check("runs", "lynx-vl on demo", "/", "x", "esc", "alt+y")
	check("lobby", "unparsable|unparsable", "y", "alt+y")
	check("review", "The ␛[31mfirst one, I think.", "f2")
	check("votes", "Answer 1:\nThe ␛[31mfirst one, I think.\n\nAnswer 2:\nThe second.\n", "alt+y")
	check("votes reason", "", "y", "alt+y")
	check("samples", "100|101", "y", "down", "y")
	check("criteria", "s0", "down", "alt+y")
	check("curate", "7", "f2")
	check("runs", "", "c", "y") // it answers the question whether to cancel
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.send(widget.Notify{Level: widget.Problem, Text: "disk full"})
		if v := o.View(); !strings.Contains(v, "alt+y copy") {
			t.Errorf("nothing says that it can be copied:\n%s", v)
		}
		o.send(keymap.NewKeyMsg("alt+y"))
		if len(o.copied) != 1 || o.copied[0] != "disk full" {
			t.Errorf("copied %q", o.copied)
		}
		if v := o.View(); !strings.Contains(v, "disk full") {
			t.Error("copying dismissed the error")
		}
	})
}

// click finds a text on the screen and clicks on it.
func (o *office) click(text string) {
	o.t.Helper()
	for y, l := range strings.Split(ansi.Strip(o.View()), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			o.send(tea.MouseMsg{X: widget.TextWidth(l[:i]), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			return
		}
	}
	o.t.Fatalf("no %q to click on:\n%s", text, o.View())
}

// TestMouseSelectsAndScrolls rows, and opens tabs; it answers nothing.
func TestMouseSelectsAndScrolls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		under := func(want string) {
			t.Helper()
			for _, l := range strings.Split(o.View(), "\n") {
				if strings.HasPrefix(l, "› ") && strings.Contains(l, want) {
					return
				}
			}
			t.Errorf("%q is not under the cursor:\n%s", want, o.View())
		}
		for _, s := range [][2]int{{80, 24}, {200, 50}} {
			o.size(s[0], s[1])
			o.click("imported")
			under("imported")
			if o.send(keymap.NewKeyMsg("up")); o.nav.topScreen() != Screen(o.tabs.runs) {
				t.Fatal("a click opened something")
			}
			o.click("hard ones")
			o.press("y")
			o.click("running")
			under("running")
		}
		if got := strings.Join(o.copied, "|"); got != "hard ones|hard ones" {
			t.Errorf("clicks on a queue chose %q", got)
		}
		o.click("Review")
		if o.nav.tab != TabReview {
			t.Fatal("a click on a tab does not open it")
		}
		o.click("duels")
		under("duels")
		o.click("Criteria ")
		o.click("s1")
		under("s1")
		o.click("Runs")
		o.press("enter")
		o.click("104")
		o.press("y")
		o.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		o.press("y")
		if got := strings.Join(o.copied[2:], "|"); got != "104|105" {
			t.Errorf("in the list of samples: %q", got)
		}
	})
	everywhere(t, func(t *testing.T, pl place, o *office) {
		for x := 0; x < 120; x += 13 {
			for y := range 40 {
				if y == 0 {
					continue
				}
				o.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
		o.send(tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
		o.fits()
		if len(o.notebook.Acts) > 0 || o.quits || o.nav.topScreen().IsTyping() != pl.typing {
			t.Errorf("a mouse did something:\n%s", o.View())
		}
	})
}
