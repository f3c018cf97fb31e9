package judging

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/widget"
)

// The part in front takes the room of the other, and where it has the screen
// already the keys say so.
func TestThePartInFrontFillsTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := sit(t, project(), termenv.Ascii, 200, 50).page()
		rule := func() int {
			lines := strings.Split(d.View(), "\n")
			for _, l := range lines {
				if widget.TextWidth(l) != 200 {
					t.Errorf("%d cells in %q", widget.TextWidth(l), l)
				}
			}
			return strings.Index(lines[3], "│")
		}
		normal := rule()
		d.Press(">")
		half := rule()
		d.Press(">")
		if half <= normal || rule() >= 0 || strings.Contains(d.View(), "holds a vote") {
			t.Errorf("the rule stands at %d, then %d, then %d in\n%s", normal, half, rule(), d.View())
		}
		d.Press("tab")
		if d.CheckShows("Unparsed"); rule() >= 0 || strings.Contains(d.View(), "each vote") {
			t.Errorf("the other part is\n%s", d.View())
		}
		d.Press("<")
		if at := rule(); at >= normal || at < 0 {
			t.Errorf("the rule stands at %d beside half of the results", at)
		}
		d.Press("<", "tab", "tab")
		if rule() != normal {
			t.Errorf("the rule stands at %d again", rule())
		}
		d.Resize(120, 37)
		if d.Press(">"); len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "the whole screen already") {
			t.Errorf("told %q", d.Notices)
		}
	})
}
