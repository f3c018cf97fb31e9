package criteria

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// insertLetters takes letters that came at once: pasted, or typed faster than they
// were read. bubbletea calls a message of them by their text, and a word like
// "left" or "end" would be taken for the key of that name.
func insertLetters(m *Model, letters []rune) tea.Cmd {
	text := widget.EscapeControls(string(letters))
	switch p := m.reader.page; {
	case m.who != "" && m.asker.form != nil:
		in := &m.asker.form.inputs[m.asker.form.focus]
		if m.asker.form.busy || in.choices != nil {
			return nil
		}
		if in.lines == 1 {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		in.area.InsertString(text)
		m.asker.form.why = ""
		return nil
	case m.who != "" && p != nil && p.editor != nil:
		p.editor.guide = false
		p.editor.fields[p.editor.focus].area.InsertString(text)
		return followEdit(m, p.editor)
	}
	var cmds []tea.Cmd
	for _, r := range text {
		cmds = append(cmds, m.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(cmds...)
}
