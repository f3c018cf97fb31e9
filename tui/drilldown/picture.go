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

// LoadPictures opens pictures; it runs in a command.
func LoadPictures(t *widget.Theme, all []eval.Picture, read func(eval.PictureHash) ([]byte, error)) (out widget.Gallery) {
	for _, pic := range all {
		if pic.Hash == "" {
			out.AddPicture(nil, pic.Name, fmt.Errorf("%s: %w", widget.CleanLine(pic.Name), widget.ErrNoPicture))
			continue
		}
		p, err := t.Images.OpenPicture(string(pic.Hash), func() ([]byte, error) { return read(pic.Hash) })
		if err != nil {
			err = fmt.Errorf("%s: %w", widget.CleanLine(pic.Name), err)
		}
		out.AddPicture(p, pic.Name, err)
	}
	return out
}

// IsFull reports whether a picture fills the screen.
func (p *Pictures) IsFull() bool { return p.Full && p.HasAny() }

// HandleFullPictureKey takes a key of the picture that fills the screen, and reports whether it
// was one; draw is then to follow where there is no command.
func (p *Pictures) HandleFullPictureKey(name string, cols, rows int, draw func() tea.Cmd) (tea.Cmd, bool) {
	switch {
	case !p.HasAny() || !p.Full && name != "=":
		return nil, false
	case name == "o":
		return p.Viewer.OpenViewer(p.PictureInFront(), p.FrontName()), true
	case !p.Viewer.HandleZoomKey(name, p.PictureInFront(), cols, rows):
		return nil, false
	}
	return draw(), true
}

// ToggleFull lets the picture fill the screen, or no longer, and draws it then.
func (p *Pictures) ToggleFull(draw func() tea.Cmd) tea.Cmd {
	p.Full = p.HasAny() && !p.Full
	return draw()
}

// NextPicture shows the next picture, and draws it then.
func (p *Pictures) NextPicture(draw func() tea.Cmd) tea.Cmd {
	if !p.ShowNext() {
		return NotifyInfo("there is no other image of this sample")
	}
	return draw()
}

// AddPictureKey puts the key of the next picture before others, where there are several.
func (p *Pictures) AddPictureKey(k *Keys, others ...key.Binding) []key.Binding {
	if p.Len() < 2 {
		return others
	}
	return append([]key.Binding{k.Another}, others...)
}

// LookKeys are the bindings that matter while a picture fills the screen.
func (p *Pictures) LookKeys(k *Keys) []key.Binding {
	return append(append([]key.Binding{keymap.SamplesPicture.BindAction("zoom")}, widget.LookKeys(true)...), p.AddPictureKey(k, k.After, k.Before)...)
}
