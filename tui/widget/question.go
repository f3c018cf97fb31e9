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

// HandleKey takes a key, and reports whether it was an answer.
func (q *Question) HandleKey(msg tea.KeyMsg) (cmd tea.Cmd, answered bool) {
	switch msg.String() {
	case "y":
		return q.Do(), true
	case "n", "enter":
		return nil, true
	}
	return nil, false
}

// Bindings are those that answer.
func (q *Question) Bindings() []key.Binding {
	return []key.Binding{NewBinding("y", q.Yes, "y"), NewBinding("n/esc", q.No, "n")}
}

// DrawLines draw the question in the middle of width by height cells.
func (q *Question) DrawLines(t *Theme, width, height int) []string {
	lines := WrapText(q.Text, max(1, min(56, width-6)))
	lines = append(lines, "", t.Key.Render("n/enter")+" "+q.No+"   "+t.Key.Render("y")+" "+q.Yes)
	return t.DrawDialog(q.Title, lines, width, height)
}

// NamePrompt asks who works.
type NamePrompt struct {
	in  textinput.Model
	why string
}

// AskName makes the prompt, which says what the name is kept with.
func (t *Theme) AskName(why string) NamePrompt {
	in := t.NewInput("your name")
	in.CharLimit, in.Width = 40, 30
	return NamePrompt{in, why}
}

// OpenPrompt has a name typed, if nobody is known; else the prompt is left.
func (n *NamePrompt) OpenPrompt(nobody bool) {
	if !nobody {
		n.in.Blur()
		return
	}
	n.in.Reset()
	n.in.Focus()
}

// HandleKey takes a key, and gives the name once it is typed.
func (n *NamePrompt) HandleKey(msg tea.KeyMsg) (name string, cmd tea.Cmd) {
	if msg.Type != tea.KeyEnter {
		n.in, cmd = n.in.Update(msg)
		return "", cmd
	}
	if name = strings.TrimSpace(CleanLine(n.in.Value())); name == "" {
		cmd = NotifyCmd(Info, "type a name first")
	}
	return name, cmd
}

// DrawLines draw the prompt in the middle of width by height cells.
func (n *NamePrompt) DrawLines(t *Theme, width, height int) []string {
	body := append(WrapText("Who is annotating? The name is kept with "+n.why, max(1, min(54, width-8))), "", t.Key.Render("› ")+n.in.View(), "")
	return t.DrawDialog("Your name", body, width, height)
}

// Bindings are those of the prompt.
func (n *NamePrompt) Bindings() []key.Binding {
	return []key.Binding{NewBinding("enter", "continue", "enter"), NewBinding("esc", "back to the runs", "esc")}
}
