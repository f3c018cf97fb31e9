package criteria

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// insert takes letters that came at once: pasted, or typed faster than they
// were read. bubbletea calls a message of them by their text, and a word like
// "left" or "end" would be taken for the key of that name.
func (m *Model) insert(letters []rune) tea.Cmd {
	text := widget.Tame(string(letters))
	switch p := m.page; {
	case m.who != "" && m.form != nil:
		in := &m.form.inputs[m.form.focus]
		if m.form.busy || in.choices != nil {
			return nil
		}
		if in.lines == 1 {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		in.area.InsertString(text)
		m.form.why = ""
		return nil
	case m.who != "" && p != nil && p.editor != nil:
		p.editor.guide = false
		p.editor.fields[p.editor.focus].area.InsertString(text)
		return m.touched(p.editor)
	}
	var cmds []tea.Cmd
	for _, r := range text {
		cmds = append(cmds, m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(cmds...)
}
