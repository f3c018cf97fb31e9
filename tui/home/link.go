package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Link is a page that opens from the screen by a key of its own.
type Link struct {
	Key  key.Binding
	Open tea.Msg // asks for it
}

type links []Link

// after are keys, with those of pages behind them.
func (l links) after(all []key.Binding) []key.Binding {
	for _, one := range l {
		all = append(all, one.Key)
	}
	return all
}

// by is what asks for the page that a key opens; nil: it opens none.
func (l links) by(msg tea.KeyMsg) tea.Msg {
	for _, one := range l {
		if key.Matches(msg, one.Key) {
			return one.Open
		}
	}
	return nil
}
