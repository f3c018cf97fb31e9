package annotation

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// checks is how the annotator does on the items whose answer is known, for the
// header: what the session lets be shown, which tells nothing of any one item;
// "" before there is anything.
func (s *Sitting[B]) checks() string {
	c := s.Session.Checks()
	if c.N == 0 {
		return ""
	}
	out := fmt.Sprintf("  checks %d/%d right", c.K, c.N)
	if r := c.Rate("none yet"); s.Width >= Roomy {
		out += fmt.Sprintf(" (%.0f-%.0f %%)", 100*r.Low, 100*r.High)
	}
	return out
}

// Checked explains the checks on the help page of a queue that has some.
func (s *Sitting[B]) Checked() []widget.Group {
	if s.Session == nil || s.Session.Queue().Golds == 0 {
		return nil
	}
	return []widget.Group{{Title: "Checks", Keys: []key.Binding{
		widget.Bind("checks", "some items have a known answer; nobody is told which", "checks"),
		widget.Bind("right", "your first labels of them, counted by fives", "checks right"),
		widget.Bind("when", "after every tenth label: no change tells which item it was", "checks when"),
	}}}
}
