package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Screen is what the root shows between its header and its footer.
type Screen interface {
	// Init loads what is shown first.
	Init() tea.Cmd
	// Update takes a message. Messages other than keys reach every screen.
	Update(msg tea.Msg) tea.Cmd
	// View draws the size that Resize gave, in lines of at most that width.
	View() string
	Resize(width, height int)
	// Refresh reads again what is shown, because facts have changed.
	Refresh() tea.Cmd
	// Back leaves one level within the screen, and reports whether there was
	// one to leave.
	Back() bool
	// Typing reports whether keys are text: the root's keys are off then.
	Typing() bool
	// Keys are what can be done now, the most important first.
	Keys() []key.Binding
	// Help is the page of all bindings.
	Help() []widget.Group
}

// Closer is a screen that has something to put away when it is left.
type Closer interface{ Close() }

// Keeper is a screen on which text may stand that nobody has handed over: Keep
// does so, before the app saves and ends.
type Keeper interface{ Keep() }

// Asker is a screen that may stand and wait for an answer: nothing else is
// offered meanwhile.
type Asker interface{ Asking() bool }

// Placed is a screen whose keys are in the keymap. Where it stands may change
// with what it shows.
type Placed interface{ KeyPlace() keymap.Place }

// Speller is a screen whose texts name keys: with is how one of its own is
// written now. Most have a keymap.Spelling inside.
type Speller interface {
	Spell(with func(key string) string)
}

// Exact is a screen whose View fills a size exactly, line by line, so that nobody
// has to measure it again, or to divide it.
type Exact interface {
	Exact(width, height int) bool
	Lines() []string
}

// Deep is a screen that may show one thing of many: its own keys say how to go
// back then, and q does not quit.
type Deep interface{ Deep() bool }

// Clicker is a screen with rows that a mouse selects.
type Clicker interface {
	// Click selects what is drawn at a cell of the screen, counted from its
	// upper left corner; nothing happens where there is no row.
	Click(x, y int) tea.Cmd
}

// guide is a screen on which people work by a guideline.
type guide interface {
	Guided(q annotate.QueueName, g annotate.Guideline)
}

// Copier is a screen on which something is in front that can be copied.
type Copier interface {
	// Copied is what is in front, as it was written, and what it is called;
	// "" when nothing is, or the person must not see it yet.
	Copied() (what, text string)
}
