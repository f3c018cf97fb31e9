package curate

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
)

// nextPicture shows the next of the sample's pictures.
func nextPicture(m *Model, _ string) tea.Cmd {
	m.pictures.at = (m.pictures.at + 1) % len(m.cards.card().pictures())
	return m.draw()
}

func zoom(m *Model, _ string) tea.Cmd {
	m.mode = annotation.Zooming
	return m.draw()
}

func unzoom(m *Model, _ string) tea.Cmd {
	m.mode = annotation.Reading
	return m.draw()
}

// magnified is the picture in front, as its keys zoom into it.
type magnified struct{ m *Model }

// Magnify takes a key that zooms or pans.
func (x magnified) Magnify(name string) tea.Cmd {
	room := x.m.size.pictureRoom(x.m.mode)
	x.m.pictures.viewer.Press(name, x.m.pictures.image(), room[0], room[1])
	return x.m.draw()
}

// NoPicture is why there is no picture to look at.
func (x magnified) NoPicture() string { return x.m.pictures.noPicture() }

// NotFull is why the keys of a picture that fills the screen mean nothing.
func (x magnified) NotFull() string {
	if x.m.mode != annotation.Zooming {
		return x.m.Keyed("{zoom} shows the image on the whole screen first")
	}
	return ""
}

// NotZoomed is why there is nothing to move or to go back to.
func (x magnified) NotZoomed() string {
	if x.m.pictures.viewer.Viewport().Whole() {
		return x.m.Keyed("the whole image is shown; {zoom_in} enlarges")
	}
	return ""
}

// Outside shows the picture outside the terminal.
func (x magnified) Outside(string) tea.Cmd {
	return x.m.pictures.viewer.Outside(x.m.pictures.image(), x.m.pictures.name())
}

// draw has the pictures of the next cards read, and that in front drawn for the
// room that it has.
func (m *Model) draw() tea.Cmd {
	if m.cards.board == nil || m.size.width == 0 {
		return nil
	}
	return m.pictures.draw(m.size.pictureRoom(m.mode))
}
