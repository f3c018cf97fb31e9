package annotation

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// front is what the frame of a session has in front. It changes with everything
// that a key may be meant for.
type front struct {
	of            *State
	item          annotate.ItemKey // not its place, which changes while others work
	mode          Mode
	acts, turns   int
	width, height int
}

// InFront is what the frame has in front, to be compared: the item, what keys
// mean, and how many acts there were. nil: the frame does not show what a person
// has to see before saying something of it.
func (s *QueueSession[B]) InFront() any {
	if s.Session == nil || s.Err != nil {
		return nil
	}
	f := front{of: s.State, mode: s.Mode, acts: s.submitted, turns: s.Turns, width: s.Width, height: s.Height}
	var there bool
	if _, f.item, there = s.Session.Walk.Current(); !there {
		return f
	}
	switch pg, body := s.Page(), s.Body(); {
	case pg == nil:
		return nil
	case pg.Err != nil: // which the frame says: it can be put off
	case body == nil || !s.part.Whole(body):
		return nil
	}
	return f
}

// Records reports whether a key records something now.
func (s *QueueSession[B]) Records(key string) bool { return s.part.Records(key) }

// press takes a key. Keys come one by one: the root takes apart what was read
// at once. A key is never kept for an item that is still to come.
func (s *QueueSession[B]) press(msg tea.KeyMsg) tea.Cmd {
	if s.Session == nil || msg.Paste && !s.Typing() {
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	s.Session.Touch()
	s.Work.timer.Touch(s.deps.Now())
	s.Refusal = ""
	name := msg.String()
	if s.Records(name) && s.InFront() == nil {
		s.Refusal = s.Spelled(name) + ": the item is not shown yet"
		return nil
	}
	o := s.part.Press(name)
	switch {
	case o.Refusal != "":
		s.Refusal = s.Spelled(name) + ": " + o.Refusal
		return nil
	case o.Found:
		return o.Cmd
	case s.Typing():
		var cmd tea.Cmd
		s.Notes.note, cmd = s.Notes.note.Update(msg)
		return cmd
	}
	s.Refusal = widget.Line(name) + ": " + s.noMeaning(o.Known, s.part.Stuck[s.Mode])
	return nil
}

// noMeaning is why a key does nothing in the present mode; known is one that
// does something in another, and stuck what the screen says of a mode of its own.
func (s *State) noMeaning(known bool, stuck string) string {
	switch {
	case !known:
		return s.Keyed("no key of this screen, {help} shows them all")
	case stuck != "":
		return s.Keyed(stuck)
	case s.Mode == Zooming:
		return "not over the image; " + s.Spelled("zoom") + " or esc goes back"
	case s.Mode == Weighing:
		return "1 to 5: confidence; esc goes back"
	case s.Mode == Guiding:
		return "not over the guideline; " + s.Spelled("guideline") + " or esc goes back"
	}
	return "not now"
}
