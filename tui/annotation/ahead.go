package annotation

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// press takes a key behind those that still wait for their item. Keys come
// one by one: the root takes apart what was read at once.
func (s *Sitting[B]) press(msg tea.KeyMsg) {
	if msg.Paste && !s.Typing() {
		return // what is pasted into a screen of one-key commands is a mistake
	}
	if s.Session != nil {
		s.Session.Touch()
	}
	s.typed = append(s.typed, msg)
}

// Waiting is how many keys wait for their item.
func (s *Sitting[B]) Waiting() int { return len(s.typed) }

// replay handles the keys that were pressed, each with its item in front.
func (s *Sitting[B]) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(s.typed) > 0 && s.ready() {
		msg := s.typed[0]
		s.typed = s.typed[1:]
		cmds = append(cmds, s.handle(msg))
	}
	return tea.Batch(cmds...)
}

// ready reports whether the item in front is there.
func (s *Sitting[B]) ready() bool {
	return s.Err != nil || s.Session != nil && (s.Front() < 0 || s.Page() != nil)
}

func (s *Sitting[B]) handle(msg tea.KeyMsg) tea.Cmd {
	if s.Session == nil {
		return nil
	}
	s.timer.Touch(s.deps.Now())
	s.Refusal = ""
	name := msg.String()
	o := s.part.Press(name)
	switch {
	case o.Refusal != "":
		s.Refusal = s.Spelled(name) + ": " + o.Refusal
		return nil
	case o.Found:
		return o.Cmd
	case s.Typing():
		var cmd tea.Cmd
		s.note, cmd = s.note.Update(msg)
		return cmd
	}
	s.Refusal = widget.Line(name) + ": " + s.noMeaning(o.Known)
	return nil
}

// noMeaning is why a key does nothing in the present mode; known is one that
// does something in another.
func (s *Sitting[B]) noMeaning(known bool) string {
	switch stuck := s.part.Stuck[s.Mode]; {
	case !known:
		return s.Keyed("no key of this screen, {?} shows them all")
	case stuck != "":
		return s.Keyed(stuck)
	case s.Mode == Zooming:
		return "not over the picture; " + s.Spelled("z") + " or esc goes back"
	case s.Mode == Weighing:
		return "1 to 5 say how sure you are; esc goes back"
	case s.Mode == Guiding:
		return "not over the guideline; " + s.Spelled("i") + " or esc goes back"
	}
	return "not now"
}
