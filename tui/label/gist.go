package label

import (
	"strings"

	"concord/annotate"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// gist is what stands above an answer that has all the room: a line of the
// question and one of what can be said of it, or of the right answer where that
// is shown.
func (m *Model) gist(pg *page, width int) []string {
	t, own := m.Theme, m.answered()
	first := t.Strong.Render(widget.Line(bounded(pg.Item.Question)))
	if right := referenceLines(pg, 1<<20); len(right) > 0 {
		return []string{widget.Cut(first, width), widget.Cut(t.Good.Render(right[0]), width)}
	}
	words := make([]string, 0, len(pg.choices))
	for _, c := range pg.choices {
		words = append(words, t.Good.Render(m.mark(&c, own))+t.Key.Render(c.Digit+c.Letter)+" "+widget.Line(bounded(c.Text)))
	}
	return []string{widget.Cut(first, width), widget.Cut(" "+strings.Join(words, " "), width)}
}

// mark shows whether the annotator has said something, or marked it among
// several.
func (m *Model) mark(c *labeloption.Offer, own annotate.Reading) string {
	switch {
	case m.Mode == picking && m.picked[c.Choice]:
		return "☒ "
	case m.Mode == picking:
		return "☐ "
	case c.In(own):
		return "▸ "
	}
	return "  "
}
