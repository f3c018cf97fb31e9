package annotation

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Draw has the picture drawn that is shown now.
func (s *Sitting[B]) Draw() tea.Cmd {
	pic, cols, rows := s.wanted()
	return s.viewer.Draw(pic.Image, cols, rows)
}

// wanted is the picture to be shown of the item in front now, and its room.
func (s *Sitting[B]) wanted() (pic Picture, cols, rows int) {
	pg, body := s.Page(), s.Body()
	if body == nil || s.Picture >= len(pg.Pictures) {
		return Picture{}, 0, 0
	}
	if s.Mode == Zooming {
		return pg.Pictures[s.Picture], s.Width, s.Height - 1
	}
	cols, rows = s.part.Room(body)
	return pg.Pictures[s.Picture], cols, rows
}

// Zoom lets the picture fill the screen.
func (s *Sitting[B]) Zoom(string) tea.Cmd {
	if pg := s.Page(); s.Picture < len(pg.Pictures) {
		if cmd := s.viewer.Fill(pg.Pictures[s.Picture].Image, s.about(pg)); cmd != nil {
			return cmd
		}
	}
	s.Mode = Zooming
	return s.Draw()
}

// Magnify takes a key that zooms or pans.
func (s *Sitting[B]) Magnify(key string) tea.Cmd {
	pic, cols, rows := s.wanted()
	s.viewer.Press(key, pic.Image, cols, rows)
	return s.Draw()
}

// Outside shows the picture outside the terminal.
func (s *Sitting[B]) Outside(string) tea.Cmd {
	pic, _, _ := s.wanted()
	return s.viewer.Outside(pic.Image, pic.Name)
}

// Unzoom goes back to the text.
func (s *Sitting[B]) Unzoom(string) tea.Cmd {
	s.Mode = Reading
	return nil
}

// NextPicture shows the next of an item's pictures.
func (s *Sitting[B]) NextPicture(string) tea.Cmd {
	s.Picture = (s.Picture + 1) % len(s.Page().Pictures)
	return s.Draw()
}

// Drawing is the picture in a room of cols by rows, or what is to be said in
// its place.
func (s *Sitting[B]) Drawing(pg *Page, cols, rows int) []string {
	if s.Picture >= len(pg.Pictures) {
		return nil
	}
	pic := pg.Pictures[s.Picture]
	if pic.Err != nil {
		return s.instead("cannot show the picture: "+pic.Err.Error(), cols, rows)
	}
	lines := s.viewer.Lines(pic.Image, cols, rows)
	if len(lines) == 0 {
		return s.instead("drawing the picture…", cols, rows)
	}
	indent := strings.Repeat(" ", max(0, (cols-widget.Width(lines[0]))/2))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = indent + l
	}
	return out
}

func (s *Sitting[B]) instead(text string, cols, rows int) []string {
	lines := widget.Wrap(text, max(1, cols))
	for i, l := range lines {
		lines[i] = s.Theme.Faint.Render(l)
	}
	return lines[:min(len(lines), max(rows, 1))]
}

// Caption is a picture's name and size, and how far it is zoomed in.
func (s *Sitting[B]) Caption(pg *Page) string {
	if s.Picture >= len(pg.Pictures) {
		return ""
	}
	line := s.Theme.Faint.Render(s.about(pg))
	if zoomed := s.viewer.Zoomed(); zoomed != "" && pg.Pictures[s.Picture].Image != nil {
		line = s.Theme.Warn.Render(zoomed) + s.Theme.Faint.Render(s.Keyed(", {=} whole  ")) + line
	}
	return line
}

func (s *Sitting[B]) about(pg *Page) string {
	pic := pg.Pictures[s.Picture]
	var parts []string
	if len(pg.Pictures) > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d, %s next", s.Picture+1, len(pg.Pictures), s.Spelled("p")))
	}
	if pic.Image != nil {
		parts = append(parts, fmt.Sprintf("%dx%d px", pic.Image.Width, pic.Image.Height))
	} else {
		parts = append(parts, missing(&pic))
	}
	if pic.Name != "" {
		parts = append(parts, widget.Cut(widget.Line(pic.Name), 24))
	}
	return strings.Join(parts, "  ")
}

// noPicture is said of a picture that the project does not hold.
const noPicture = "no picture"

// missing says in two words why a picture is not there to be seen.
func missing(pic *Picture) string {
	switch {
	case pic.hash == "", errors.Is(pic.Err, widget.ErrNoPicture):
		return noPicture
	case errors.Is(pic.Err, widget.ErrPictureSize):
		return "picture too large"
	case errors.Is(pic.Err, widget.ErrPicturesOff):
		return "pictures are off"
	}
	return "picture unreadable"
}

// zoomed is the picture on the whole screen, over its name or why the last
// key did nothing.
func (s *Sitting[B]) zoomed(pg *Page, status string) []string {
	rows := s.Height - 1
	lines := s.Drawing(pg, s.Width, rows)
	pad := make([]string, max(0, (rows-len(lines))/2))
	last := " " + s.Caption(pg)
	if s.Refusal != "" {
		last = status
	}
	return append(widget.Block(append(pad, lines...), s.Width, max(1, rows)), last)
}
