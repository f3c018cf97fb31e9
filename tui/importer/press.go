package importer

import (
	"path/filepath"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// offer is a way to begin.
type offer struct {
	title, text string
	do          func(*Model) tea.Cmd
}

// offers are the ways to begin where there is no project.
func offers() []offer {
	return []offer{
		{"Look around", "a demo: drawn images, three made-up models that answer while you watch, and a queue to label. No key, no network.", func(*Model) tea.Cmd { return done(Demo) }},
		{"Import a file", "a benchmark's questions, or predictions that you have already: xlsx, TSV, CSV, parquet, JSON, logs of lmms-eval and inspect_ai. You see its first rows before anything is written.", (*Model).choose},
		{"Connect a model", "what is configured is checked by listing its models, which spends nothing; then say where another one is served.", (*Model).check},
	}
}

func (m *Model) choose() tea.Cmd {
	m.step = atFolder
	return m.list("")
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch m.step {
	case atMenu:
		return m.pressMenu(msg)
	case atFolder:
		return m.pressFolder(msg)
	case atPreview:
		return m.pressForm(msg)
	case atEnd:
		if key.Matches(msg, m.keys.finish) {
			return done(Imported)
		}
		if key.Matches(msg, m.keys.other) {
			return m.choose()
		}
		scroll(m, msg)
	case atCheck:
		if key.Matches(msg, m.keys.again) {
			return m.check()
		}
		if key.Matches(msg, m.keys.connect) {
			return func() tea.Msg { return OpenConnect{} }
		}
		scroll(m, msg)
	case atWork:
	}
	return nil
}

func scroll(m *Model, msg tea.KeyMsg) {
	if by, ok := m.keys.moves.By(msg, max(1, m.size.height-4), 1<<20); ok {
		m.top = max(0, m.top+by)
	}
}

func (m *Model) pressMenu(msg tea.KeyMsg) tea.Cmd {
	all := offers()
	if by, ok := m.keys.moves.By(msg, len(all), len(all)); ok {
		m.menu = max(0, min(m.menu+by, len(all)-1))
		return nil
	}
	if key.Matches(msg, m.keys.take) {
		return all[m.menu].do(m)
	}
	return nil
}

// pressFolder goes through a folder. Letters narrow it down, so only keys
// without one move.
func (m *Model) pressFolder(msg tea.KeyMsg) tea.Cmd {
	n, rows := len(m.files.shown), m.size.rows()
	switch msg.Type {
	case tea.KeyUp:
		m.files.at.Move(-1, n, rows)
	case tea.KeyDown:
		m.files.at.Move(1, n, rows)
	case tea.KeyPgUp, tea.KeyCtrlU:
		m.files.at.Move(-rows, n, rows)
	case tea.KeyPgDown, tea.KeyCtrlD:
		m.files.at.Move(rows, n, rows)
	case tea.KeyHome:
		m.files.at.Set(0, n, rows)
	case tea.KeyEnd:
		m.files.at.Set(n-1, n, rows)
	case tea.KeyLeft:
		return up(m)
	case tea.KeyBackspace:
		if m.files.filter == "" {
			return up(m)
		}
		runes := []rune(m.files.filter)
		m.files.narrow(string(runes[:len(runes)-1]))
	case tea.KeyEnter, tea.KeyRight:
		return m.take()
	case tea.KeyRunes, tea.KeySpace:
		m.files.narrow(m.files.filter + string(msg.Runes))
	default:
	}
	return nil
}

// up goes to the folder above.
func up(m *Model) tea.Cmd {
	if above := filepath.Dir(m.files.folder.Path); above != m.files.folder.Path {
		return m.list(above)
	}
	return nil
}

// take opens the folder, or looks into the file, under the cursor; a whole
// path may have been typed or pasted, too.
func (m *Model) take() tea.Cmd {
	if isPath(m.files.filter) {
		return m.look(strings.TrimSpace(m.files.filter))
	}
	if m.files.at.At >= len(m.files.shown) || m.reading {
		return nil
	}
	e := m.files.folder.Entries[m.files.shown[m.files.at.At]]
	path := filepath.Join(m.files.folder.Path, e.Name)
	if e.Folder {
		return m.list(path)
	}
	return m.look(path)
}

func isPath(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || filepath.IsAbs(text)
}

func (m *Model) pressForm(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyUp, tea.KeyShiftTab:
		m.form.move(m.form.at - 1)
		return nil
	case tea.KeyDown, tea.KeyTab:
		m.form.move(m.form.at + 1)
		return nil
	case tea.KeyEnter:
		if m.err = m.form.missing(); m.err != nil {
			return nil
		}
		return m.run()
	default:
	}
	m.err = nil
	return m.form.press(msg)
}
