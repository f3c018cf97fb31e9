package drilldown

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Pictures are those of the row that is open.
type Pictures struct {
	widget.Gallery
	Viewer *widget.Viewer
	Full   bool // the one in front fills the screen
}

// Load opens pictures; it runs in a command.
func Load(t *widget.Theme, all []eval.Picture, read func(eval.PictureHash) ([]byte, error)) (out widget.Gallery) {
	for _, pic := range all {
		if pic.Hash == "" {
			out.Add(nil, pic.Name, fmt.Errorf("%s: %w", widget.Line(pic.Name), widget.ErrNoPicture))
			continue
		}
		p, err := t.Images.Open(string(pic.Hash), func() ([]byte, error) { return read(pic.Hash) })
		if err != nil {
			err = fmt.Errorf("%s: %w", widget.Line(pic.Name), err)
		}
		out.Add(p, pic.Name, err)
	}
	return out
}

// Looking reports whether a picture fills the screen.
func (p *Pictures) Looking() bool { return p.Full && p.Seen() }

// Look takes a key of the picture that fills the screen, and reports whether it
// was one; draw is then to follow where there is no command.
func (p *Pictures) Look(name string, cols, rows int, draw func() tea.Cmd) (tea.Cmd, bool) {
	switch {
	case !p.Seen() || !p.Full && name != "=":
		return nil, false
	case name == "o":
		return p.Viewer.Outside(p.Front(), p.Name()), true
	case !p.Viewer.Press(name, p.Front(), cols, rows):
		return nil, false
	}
	return draw(), true
}

// Fill lets the picture fill the screen, or no longer, and draws it then.
func (p *Pictures) Fill(draw func() tea.Cmd) tea.Cmd {
	p.Full = p.Seen() && !p.Full
	return draw()
}

// Another shows the next picture, and draws it then.
func (p *Pictures) Another(draw func() tea.Cmd) tea.Cmd {
	if !p.Next() {
		return Tell("there is no other image of this sample")
	}
	return draw()
}

// Keys puts the key of the next picture before others, where there are several.
func (p *Pictures) Keys(k *Keys, others ...key.Binding) []key.Binding {
	if p.Len() < 2 {
		return others
	}
	return append([]key.Binding{k.Another}, others...)
}

// LookKeys are the bindings that matter while a picture fills the screen.
func (p *Pictures) LookKeys(k *Keys) []key.Binding {
	return append(append([]key.Binding{keymap.SamplesPicture.Bind("zoom")}, widget.LookKeys(true)...), p.Keys(k, k.After, k.Before)...)
}
