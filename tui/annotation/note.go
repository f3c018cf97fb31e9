package annotation

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// NewNote is a field of one line, as notes are typed into.
func NewNote(t *widget.Theme) textinput.Model {
	n := t.Input("")
	n.CharLimit = 2000
	return n
}

// StartNote opens the note of the item in front.
func (s *Sitting[B]) StartNote(string) tea.Cmd {
	s.Mode = Noting
	_, k, _ := s.Session.Current()
	s.note.SetValue(s.Session.State().Notes[k])
	s.note.CursorEnd()
	return s.note.Focus()
}

// EndNote keeps the note as it stands.
func (s *Sitting[B]) EndNote(string) tea.Cmd {
	s.leaveNote()
	return nil
}

// leaveNote ends the typing of a note or a reason, if one is being typed.
func (s *Sitting[B]) leaveNote() {
	if s.Typing() {
		s.keepNote()
		s.Mode = Reading
	}
}

func (s *Sitting[B]) keepNote() {
	if !s.Typing() {
		return
	}
	s.note.Blur()
	if s.Mode == Explaining {
		s.explain(annotate.ParseGrounds(s.note.Value()))
		return
	}
	if a, ok := s.Session.Note(s.note.Value()); ok {
		s.Submit(a)
	}
}
