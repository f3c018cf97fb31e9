package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// exits are what leads on from a form that has nothing to make a run of.
func (f *form) exits() []key.Binding {
	if !f.loaded || f.choices.Trouble != "" {
		return nil
	}
	var out []key.Binding
	if len(f.choices.Models) == 0 {
		out = append(out, widget.Bind("m", "connect a model", "m"))
	}
	if len(f.choices.Datasets) == 0 && f.m.imports {
		out = append(out, widget.Bind("i", "import a file", "i"))
	}
	return out
}

// pressEmpty takes a key where nothing can be typed yet.
func (f *form) pressEmpty(msg tea.KeyMsg) tea.Cmd {
	for _, b := range f.exits() {
		switch {
		case !key.Matches(msg, b):
		case msg.String() == "m":
			return send(OpenConnect{})
		default:
			f.m.closeForm()
			return send(OpenImport{})
		}
	}
	return nil
}
