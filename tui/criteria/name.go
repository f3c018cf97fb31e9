package criteria

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

func newName(t *widget.Theme) textinput.Model {
	in := t.Input("your name")
	in.CharLimit, in.Width = 40, 30
	return in
}

// pressName takes a key while nobody has said who they are.
func pressName(m *Model, msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyEnter {
		var cmd tea.Cmd
		m.name, cmd = m.name.Update(msg)
		return cmd
	}
	name := strings.TrimSpace(widget.Line(m.name.Value()))
	if name == "" {
		return widget.Tell(widget.Info, "type a name first")
	}
	return func() tea.Msg { return Named{annotate.Annotator(name)} }
}

func nameLines(m *Model) []string {
	t := m.theme
	body := append(widget.Wrap("Who is annotating? The name is kept with everything you write and review, "+
		"and nobody reviews what they wrote themselves.", max(1, min(54, m.width-8))), "", t.Key.Render("› ")+m.name.View(), "")
	return t.Dialog("Your name", body, m.width, m.height)
}
