package annotation

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// Notes is what is typed of the item in front: its note, and the rationale of its label.
type Notes struct {
	note textinput.Model
	*State
	Work *Work
}

// rationale are those of the item in front: of its label, else what will go with
// the next one.
func (n *Notes) grounds() annotate.Rationale {
	if l, ok := n.Own(); ok {
		return l.Rationale()
	}
	return n.Work.pending
}

// explain gives the label in front its rationale, or keeps them for the label to
// come.
func (n *Notes) explain(g annotate.Rationale) {
	if _, ok := n.Own(); !ok {
		n.Work.pending = g
		return
	}
	if a, ok := n.Session.Explain(g); ok {
		n.Work.Submit(a)
	}
}

// StartSure asks how sure the person is.
func (n *Notes) StartSure(string) tea.Cmd {
	n.Mode = Weighing
	return nil
}

// Sure says how sure the person is: 1 is a fifth, 5 is certain.
func (n *Notes) Sure(key string) tea.Cmd {
	g := n.grounds()
	g.Confidence = float64(key[0]-'0') / steps
	n.explain(g)
	n.Mode = Reading
	return nil
}

// StartWhy opens the reason of the item in front.
func (n *Notes) StartWhy(string) tea.Cmd {
	n.Mode = Explaining
	n.note.SetValue(n.grounds().String())
	n.note.CursorEnd()
	return n.note.Focus()
}

// EndWhy keeps the reason as it stands.
func (n *Notes) EndWhy(string) tea.Cmd {
	n.leaveNote()
	return nil
}

// StartNote opens the note of the item in front.
func (n *Notes) StartNote(string) tea.Cmd {
	n.Mode = Noting
	_, k, _ := n.Session.Walk.Current()
	n.note.SetValue(n.Session.Own.State().Notes[k])
	n.note.CursorEnd()
	return n.note.Focus()
}

// EndNote keeps the note as it stands.
func (n *Notes) EndNote(string) tea.Cmd {
	n.leaveNote()
	return nil
}

// leaveNote ends the typing of a note or a reason, if one is being typed.
func (n *Notes) leaveNote() {
	if n.Typing() {
		n.keepNote()
		n.Mode = Reading
	}
}

func (n *Notes) keepNote() {
	if !n.Typing() {
		return
	}
	n.note.Blur()
	if n.Mode == Explaining {
		n.explain(annotate.ParseRationale(n.note.Value()))
		return
	}
	if a, ok := n.Session.Note(n.note.Value()); ok {
		n.Work.Submit(a)
	}
}

// NewNote is a field of one line, as notes are typed into.
func NewNote(t *widget.Theme) textinput.Model {
	n := t.Input("")
	n.CharLimit = 2000
	return n
}
