package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
)

// navigation holds the screens that are open: of each tab a stack, of which the
// last one is seen while the tab is open.
type navigation struct {
	can           access
	keys          *keymap.Keymap // nil: the keys that everybody has
	width, height int            // of a screen
	tab           Tab
	stacks        [tabCount][]Screen
	left          func(Screen) // called of each screen that is left
}

// stack is the open tab's screens; the last one is seen.
func (n *navigation) stack() []Screen { return n.stacks[n.tab] }

// top is the screen that is seen.
func (n *navigation) top() Screen { return n.stack()[len(n.stack())-1] }

// beside is the next tab that there is, forth or back.
func (n *navigation) beside(by Tab) Tab {
	t := (n.tab + by) % tabCount
	for !n.can.has(t) {
		t = (t + by) % tabCount
	}
	return t
}

// resize gives the screens their room.
func (n *navigation) resize(width, height int) {
	n.width, n.height = width, height
	for s := range n.screens {
		s.Resize(width, height)
	}
}

// screens are all that are open.
func (n *navigation) screens(yield func(Screen) bool) {
	for _, stack := range n.stacks {
		for _, s := range stack {
			if !yield(s) {
				return
			}
		}
	}
}

// push opens a screen upon the open tab's.
func (n *navigation) push(s Screen) tea.Cmd {
	n.stacks[n.tab] = append(n.stack(), s)
	n.spell(s)
	s.Resize(n.width, n.height)
	return s.Init()
}

// drop leaves the screen that is seen without a look at the one under it.
func (n *navigation) drop() bool {
	st := n.stack()
	if len(st) < 2 {
		return false
	}
	n.left(st[len(st)-1])
	putAway(st[len(st)-1])
	n.stacks[n.tab] = st[: len(st)-1 : len(st)-1]
	return true
}

// unwind leaves all of the open tab's screens but the first.
func (n *navigation) unwind() {
	for n.drop() {
	}
}

// reset leaves all screens of all tabs but the first of each.
func (n *navigation) reset() {
	for i, stack := range n.stacks {
		for len(stack) > 1 {
			putAway(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
		n.stacks[i] = stack[:len(stack):len(stack)]
	}
}

// keep has the screens hand over what is being typed.
func (n *navigation) keep() {
	for s := range n.screens {
		if k, ok := s.(Keeper); ok {
			k.Keep()
		}
	}
}

// close ends what the screens have under way.
func (n *navigation) close() {
	for s := range n.screens {
		putAway(s)
	}
}

func putAway(s Screen) {
	if c, ok := s.(Closer); ok {
		c.Close()
	}
}
