package label

import (
	"fmt"
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
		return m.Guide.Lines(m.item.standard(), m.item.top[panelPane], height)
	case m.Front() < 0:
		return m.finished(height)
	}
	return m.item.lines(m.Body())
}

// place is the line about the item in front.
func (m *Model) place() string {
	t, pg := m.Theme, m.Body()
	left := m.Head.Place()
	if left == "" {
		return ""
	}
	if pg == nil {
		return widget.Fit(left, m.Width)
	}
	if pass := pg.Item.Key.Pass; pass > 0 {
		turned := ", options rotated by %d"
		if m.Width < wideFrom {
			turned = ", rotated by %d"
		}
		left += t.Faint.Render(fmt.Sprintf(turned, pass))
	}
	right := ""
	switch g := m.item.geometry(pg); {
	case len(pg.Pictures) == 0:
		right = t.Faint.Render("no image ")
	case g.form != aside:
		right = m.Gallery.Caption(pg.Page) + " "
		if g.form == plain && m.Gallery.NoPicture() == "" {
			right = m.Gallery.Caption(pg.Page) + t.Key.Render("  "+m.Spelled("zoom")) + t.Faint.Render(" shows it ")
		}
	}
	return widget.Ends(left, right, m.Width)
}

// status is the last line.
func (m *Model) status() string {
	if m.Mode == picking && m.Refusal == "" {
		return widget.Fit(" "+m.Theme.Title.Render("AMBIGUOUS")+" mark the options it wavers between, then "+m.Spelled("save_marked"), m.Width)
	}
	return m.Head.Status(func() string { return "your answer: " + labeloption.Word(m.item.answered()) })
}
