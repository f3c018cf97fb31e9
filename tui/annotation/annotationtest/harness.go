package annotationtest

import (
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Screen is a screen with a session, as its root uses it.
type Screen interface {
	Update(msg tea.Msg) tea.Cmd
	View() string
	Back() bool
	Hear(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd
}

// Harness runs a screen in tests; commands run at once.
type Harness struct {
	T       testing.TB
	Screen  Screen
	Journal *Notebook
	Notices []string
}

// Run runs a command, and those that its message leads to.
func (d *Harness) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.Run(c)
		}
	case widget.Notify:
		d.Notices = append(d.Notices, msg.Text)
	default:
		d.Run(d.Screen.Update(msg))
	}
}

// Press presses keys by their names.
func (d *Harness) Press(keys ...string) {
	for _, k := range keys {
		if k == "esc" { // the root's, which hands it on
			d.Screen.Back()
			continue
		}
		d.Run(d.Screen.Update(Key(k)))
	}
}

// Saved tells the screen where the journal stands, with n acts committed.
func (d *Harness) Saved(state session.JournalState, n int) {
	d.Run(d.Screen.Hear(state, uint32(n), d.Journal.Missed))
}

// Sees checks that the frame shows all of these.
func (d *Harness) Sees(want ...string) {
	d.T.Helper()
	got := ansi.Strip(d.Screen.View())
	for _, w := range want {
		if !strings.Contains(got, w) {
			d.T.Errorf("the screen does not show %q:\n%s", w, got)
		}
	}
}

// SeesNot checks that the frame shows none of these.
func (d *Harness) SeesNot(unwanted ...string) {
	d.T.Helper()
	got := ansi.Strip(d.Screen.View())
	for _, w := range unwanted {
		if strings.Contains(got, w) {
			d.T.Errorf("the screen shows %q:\n%s", w, got)
		}
	}
}

// Key is the message of a key, by its name.
func Key(name string) tea.KeyMsg { return keymap.Msg(name) }

// Theme is the theme on a terminal with these colours.
func Theme(p termenv.Profile, dark bool) *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return widget.NewTheme(r)
}

// Screens are the sizes of terminals that people have.
func Screens() [][2]int { return [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} }
