package annotation

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// replay handles the keys that were pressed, each with its item in front.
func (s *QueueSession[B]) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(s.typed) > 0 && s.ready() {
		msg := s.typed[0]
		s.typed = s.typed[1:]
		cmds = append(cmds, s.handle(msg))
	}
	return tea.Batch(cmds...)
}

func (s *QueueSession[B]) handle(msg tea.KeyMsg) tea.Cmd {
	if s.Session == nil {
		return nil
	}
	s.Work.timer.Touch(s.deps.Now())
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
