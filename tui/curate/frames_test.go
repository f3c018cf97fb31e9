package curate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate/curation"
	"concord/tui/widget"
)

// Frames at every size: no line is too wide, none too many, no escape of a
// stranger's text.
func TestFrames(t *testing.T) {
	scenes := map[string][]string{
		"first": nil, "judged": {"1", "left"}, "axis": {"@"}, "balance": {"1", "#"}, "guide": {";"}, "note": {",", "h", "m"}, "done": {"1", "1", "1", "1", "1"},
	}
	for name, keys := range scenes {
		for _, s := range [][2]int{{60, 21}, {80, 21}, {200, 47}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), func(t *testing.T) {
				p := newPool()
				p.says("bob", curation.NeedsImage)
				k := sit(t, p, termenv.Ascii, nil)
				k.m.Resize(s[0], s[1])
				k.Harness.Run(k.m.Refresh())
				k.press(keys...)
				frame := k.m.View()
				if strings.Contains(frame, "\x1b") {
					t.Error("an escape in a frame without colours")
				}
				lines := strings.Split(frame, "\n")
				for _, l := range lines {
					if w := widget.TextWidth(l); w != s[0] {
						t.Errorf("%d cells: %q", w, l)
					}
				}
				if len(lines) != s[1] {
					t.Errorf("%d lines", len(lines))
				}
				golden.RequireEqual(t, []byte(frame))
			})
		}
	}
}

// Any keys in any order: the screen stays within its size, and does not fall.
func TestAnyKeys(t *testing.T) {
	p := newPool()
	p.says("bob", curation.Wrong, curation.NeedsImage)
	k := sit(t, p, termenv.ANSI256, nil)
	keys := strings.Fields("1 2 3 4 5 @ enter ctrl+n ctrl+z ctrl+y , | tab / * # ; $ % left right ctrl+x ctrl+e down up pgdown end ctrl+r ctrl+o & esc backspace")
	seed := uint32(1)
	for range 3000 {
		seed = seed*1664525 + 1013904223
		k.press(keys[int(seed>>16)%len(keys)])
		if seed>>28 == 0 {
			k.m.Resize(int(seed>>8%150)%150+1, int(seed>>20)%50+1)
		}
		if seed>>26 == 0 {
			lines := strings.Split(k.m.View(), "\n")
			if len(lines) != k.m.size.height || widget.TextWidth(lines[0]) != k.m.size.width {
				t.Fatalf("%dx%d: %d lines of %d", k.m.size.width, k.m.size.height, len(lines), widget.TextWidth(lines[0]))
			}
		}
	}
}
