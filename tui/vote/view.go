package vote

import (
	"strings"

	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are those of View.
func (m *Model) Lines() []string { return m.Frame(m.place, m.main, m.status) }

func (m *Model) main(height int) []string {
	switch {
	case m.Mode == annotation.Guiding:
		return m.Guide.Lines(labeloption.VoteGuideline(m.Spelled), m.pair.top[panelPane], height)
	case m.Front() < 0:
		return m.finished(height)
	}
	p := m.Body()
	g := m.pair.geometry(p)
	out := widget.Block(m.pair.arrange(p, g), m.Width, g.main)
	return append(out, widget.Fit(m.pair.choices(), m.Width))
}

// place is the line about the pair in front.
func (m *Model) place() string {
	left, p := m.Head.Place(), m.Body()
	if left == "" {
		return ""
	}
	if p == nil {
		return widget.Fit(left, m.Width)
	}
	var right string
	switch g := m.pair.geometry(p); {
	case len(p.Pictures) == 0:
		right = m.Theme.Faint.Render("no image ")
	case g.picture.rows == 0 && p.seen(): // there is no room, or the answers fill it
		right = m.Gallery.Caption(p.Page) + m.Theme.Key.Render("  "+m.Spelled("zoom")) + m.Theme.Faint.Render(" shows it ")
	default:
		right = m.Gallery.Caption(p.Page) + " "
	}
	return widget.Ends(left, right, m.Width)
}

func (m *Model) status() string {
	return m.Head.Status(func() string {
		l, _ := m.Own()
		return "your vote: " + labeloption.VoteWord(l.Reading.Vote)
	})
}
