package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Question waits for yes or no. Enter is the answer that changes nothing.
type Question struct {
	Title, Text string
	Yes, No     string // what the answers do
	Do          func() tea.Cmd
}

// Press takes a key, and reports whether it was an answer.
func (q *Question) Press(msg tea.KeyMsg) (cmd tea.Cmd, answered bool) {
	switch msg.String() {
	case "y":
		return q.Do(), true
	case "n", "enter":
		return nil, true
	}
	return nil, false
}

// Keys are those that answer.
func (q *Question) Keys() []key.Binding {
	return []key.Binding{Bind("y", q.Yes, "y"), Bind("n/esc", q.No, "n")}
}

// Lines draw the question in the middle of width by height cells.
func (q *Question) Lines(t *Theme, width, height int) []string {
	lines := Wrap(q.Text, max(1, min(56, width-6)))
	lines = append(lines, "", t.Key.Render("n/enter")+" "+q.No+"   "+t.Key.Render("y")+" "+q.Yes)
	return t.Dialog(q.Title, lines, width, height)
}

// NamePrompt asks who works.
type NamePrompt struct {
	in  textinput.Model
	why string
}

// AskName makes the prompt, which says what the name is kept with.
func (t *Theme) AskName(why string) NamePrompt {
	in := t.Input("your name")
	in.CharLimit, in.Width = 40, 30
	return NamePrompt{in, why}
}

// Open has a name typed, if nobody is known; else the prompt is left.
func (n *NamePrompt) Open(nobody bool) {
	if !nobody {
		n.in.Blur()
		return
	}
	n.in.Reset()
	n.in.Focus()
}

// Press takes a key, and gives the name once it is typed.
func (n *NamePrompt) Press(msg tea.KeyMsg) (name string, cmd tea.Cmd) {
	if msg.Type != tea.KeyEnter {
		n.in, cmd = n.in.Update(msg)
		return "", cmd
	}
	if name = strings.TrimSpace(Line(n.in.Value())); name == "" {
		cmd = Tell(Info, "type a name first")
	}
	return name, cmd
}

// Lines draw the prompt in the middle of width by height cells.
func (n *NamePrompt) Lines(t *Theme, width, height int) []string {
	body := append(Wrap("Who is annotating? The name is kept with "+n.why, max(1, min(54, width-8))), "", t.Key.Render("› ")+n.in.View(), "")
	return t.Dialog("Your name", body, width, height)
}

// Keys are those of the prompt.
func (n *NamePrompt) Keys() []key.Binding {
	return []key.Binding{Bind("enter", "continue", "enter"), Bind("esc", "back to the runs", "esc")}
}
