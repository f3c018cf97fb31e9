package annotation

import (
	"fmt"

	"concord/tui/widget"
)

// Section is a pane's title with the lines that it shows.
func Section(t *widget.Theme, name string, from, rows, lines int, more string, focused bool, width int) string {
	note := ""
	if rows < lines {
		note = fmt.Sprintf("lines %s-%s of %s", widget.Count(from+1), widget.Count(min(from+rows, lines)), widget.Count(lines))
		if more != "" {
			note += ", " + more
		}
	}
	return t.Section(name, note, focused, width)
}

// Scrolled is where a key that scrolls brings a pane whose first line shown is
// at: not yet held within its lines. page is how many lines a page goes.
func Scrolled(key string, at, page int) int {
	switch key {
	case "j", "down":
		return at + 1
	case "k", "up":
		return at - 1
	case "pgdown", "ctrl+d":
		return at + page
	case "pgup", "ctrl+u":
		return at - page
	case "g", "home":
		return 0
	case "e", "G", "end":
		return 1 << 30
	}
	return at
}

// Words are what a screen says at the end of a queue.
type Words struct {
	Waiting, Comes string // of a queue that grows and has nothing yet, and what will come
	Nothing        string // why a queue stands empty, when the screen knows; else ""
}

func are(n int) string {
	if n == 1 {
		return "1 item is"
	}
	return widget.Plural(n, "item") + " are"
}
