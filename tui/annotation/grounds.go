package annotation

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// steps is how many degrees of being sure the digits tell apart.
const steps = 5

// Because is what a screen offers whose labels may have grounds: a reason, and
// how sure one is. The screen names the keys that ask for them.
func Because[M interface {
	NoFront() string
	StartWhy(key string) tea.Cmd
	EndWhy(key string) tea.Cmd
	StartSure(key string) tea.Cmd
	Sure(key string) tea.Cmd
}](why, sure string) Table[M] {
	return Table[M]{
		On(ActsGroup, working(), At(Unranked, widget.Bind(sure, "how sure you are: 1 to 5", sure)), M.NoFront, M.StartSure),
		On(ActsGroup, []Mode{Weighing}, At(First, widget.Bind("1-5", "unsure to sure", "1", "2", "3", "4", "5")), nil, M.Sure),
		On(ActsGroup, working(), At(Unranked, widget.Bind(why, "why; 80% before it says how sure", why)), M.NoFront, M.StartWhy),
		On(ActsGroup, []Mode{Explaining}, At(First, widget.Bind("enter", "keep it", "enter")), nil, M.EndWhy),
	}
}

// grounds are those of the item in front: of its label, else what will go with
// the next one.
func (s *Sitting[B]) grounds() annotate.Grounds {
	if l, ok := s.Own(); ok {
		return l.Grounds()
	}
	return s.pending
}

// explain gives the label in front its grounds, or keeps them for the label to
// come.
func (s *Sitting[B]) explain(g annotate.Grounds) {
	if _, ok := s.Own(); !ok {
		s.pending = g
		return
	}
	if a, ok := s.Session.Explain(g); ok {
		s.Submit(a)
	}
}

// StartSure asks how sure the person is.
func (s *Sitting[B]) StartSure(string) tea.Cmd {
	s.Mode = Weighing
	return nil
}

// Sure says how sure the person is: 1 is a fifth, 5 is certain.
func (s *Sitting[B]) Sure(key string) tea.Cmd {
	g := s.grounds()
	g.Confidence = float64(key[0]-'0') / steps
	s.explain(g)
	s.Mode = Reading
	return nil
}

// StartWhy opens the reason of the item in front.
func (s *Sitting[B]) StartWhy(string) tea.Cmd {
	s.Mode = Explaining
	s.note.SetValue(s.grounds().String())
	s.note.CursorEnd()
	return s.note.Focus()
}

// EndWhy keeps the reason as it stands.
func (s *Sitting[B]) EndWhy(string) tea.Cmd {
	s.leaveNote()
	return nil
}

// because is what stands in the status line of grounds; "" without any.
func because(g annotate.Grounds) string {
	var parts []string
	if g.Confidence > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% sure", 100*g.Confidence))
	}
	if g.Reason != "" {
		parts = append(parts, "because "+widget.Line(g.Reason))
	}
	return strings.Join(parts, ", ")
}
