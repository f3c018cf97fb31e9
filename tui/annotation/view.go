package annotation

import (
	"slices"

	"concord/tui/widget"
)

// The lines of a screen that are always there.
const (
	HeaderLines = 2 // the queue, and the item in front
	StatusLines = 1
)

// Frame draws the screen in exactly the size that Resize gave. main draws what
// stands between header and status, so many lines in exactly the width: pictures
// take long to measure, and it knows theirs. place is the second line of the header.
func (s *QueueSession[B]) Frame(place func() string, main func(height int) []string, status func() string) []string {
	if s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	var lines []string
	switch pg := s.Page(); {
	case s.Err != nil:
		lines = s.trouble("The queue cannot be opened: " + s.Err.Error())
	case s.Session != nil && s.Session.Walk.Displaced():
		lines = s.trouble("You have opened this queue in another session, and continue there. " +
			"What you did here is kept. Opened here once more, it comes back to this one.")
	case s.Session == nil:
		lines = []string{"", " " + s.Theme.Faint.Render("opening "+widget.Line(string(s.deps.Queue))+"…")}
	case s.Mode == Zooming && pg != nil:
		lines = s.Gallery.zoomed(pg, status())
	default:
		head := widget.Block([]string{s.Head.header(), place()}, s.Width, HeaderLines)
		lines = slices.Concat(head, s.main(main), widget.Block([]string{status()}, s.Width, StatusLines))
		if len(lines) == s.Height {
			return lines
		}
	}
	return widget.Block(lines, s.Width, s.Height)
}

func (s *QueueSession[B]) main(draw func(height int) []string) []string {
	height := s.Main()
	pg := s.Page()
	switch {
	case s.Mode == Guiding || s.Front() < 0:
		return draw(height)
	case pg == nil:
		return widget.Block([]string{"", " " + s.Theme.Faint.Render("loading the item…")}, s.Width, height)
	case pg.Err != nil:
		return widget.Block(s.trouble("This item cannot be read: "+pg.Err.Error()), s.Width, height)
	}
	return draw(height)
}
