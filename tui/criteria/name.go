package criteria

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

func newName(t *widget.Theme) textinput.Model {
	in := newInput(t)
	in.CharLimit, in.Width, in.Placeholder = 40, 30, "your name"
	return in
}

// newInput is a field of one line. bubbles style from the default renderer
// unless told otherwise (bubbles #403).
func newInput(t *widget.Theme) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.TextStyle, in.PromptStyle, in.PlaceholderStyle = t.Text, t.Accent, t.Faint
	in.Cursor.SetMode(cursor.CursorStatic)
	in.Cursor.Style, in.Cursor.TextStyle = t.Strong, t.Text
	return in
}

// pressName takes a key while nobody has said who they are.
func (m *Model) pressName(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyEnter {
		var cmd tea.Cmd
		m.name, cmd = m.name.Update(msg)
		return cmd
	}
	name := strings.TrimSpace(widget.Line(m.name.Value()))
	if name == "" {
		return notify(widget.Info, "type a name first")
	}
	return func() tea.Msg { return Named{annotate.Annotator(name)} }
}

func (m *Model) nameLines() []string {
	t := m.theme
	body := append(widget.Wrap("Who works on the criteria? The name stands beside everything you write and review, "+
		"and nobody reviews what they wrote themselves.", max(1, min(54, m.width-8))), "", t.Key.Render("› ")+m.name.View(), "")
	return t.Dialog("Your name", body, m.width, m.height)
}
